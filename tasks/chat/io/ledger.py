"""The ledger of one run: tokens and dollars of its calls, and whether the next one may be made. Threads may share one."""

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple, Self

from schemas.errors import CostError
from schemas.options.chat import ChatOptions
from schemas.references import Frozen

MILLION = 1_000_000
TOKENS_PER_MESSAGE = 16
"""Most tokens that a message has besides its words."""


class Usage(NamedTuple):
    """The tokens of one call or of several; a call is counted when it was answered or may have been."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def add_usage(self, other: "Usage") -> Self:
        """Return the sum of both."""
        return type(self)(*(one + two for one, two in zip(self, other, strict=True)))

    def compute_cost(self, options: ChatOptions) -> float:
        """Return what it costs, in dollars."""
        return (self.input_tokens * options.input_price + self.output_tokens * options.output_price) / MILLION


class ChatCosts(Frozen):
    """What calls to a language model cost in one run. Answers from the cache are counted in `kept`; they cost nothing."""

    calls: int = 0
    kept: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    dollars: float = 0.0

    def __str__(self) -> str:
        """Return it in words."""
        tokens = f"{self.input_tokens} tokens in, {self.output_tokens} out"
        return f"{self.calls} calls ({tokens}) for ${self.dollars:.4f}; {self.kept} answers were kept from before"


def bound_usage(messages: Sequence[Mapping[str, str]], schema: Mapping[str, object] | None, max_tokens: int) -> Usage:
    """Return the most that a call can use: no token is shorter than a byte of UTF-8."""
    words = sum(len(message["content"].encode()) + TOKENS_PER_MESSAGE for message in messages)
    return Usage(1, words + (len(json.dumps(schema)) if schema else 0), max_tokens)


def read_usage(response: bytes, most: Usage) -> Usage:
    """Return the usage that an answered call reports; what it does not report counts with the most possible."""
    try:
        usage = json.loads(response)["usage"]
        counts = [usage[name] for name in ("prompt_tokens", "completion_tokens")]
    except (ValueError, KeyError, TypeError):
        return most
    return Usage(1, *counts) if all(isinstance(count, int) and count >= 0 for count in counts) else most


class OpenCall:
    """A call under way. Until `record_usage`, it counts with the most that it can cost."""

    def __init__(self, most: Usage) -> None:
        self.usage = most

    def record_usage(self, usage: Usage) -> None:
        """Count a finished call: what it really used replaces what was reserved for it."""
        self.usage = usage


class Ledger:
    """Counts tokens and dollars, and keeps them below `options.max_cost`."""

    def __init__(self, options: ChatOptions) -> None:
        self._options = options
        self._done = Usage()
        self._open: list[OpenCall] = []
        self._changing = threading.Condition()

    @property
    def usage(self) -> Usage:
        """The calls that have ended."""
        return self._done

    @property
    def dollars(self) -> float:
        """What the calls that have ended cost."""
        return self._done.compute_cost(self._options)

    @contextmanager
    def count_call(self, most: Usage) -> Iterator[OpenCall]:
        """Count a call that uses at most `most`. Call `record_usage` when its usage is known: without it the most is counted.

        A call waits for others that are under way, if it may be made once they have cost less than their most.

        Raises:
            CostError: with this call, the run could cost more than allowed.
        """
        with self._changing:
            self._refuse_beyond_cost_cap(self._done.add_usage(most))
            # calls under way count with their most, so another may fit once they have ended
            while self._is_beyond_cost_cap(self._sum_with_open_calls().add_usage(most)):
                self._changing.wait()
                self._refuse_beyond_cost_cap(self._done.add_usage(most))
            opened = OpenCall(most)
            self._open.append(opened)
        try:
            yield opened
        finally:
            with self._changing:
                self._open.remove(opened)
                self._done = self._done.add_usage(opened.usage)
                self._changing.notify_all()

    def _sum_with_open_calls(self) -> Usage:
        possible = self._done
        for other in self._open:
            possible = possible.add_usage(other.usage)
        return possible

    def _is_beyond_cost_cap(self, possible: Usage) -> bool:
        return self._options.max_cost is not None and possible.compute_cost(self._options) > self._options.max_cost

    def _refuse_beyond_cost_cap(self, possible: Usage) -> None:
        if self._is_beyond_cost_cap(possible):
            done = self._done
            raise CostError(
                f"the next call could pass the cap of ${self._options.max_cost:g}: ${self.dollars:.4f} spent on "
                f"{done.calls} calls ({done.input_tokens} tokens in, {done.output_tokens} out). Answers are kept and cost "
                "nothing again: to go on, run the same again, or raise the cap (--max-cost, chat.max_cost)"
            )
