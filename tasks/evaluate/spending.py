"""Spending: the tokens of calls to a language model, and their cost in dollars."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

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

    def plus(self, other: "Usage") -> Self:
        """Return the sum of both."""
        return type(self)(*(one + two for one, two in zip(self, other, strict=True)))

    def cost(self, options: ChatOptions) -> float:
        """Return what it costs, in dollars."""
        return (self.input_tokens * options.input_price + self.output_tokens * options.output_price) / MILLION


class ChatCosts(Frozen):
    """Calls to a language model in one run: their number, tokens and dollars; `kept` answers cost nothing."""

    calls: int = 0
    kept: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    dollars: float = 0.0

    def __str__(self) -> str:
        """Return it in words."""
        tokens = f"{self.input_tokens} tokens in, {self.output_tokens} out"
        return f"{self.calls} calls ({tokens}) for ${self.dollars:.4f}; {self.kept} answers were kept from before"


def upper_bound(messages: Sequence[Mapping[str, str]], schema: dict[str, Any] | None, max_tokens: int) -> Usage:
    """Return the most that a call can use: no token is shorter than a byte of UTF-8."""
    told = sum(len(message["content"].encode()) + TOKENS_PER_MESSAGE for message in messages)
    return Usage(1, told + (len(json.dumps(schema)) if schema else 0), max_tokens)


def read_usage(response: bytes, most: Usage) -> Usage:
    """Return the usage that an answered call reports; what it does not report counts with the most possible."""
    try:
        usage = json.loads(response)["usage"]
        counts = [usage[name] for name in ("prompt_tokens", "completion_tokens")]
    except (ValueError, KeyError, TypeError):
        return most
    return Usage(1, *counts) if all(isinstance(count, int) and count >= 0 for count in counts) else most
