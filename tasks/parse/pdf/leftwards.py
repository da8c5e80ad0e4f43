"""Lines with words from right to left: a PDF has their characters as they stand on the page, here they are put as they are read.

This reverses the bidirectional algorithm of Unicode (UAX 9) as far as the eye can: numbers and words of other scripts are read
from left to right among words that are not.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from tasks.parse.layout.geometry import union
from tasks.parse.layout.raw_page import RawChar, RawSpan, TextLine
from tasks.parse.pdf.leftward_order import Mark, ends_of, reading_order

LEFTWARD = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
"""A letter of a script that is written from right to left."""
SAME_LINE, SAME_BASE = 0.6, 0.35
"""Largest gap between two pieces of a line, and largest distance of their base lines, in type sizes."""
LEAST = 0.05
"""Least letters of a page from right to left, as a share of the others, for its lines to be read in their direction."""
RawLine = tuple[int, int, TextLine]
"""The number of its block, its own number, and a line of MuPDF's `rawdict`."""


class Piece(NamedTuple):
    """A line as MuPDF cuts it, with the box of its characters and their base line."""

    line: RawLine
    box: tuple[float, float, float, float]
    base: float
    size: float


def as_read(lines: Iterable[RawLine]) -> list[RawLine]:
    """Return the lines of a page, those with leftward letters in the order in which they are read, their pieces joined.

    Lines without such letters are read from right to left too where most of the page is, as far as their punctuation shows it.
    """
    lines = list(lines)
    leftwards = _is_leftward(lines)
    return [line for group in _joined(lines, leftwards) for line in _in_order(group, leftwards)]


def _is_leftward(lines: Sequence[RawLine]) -> bool:
    """Return whether a page is from right to left: most letters are, or some, and sentences end on the left."""
    counted = Counter(unicodedata.bidirectional(char) for line in lines for char in _text(line))
    right, left = counted["R"] + counted["AL"], counted["L"]
    if right > left or right < LEAST * left:
        return right > left
    chars = [sorted(_chars(line), key=lambda char: char["bbox"][0]) for line in lines]
    ends = [ends_of("".join(char["c"] for char in row).strip()) for row in chars]
    return sum(left for left, _ in ends) > sum(right for _, right in ends)


def _chars(line: RawLine) -> list[RawChar]:
    return [char for span in line[2]["spans"] for char in span["chars"]]


def _text(line: RawLine) -> str:
    return "".join(char["c"] for char in _chars(line))


def _joined(lines: Sequence[RawLine], leftwards: bool) -> list[list[RawLine]]:
    """Return the lines as groups, the pieces of one line together if it has leftward letters or the page is leftward."""
    groups: list[list[Piece]] = []
    others: list[list[RawLine]] = []
    for line in lines:
        piece = _piece(line)
        if piece is None:
            others.append([line])
            continue
        beside = [group for group in groups if any(_is_beside(piece, other) for other in group)]
        groups = [group for group in groups if group not in beside] + [[piece, *(other for group in beside for other in group)]]
    found = [part for group in groups for part in _kept([piece.line for piece in group], leftwards)]
    return sorted([*found, *others], key=lambda group: min(line[1] for line in group))


def _kept(group: list[RawLine], leftwards: bool) -> list[list[RawLine]]:
    together = leftwards or any(LEFTWARD.search(_text(line)) for line in group)
    return [group] if together else [[line] for line in group]


def _piece(line: RawLine) -> Piece | None:
    """Return an upright line of some characters, None for any other."""
    chars = _chars(line)
    if abs(line[2]["dir"][0] - 1) > 0.01 or not chars:
        return None
    return Piece(line, union(char["bbox"] for char in chars), chars[0]["origin"][1], line[2]["spans"][0]["size"])


def _is_beside(a: Piece, b: Piece) -> bool:
    size = max(a.size, b.size)
    gap = max(a.box[0], b.box[0]) - min(a.box[2], b.box[2])
    return abs(a.base - b.base) <= SAME_BASE * size and -SAME_LINE * size <= gap <= SAME_LINE * size


def _in_order(group: Sequence[RawLine], leftwards: bool) -> list[RawLine]:
    """Return one line of the pieces of a group, its characters as they are read, its spans cut as they are then.

    The pieces stay as they are if they are read from left to right.
    """
    block, number, line = min(group, key=lambda line: line[1])
    pairs = [(span, char) for _, _, piece in group for span in piece["spans"] for char in span["chars"]]
    marks = [Mark(char["c"], char["bbox"][0], char["bbox"][2], span["size"]) for span, char in pairs]
    order = reading_order(marks, leftwards)
    if order is None:
        return list(group)
    read: list[tuple[RawSpan, RawChar]] = [(pairs[n][0], {**pairs[n][1], "c": text}) for n, text in order]
    spans: list[RawSpan] = [{**run[0][0], "chars": [char for _, char in run]} for run in _runs(read)]
    return [(block, number, {**line, "spans": spans})]


def _runs(read: Sequence[tuple[RawSpan, RawChar]]) -> list[list[tuple[RawSpan, RawChar]]]:
    return [list(run) for _, run in groupby(read, key=lambda pair: id(pair[0]))]
