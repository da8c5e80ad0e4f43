"""Missed words: what is drawn in the rows of a page like words, and was not read. OCR passes over some cells of tables."""

from collections.abc import Sequence
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from tasks.parse.layout.geometry import Box, centre, grown, overlap, union
from tasks.parse.layout.pixels import Picture
from tasks.parse.scans.paper import ink_of
from tasks.parse.scans.thresholds import SURE
from tasks.parse.scans.words import OcrWord, is_kept

INK = 0.2
"""Darkness, from paper (0) to ink (1), from which a pixel is drawn: the dashes of some types are thinner than a pixel."""
CLOSE = 0.4
"""Largest gap between letters of a word that was missed, dashes of a sign, and a sign and its number, in heights of a word."""
LOWEST, HIGHEST = 0.45, 1.6
"""Heights of a missed word, by the height of the page's words."""
FLAT, DASH = 0.25, (0.25, 1.2)
"""Largest height of a dash, and its widths, by the height of the page's words."""
LONG = 0.6
"""A dash at least this wide, by the height of the page's words, is one between words: `\u2013`."""
BORDER = 0.15
"""Blurred edge of a word, in heights of the page's words."""
EDGE = 4
"""White pixels around what is read again."""
AMID = 0.3, 0.8
"""Where in the height of a word a dash may lie, from above."""
HYPHEN, EQUALS = "-", "="
SAME = 0.8
"""Smallest share of a dash that lies below the other one of a sign of two."""
SURE_ALONE = 0.9
"""Smallest confidence of a single character that is read after all: pieces of rules are read as 1 and L. Words must be SURE."""
MOST = 400
"""More unread marks than this are those of a picture."""


class Missed(NamedTuple):
    """Boxes, in pixels, of marks as large as words, and of dashes; both stand in rows with words that were read."""

    marks: list[Box]
    dashes: list[Box]


def missed_in(words: Sequence[OcrWord], picture: Picture) -> Missed:
    """Return what is drawn beside the words of their rows, not in the margins. `picture` is dark on light, without rules."""
    from scipy.ndimage import find_objects, label, maximum_filter1d, minimum_filter1d

    read = _read(words)
    if not read:
        return Missed([], [])
    high = _height(read)
    dark = ink_of(picture, INK)
    for word in words:
        if is_kept(word):
            x0, y0, x1, y1 = (max(0, round(edge)) for edge in grown(word.box, BORDER * high, BORDER * high))
            dark[y0:y1, x0:x1] = False
    width = max(3, round(CLOSE * high) | 1)
    near = maximum_filter1d(dark.view(np.uint8), width, axis=1, mode="constant")
    joined: Any = minimum_filter1d(near, width, axis=1, mode="constant")
    labelled, n = label(joined, np.ones((3, 3), dtype=int))
    found = find_objects(labelled) if n <= MOST else []
    left, right = min(word.box[0] for word in read), max(word.box[2] for word in read)
    drawn = [(float(x.start), float(y.start), float(x.stop), float(y.stop)) for y, x in found]
    boxes = [box for box in drawn if left <= box[0] and box[2] <= right]
    return Missed(
        [box for box in boxes if _is_mark(box, high) and beside(box, read)],
        [box for box in boxes if _is_dash(box, high) and any(_is_amid(box, word.box) for word in beside(box, read))],
    )


def only(picture: Picture, boxes: Sequence[Box]) -> Picture:
    """Return a picture with what is in these boxes, and white elsewhere."""
    shown = np.full_like(picture, 255)
    for x0, y0, x1, y1 in boxes:
        part = slice(max(0, int(y0) - EDGE), int(y1) + EDGE), slice(max(0, int(x0) - EDGE), int(x1) + EDGE)
        shown[part] = picture[part]
    return shown


def with_missed(words: Sequence[OcrWord], again: Sequence[OcrWord], dashes: Sequence[Box]) -> list[OcrWord]:
    """Return words with those that were read `again` surely, and dashes, each beside the nearest word of its row.

    A dash directly before a number is its sign.
    """
    found = list(words)
    read = _read(words)
    high = _height(read) if read else 0.0
    sure = [word for word in again if _is_sure(word)]
    drawn = [read[0]._replace(text=text, box=box, confidence=1.0) for text, box in _signs(dashes, high)] if read else []
    for word in [*sure, *drawn]:
        nearest = nearest_of(word.box, beside(word.box, found))
        if nearest and word.text == HYPHEN and _is_sign(word.box, nearest, high):
            at = next(n for n, other in enumerate(found) if other is nearest)
            found[at] = nearest._replace(text=HYPHEN + nearest.text, box=union((word.box, nearest.box)))
        elif nearest:
            place_beside(found, word, nearest)
    return found


def nearest_of(box: Box, row: Sequence[OcrWord]) -> OcrWord | None:
    """Return the word of a row that is nearest to a box, None of an empty one."""
    return min(row, key=lambda other: max(other.box[0] - box[2], box[0] - other.box[2]), default=None)


def place_beside(found: list[OcrWord], word: OcrWord, nearest: OcrWord) -> None:
    """Insert a word before or after the nearest one of its row, into the line of that."""
    at = next(n for n, other in enumerate(found) if other is nearest)
    after = word.box[2] > nearest.box[0]
    found.insert(at + after, word._replace(paragraph=nearest.paragraph, line=nearest.line))


def _is_sign(dash: Box, nearest: OcrWord, high: float) -> bool:
    return 0 <= nearest.box[0] - dash[2] <= CLOSE * high and nearest.text[:1].isdecimal()


def _is_sure(word: OcrWord) -> bool:
    return word.confidence >= (SURE if len(word.text) > 1 else SURE_ALONE) and any(map(str.isalnum, word.text))


def _read(words: Sequence[OcrWord]) -> list[OcrWord]:
    return [word for word in words if any(map(str.isalnum, word.text))]


def _height(read: Sequence[OcrWord]) -> float:
    return median(word.box[3] - word.box[1] for word in read)


def _signs(dashes: Sequence[Box], high: float) -> list[tuple[str, Box]]:
    """Return dashes with what they are: hyphens, dashes between words, or signs of two dashes below each other."""
    found: list[tuple[str, Box]] = []
    left = sorted(dashes, key=lambda box: box[1])
    while left:
        box = left.pop(0)
        other = next((other for other in left if _is_below(other, box, high)), None)
        if other:
            left.remove(other)
            found.append((EQUALS, union((box, other))))
        else:
            found.append(("\u2013" if box[2] - box[0] >= LONG * high else HYPHEN, box))
    return found


def _is_below(lower: Box, upper: Box, high: float) -> bool:
    return overlap(lower[0], lower[2], upper[0], upper[2]) > SAME and 0 <= lower[1] - upper[3] <= CLOSE * high


def _is_mark(box: Box, high: float) -> bool:
    return LOWEST * high <= box[3] - box[1] <= HIGHEST * high


def _is_dash(box: Box, high: float) -> bool:
    return box[3] - box[1] <= FLAT * high and DASH[0] * high <= box[2] - box[0] <= DASH[1] * high


def beside(box: Box, words: Sequence[OcrWord]) -> list[OcrWord]:
    """Return the words in whose height a box lies."""
    return [word for word in words if overlap(box[1], box[3], word.box[1], word.box[3]) > 0.5]


def _is_amid(box: Box, word: Box) -> bool:
    """Return whether a dash is in the middle of the height of a word, not under it."""
    return AMID[0] < (centre(box)[1] - word[1]) / max(word[3] - word[1], 1) < AMID[1]
