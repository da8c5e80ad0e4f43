"""Cases: single letters that are alike in both cases, as in the cells of a table, which OCR knows by their neighbours only."""

from collections.abc import Sequence
from statistics import median

from tasks.parse.scans.missed import beside
from tasks.parse.scans.words import TOP, X_HEIGHT, OcrWord, size_of

ALIKE = frozenset("cosvwxz")
"""Letters whose capital is the same in shape."""
WIDEST = 1.2
"""Largest width of one letter by its height. Two letters side by side are wider."""


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
