"""Excerpts: the parts of a text that gold or results touch, cut where one of them begins or ends."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from tasks.evaluate.scoring import Span, union

AROUND = 100
"""Characters that are shown before and after."""

LONGEST = {"plain": 2 * AROUND, "retrieved": 360, "found": 900, "missed": 900}
"""Most characters of a piece; the middle of a longer one is left out."""

Kind = Literal["plain", "found", "missed", "retrieved"]


class Piece(NamedTuple):
    """A piece of a text: gold that was found, gold that was missed, what was only retrieved, or neither.

    `ranks` are those of the results that begin here.
    """

    text: str
    kind: Kind
    ranks: tuple[int, ...]


def cut_excerpts(text: str, gold: Sequence[Span], results: Sequence[tuple[int, Span]]) -> list[list[Piece]]:
    """Return excerpts, each a list of pieces in order. Spans are half-open, in code points; what lies outside is cut off."""
    golden = [clipped for span in gold if (clipped := _clip(span, len(text)))]
    ranked = [(rank, clipped) for rank, span in results if (clipped := _clip(span, len(text)))]
    spans = [*golden, *(span for _, span in ranked)]
    windows = union((max(0, start - AROUND), min(len(text), end + AROUND)) for start, end in spans)
    borders = sorted({at for span in [*spans, *windows] for at in span})
    return [
        [
            _piece(text, (start, end), golden, ranked)
            for start, end in pairwise([at for at in borders if window[0] <= at <= window[1]])
        ]
        for window in windows
    ]


def _clip(span: Span, length: int) -> Span | None:
    start, end = max(0, span[0]), min(length, span[1])
    return (start, end) if start < end else None


def _piece(text: str, piece: Span, gold: Sequence[Span], ranked: Sequence[tuple[int, Span]]) -> Piece:
    start, end = piece
    is_gold = any(low <= start and end <= high for low, high in gold)
    is_found = any(low <= start and end <= high for _, (low, high) in ranked)
    kind: Kind = "found" if is_gold and is_found else "missed" if is_gold else "retrieved" if is_found else "plain"
    return Piece(_short(text[start:end], LONGEST[kind]), kind, tuple(sorted(rank for rank, span in ranked if span[0] == start)))


def _short(text: str, most: int) -> str:
    """Return a text without its middle if it is longer than `most`.

    >>> _short("abcdefgh", 6)
    'abcd […2 characters…] gh'
    """
    head = most * 2 // 3
    tail = most - head
    return text if len(text) <= most else f"{text[:head]} […{len(text) - most:,} characters…] {text[len(text) - tail :]}"
