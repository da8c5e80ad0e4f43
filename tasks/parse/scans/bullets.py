"""Bullets: the dots and squares before the items of lists, which OCR takes for letters or marks, or passes over."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from tasks.parse.layout.geometry import Box, centre, holds
from tasks.parse.layout.pixels import Picture
from tasks.parse.scans.paper import Mask, ink_of
from tasks.parse.scans.words import OcrWord

BULLET = "\u2022"
SOLID = 0.65
"""Smallest share of its box that a bullet fills: a disc fills 0.79, a square all; letters and rings half."""
RING = 0.2
"""The same of a ring."""
SMALLEST, LARGEST = 0.2, 0.6
"""Height of a bullet, by that of the word after it: small letters are as high as 0.6 of a word with descenders, and more. Its
middle is at least the smallest height from the top and the bottom of the word: full stops are lower, quotation marks higher."""
ROUND = 1.4
"""Largest ratio of the sides of a bullet."""
FAR = 2.5
"""Largest distance of a bullet from its text, in heights of that word; the least is SMALLEST."""

RINGS = ("\u3002", "\u00b0")
"""Readings of a ring, which begin no line: a ring before a line that is read as one of these is a bullet, as a solid dot is."""

Line = list[OcrWord]


def with_bullets(words: Sequence[OcrWord], picture: Picture) -> list[OcrWord]:
    """Return words with the bullets before them, whatever OCR took these for.

    `picture` is dark on light, and the boxes of the words are in its pixels.
    """
    dark = ink_of(picture)
    lines: dict[Any, Line] = defaultdict(list)
    for word in words:
        lines[word.paragraph, word.line].append(word)
    return [word for line in lines.values() for word in _begun(line, words, dark)]


def _begun(line: Line, words: Sequence[OcrWord], dark: Mask) -> Line:
    """Return a line with its bullet, if it has one."""
    first, rest = line[0], line[1:]
    if rest and len(first.text) < 3 and not first.text.isdecimal():
        found = _bullet(first.box, rest, dark, RING if first.text in RINGS else SOLID)
        if found:
            return [first._replace(text=BULLET, box=found, confidence=1.0), *rest]
    top, bottom = _span(line)
    left = max(0.0, first.box[0] - FAR * (bottom - top))
    beside = left, top, first.box[0] - 1, bottom
    if any(word.box[2] > left and holds((0, top, first.box[0], bottom), centre(word.box)) for word in words):
        return line
    found = _bullet(beside, line, dark)
    return [first._replace(text=BULLET, box=found, confidence=1.0), *line] if found else line


def _span(line: Line) -> tuple[float, float]:
    """Return where the tallest word of a line begins and ends in height."""
    tallest = max(line, key=lambda word: word.box[3] - word.box[1]).box
    return tallest[1], tallest[3]


def _bullet(box: Box, text: Line, dark: Mask, fill: float = SOLID) -> Box | None:
    """Return the box of what is drawn in `box`, if that is a bullet before a line of `text` that fills this share; else None."""
    top, bottom = _span(text[:1])
    height = bottom - top
    x0, y0, x1, y1 = (max(0, int(edge)) for edge in box)
    rows, columns = np.nonzero(dark[y0 : y1 + 1, x0 : x1 + 1])
    if not len(rows):
        return None
    wide, high = int(np.ptp(columns)) + 1, int(np.ptp(rows)) + 1
    found = x0 + float(columns.min()), y0 + float(rows.min()), x0 + float(columns.max()) + 1, y0 + float(rows.max()) + 1
    middle = (centre(found)[1] - top) / height
    fits = SMALLEST * height <= high <= LARGEST * height and max(wide, high) <= ROUND * min(wide, high)
    apart = SMALLEST * height <= text[0].box[0] - found[2] <= FAR * height
    return found if fits and apart and SMALLEST < middle < 1 - SMALLEST and len(rows) >= fill * wide * high else None
