"""Letters: what their shapes and places tell where OCR guesses, as in the cells of a table, which no sentence explains."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Any

import numpy as np

from tasks.parse.layout.pixels import Picture
from tasks.parse.scans.missed import beside
from tasks.parse.scans.paper import Mask, ink_of
from tasks.parse.scans.thresholds import INK
from tasks.parse.scans.typefaces.sizes import TOP, X_HEIGHT, size_of
from tasks.parse.scans.words import OcrWord

ALIKE = frozenset("cosvwxz")
"""Letters whose capital is the same in shape."""
WIDEST = 1.2
"""Largest width of one letter by its height. Two letters side by side are wider."""

SPACED = 0.8
"""Smallest gap inside a word that is a space, by the usual one of its line."""
WIDER = 3.0
"""Smallest ratio of a space inside a word to the usual gap between its letters, from which type that is set wide is told."""
APART = 0.6
"""Smallest number of runs of ink in a word whose first letter stands alone, by its letters: of others, the first may be two."""
FIGURES = frozenset("0123456789+-%()$\u20ac\u00a3\u2013")
"""Characters of numbers without their stops."""
STOPS = frozenset(".,")
LOW, LOWEST = 0.5, 0.12
"""Largest and smallest height of a stop, by the height of figures: specks are smaller. So far above the base line it may end."""
SLENDER = 1.4
"""Largest height of a point by its width."""


def with_spaces(words: Sequence[OcrWord], picture: Picture) -> list[OcrWord]:
    """Return words parted where the picture has a space as wide as those of their line.

    `picture` is dark on light. Which letters stand on either side is known if all letters stand apart, or if the first is alone.
    """
    dark, spaces = ink_of(picture, INK), _spaces(words)
    return [part for word in words for part in _parts(word, dark, spaces.get((word.paragraph, word.line)))]


def _spaces(words: Sequence[OcrWord]) -> dict[tuple[object, ...], float]:
    """Return the usual space between the words of each line that has some, in pixels."""
    gaps: dict[Any, list[float]] = defaultdict(list)
    for before, after in pairwise(words):
        if (before.paragraph, before.line) == (after.paragraph, after.line) and after.box[0] > before.box[2]:
            gaps[after.paragraph, after.line].append(after.box[0] - before.box[2])
    return {line: median(found) for line, found in gaps.items()}


def _parts(word: OcrWord, dark: Mask, space: float | None) -> Iterator[OcrWord]:
    x0, y0, x1, y1 = (max(0, round(edge)) for edge in word.box)
    if space is None or len(word.text) < 2 or x1 - x0 < y1 - y0 or not word.text.isascii():
        yield word
        return
    runs = _runs(dark[y0:y1, x0:x1], x0)
    gaps = [after[0] - before[1] for before, after in pairwise(runs)]
    usual = max(space, WIDER * median(gaps) / SPACED) if gaps else space
    start, left = 0, word.box[0]
    for n, gap in enumerate(gaps, start=1):
        at = _letters_before(n, len(runs), len(word.text))
        if at is None or at <= start or not _is_space(gap, usual, word.text[at - 1 : at + 1]):
            continue
        yield word._replace(text=word.text[start:at], box=(left, word.box[1], float(runs[n - 1][1]), word.box[3]))
        start, left = at, float(runs[n][0])
    yield word._replace(text=word.text[start:], box=(left, *word.box[1:]))


def _runs(part: Mask, left: int) -> list[tuple[int, int]]:
    """Return where each run of columns with ink begins and ends; the part of the picture begins at `left`."""
    steps = np.diff(np.pad(part.any(axis=0).astype(np.int8), 1))
    return list(zip((left + np.flatnonzero(steps == 1)).tolist(), (left + np.flatnonzero(steps == -1)).tolist(), strict=True))


def _letters_before(n: int, n_runs: int, length: int) -> int | None:
    """Return how many letters are before a gap with `n` runs of ink before it; None if that is unknown."""
    return n if n_runs == length or (n == 1 and n_runs >= APART * length) else None


def _is_space(gap: float, space: float, beside: str) -> bool:
    return beside.isalnum() and gap >= SPACED * space


def with_cases(words: Sequence[OcrWord]) -> list[OcrWord]:
    """Return words with such letters in the case that their height shows, by the type size of the words in their rows.

    One that was read twice, in both cases, as `Xx`, is one.
    """
    return [word if not _is_alike(word) else word._replace(text=_cased(word, words)) for word in words]


def _is_alike(word: OcrWord) -> bool:
    letters = set(word.text.lower())
    wide, high = word.box[2] - word.box[0], word.box[3] - word.box[1]
    once = len(word.text) == 1 or (len(word.text) == 2 and word.text[0] != word.text[1] and wide <= WIDEST * high)
    return len(letters) == 1 and letters <= ALIKE and once


def _cased(word: OcrWord, words: Sequence[OcrWord]) -> str:
    row = [size_of(other) for other in beside(word.box, words) if len(other.text) > 1 and not _is_alike(other)]
    if not row:
        return word.text if len(word.text) == 1 else word.text[0]
    capital = word.box[3] - word.box[1] > (TOP + X_HEIGHT) / 2 * median(row)
    return word.text[0].upper() if capital else word.text[0].lower()


def with_stops(words: Sequence[OcrWord], picture: Picture) -> list[OcrWord]:
    """Return words with the points and commas that the picture, dark on light, shows in numbers and OCR passed over.

    Where figures touch, so that not each has ink of its own, the number stays as it is.
    """
    dark = ink_of(picture, INK)
    return [word._replace(text=_stopped(word, dark)) if _is_number(word.text) else word for word in words]


def _is_number(text: str) -> bool:
    return sum(map(str.isdecimal, text)) > 1 and all(c in FIGURES or c in STOPS for c in text)


def _stopped(word: OcrWord, dark: Mask) -> str:
    """Return the text of a number with the stops that are drawn between its figures."""
    x0, y0, x1, y1 = (max(0, round(edge)) for edge in word.box)
    runs = _runs(dark[y0:y1, x0:x1], x0)
    rows = [np.flatnonzero(dark[y0:y1, a:b].any(axis=1)) for a, b in runs]
    high = max((int(np.ptp(drawn)) + 1 for drawn in rows), default=0)
    base = median([int(drawn[-1]) for drawn in rows if np.ptp(drawn) >= LOW * high] or [0])
    signs = [_stop(b - a, int(drawn[0]), int(drawn[-1]), high, base) for (a, b), drawn in zip(runs, rows, strict=True)]
    letters = iter(word.text)
    text, following = "", next(letters, "")
    for before, sign, after in zip(["", *signs], signs, [*signs[1:], ""], strict=False):
        if not sign or following in STOPS:
            text, following = text + following, next(letters, "")
        elif text[-1:].isdecimal() and following.isdecimal() and not before and not after:
            text += sign
    return text if not following and not any(letters) else word.text


def _stop(wide: int, top: int, bottom: int, high: int, base: float) -> str:
    """Return the stop that reaches from row `top` to `bottom`, given the height of figures and their base line, else nothing."""
    if not LOWEST * high <= bottom - top + 1 <= LOW * high or bottom < base - LOWEST * high:
        return ""
    return "," if bottom - top + 1 > SLENDER * wide else "."
