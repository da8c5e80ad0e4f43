"""The ledger of one run: what calls have cost so far, and whether the next one may be made. Threads may share one."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from schemas.errors import CostError
from schemas.options.chat import ChatOptions
from tasks.evaluate.spending import Usage


class OpenCall:
    """A call under way. Until `record`, it counts with the most that it can cost."""

    def __init__(self, most: Usage) -> None:
        self.usage = most

    def record(self, usage: Usage) -> None:
        """Count the call with what it really used."""
        self.usage = usage


class Ledger:
    """Counts tokens and dollars, and keeps them below `options.max_cost`."""

    def __init__(self, options: ChatOptions) -> None:
        self._options = options
        self._done = Usage()
        self._open: list[OpenCall] = []
        self._changing = threading.Condition()

    @property
    def used(self) -> Usage:
        """The calls that have ended."""
        return self._done

    @property
    def dollars(self) -> float:
        """What the calls that have ended cost."""
        return self._done.cost(self._options)

    @contextmanager
    def call(self, most: Usage) -> Iterator[OpenCall]:
        """Count a call that uses at most `most`. Call `record` when its usage is known: without it the most is counted.

        A call waits for others that are under way, if it may be made once they have cost less than their most.

        Raises:
            CostError: with this call, the run could cost more than allowed.
        """
        with self._changing:
            self._refuse_beyond_cap(self._done.plus(most))
            while self._is_beyond_cap(self._with_open().plus(most)):
                self._changing.wait()
                self._refuse_beyond_cap(self._done.plus(most))
            opened = OpenCall(most)
            self._open.append(opened)
        try:
            yield opened
        finally:
            with self._changing:
                self._open.remove(opened)
                self._done = self._done.plus(opened.usage)
                self._changing.notify_all()

    def _with_open(self) -> Usage:
        possible = self._done
        for other in self._open:
            possible = possible.plus(other.usage)
        return possible

    def _is_beyond_cap(self, possible: Usage) -> bool:
        return self._options.max_cost is not None and possible.cost(self._options) > self._options.max_cost

    def _refuse_beyond_cap(self, possible: Usage) -> None:
        if self._is_beyond_cap(possible):
            done = self._done
            raise CostError(
                f"the next call could pass the cap of ${self._options.max_cost:g}: ${self.dollars:.4f} spent on "
                f"{done.calls} calls ({done.input_tokens} tokens in, {done.output_tokens} out). Answers are kept and cost "
                "nothing again: to go on, run the same again, or raise the cap (--max-cost, chat.max_cost)"
            )
