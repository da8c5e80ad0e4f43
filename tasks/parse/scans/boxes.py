"""Boxes of words: trims what OCR puts around words, such as the height of their whole line, to what is drawn there."""

from collections.abc import Sequence

import numpy as np

from tasks.parse.layout.geometry import Box, overlap
from tasks.parse.layout.pixels import Picture
from tasks.parse.scans.paper import Mask, ink_of
from tasks.parse.scans.thresholds import INK
from tasks.parse.scans.words import OcrWord

LETTER = 1.0
"""Largest width of what a box cuts off of a letter, by the height of its word."""


def trimmed(words: Sequence[OcrWord], picture: Picture) -> list[OcrWord]:
    """Return words with their boxes around what is drawn: without empty rows and columns at the sides, with the letters they cut.

    `picture` is dark on light, without rules. Sizes, base lines and the gaps between words are measured by boxes.
    """
    dark = ink_of(picture, INK)
    return _whole([_trimmed(word, dark) for word in words], dark)


def _trimmed(word: OcrWord, dark: Mask) -> OcrWord:
    x0, y0, x1, y1 = (max(0, round(edge)) for edge in word.box)
    part = dark[y0:y1, x0:x1]
    rows, columns = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
    if not len(rows):
        return word
    left, top = float(x0 + columns[0]), float(y0 + rows[0])
    return word._replace(box=(left, top, float(x0 + columns[-1] + 1), float(y0 + rows[-1] + 1)))


def _whole(words: Sequence[OcrWord], dark: Mask) -> list[OcrWord]:
    """Return words whose boxes reach to the end of the letters at their sides, unless there is another word."""
    found = []
    for word in words:
        left, top, right, bottom = word.box
        start, end = left - _rest(word.box, dark, -1), right + _rest(word.box, dark, 1)
        if start < left and _is_free((start, top, left, bottom), word, words):
            left = start
        if end > right and _is_free((right, top, end, bottom), word, words):
            right = end
        found.append(word._replace(box=(left, top, right, bottom)))
    return found


def _rest(box: Box, dark: Mask, way: int) -> float:
    """Return how wide the rest of a letter is that a box cuts on its right (`way` 1) or left (-1) side; 0 if it cuts none."""
    x0, y0, x1, y1 = (max(0, round(edge)) for edge in box)
    reach = round(LETTER * (y1 - y0)) + 1
    part = dark[y0:y1, x1 - 1 : x1 + reach] if way > 0 else dark[y0:y1, max(0, x0 - reach) : x0 + 1][:, ::-1]
    empty = np.flatnonzero(~np.asarray(part.any(axis=0), dtype=bool))
    return float(empty[0] - 1) if len(empty) and empty[0] > 1 else 0.0


def _is_free(place: Box, word: OcrWord, words: Sequence[OcrWord]) -> bool:
    """Return whether no other word is in a place beside a word."""
    x0, y0, x1, y1 = place
    beside = (other.box for other in words if other is not word and overlap(y0, y1, other.box[1], other.box[3]) > 0)
    return all(box[2] <= x0 or x1 <= box[0] for box in beside)
