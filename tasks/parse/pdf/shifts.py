"""Shifts: which characters of a line stand above or below the line, told by where their spans stand and how large they are."""

from collections.abc import Sequence
from typing import Any

from tasks.parse.layout.raw_page import RawSpan
from tasks.parse.layout.words import LOWERED, ON_LINE, RAISED

SHIFTED = 0.08
"""Least distance from the line of what is raised or lowered, in sizes of the type on the line; TeX lowers by 0.15."""
CLEARLY = 0.2
"""Least distance of numbers that are not smaller than the type on the line: other text may be that of a fraction."""
FARTHEST = 0.9
SMALLEST, SMALLER, LARGEST = 0.45, 0.95, 1.01
"""Sizes of what is shifted, in sizes of the type on the line: smallest, that of clearly smaller type, and largest.

An initial over two lines has letters of 0.43 of its size beside it.
"""
MARK_SIZE = 0.86
"""Largest size of a whole word that is raised: words of a text layer dance."""
MARKS = frozenset("0123456789,-+\N{MINUS SIGN}\N{EN DASH}")
"""Characters of which a whole word that is raised consists: a mark of a footnote, or an exponent set apart."""

Piece = tuple[str, Any]
"""Characters of a word and the span that they belong to."""


def shifts_of(words: Sequence[Sequence[Piece]]) -> list[str]:
    """Return for each word of an upright line one of RAISED, LOWERED and ON_LINE a character, or "" if all are on the line.

    What is in one word is told by its largest type; whole words that are raised, by the word before them, or after the first one.
    Text without ink is the layer of a scan, which is not set with care.
    """
    if any(span["alpha"] == 0 for pieces in words for _, span in pieces):
        return [""] * len(words)
    if len({span["origin"][1] for pieces in words for _, span in pieces}) < 2:
        return [""] * len(words)
    found: list[str] = []
    bases = [max((span for _, span in pieces), key=lambda span: float(span["size"])) for pieces in words]
    level = bases[1] if len(bases) > 1 and _is_mark(words[0], bases[0], bases[1]) else bases[0]
    for pieces, base in zip(words, bases, strict=True):
        if not _is_mark(pieces, base, level):
            level = base
        shifts = "".join(_shift(text, span, level) * len(text) for text, span in pieces)
        found.append(shifts if shifts.strip(ON_LINE) else "")
    return found


def _is_mark(pieces: Sequence[Piece], base: RawSpan, level: RawSpan) -> bool:
    """Return whether all of a word is clearly raised beside `level`, and says no more than a mark or a number."""
    text = "".join(text for text, _ in pieces)
    small = base["size"] <= MARK_SIZE * level["size"] and MARKS.issuperset(text)
    return small and _height(base, level) >= CLEARLY and _shift(text, base, level) == RAISED


def _shift(text: str, span: RawSpan, base: RawSpan) -> str:
    size, usual, height = float(span["size"]), float(base["size"]), _height(span, base)
    if not SMALLEST * usual <= size <= LARGEST * usual or abs(height) > FARTHEST:
        return ON_LINE
    if size > SMALLER * usual and not (abs(height) >= CLEARLY and MARKS.issuperset(text)):
        return ON_LINE
    return RAISED if height >= SHIFTED else LOWERED if height <= -SHIFTED else ON_LINE


def _height(span: RawSpan, base: RawSpan) -> float:
    """Return how far the letters of a span stand above those of another, in sizes of its type."""
    return float(base["origin"][1] - span["origin"][1]) / float(base["size"] or 1)
