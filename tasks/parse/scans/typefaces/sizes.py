"""Type sizes of scanned words, from the heights of their letters."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from statistics import median, median_low
from typing import TYPE_CHECKING

from tasks.parse.layout.geometry import union

if TYPE_CHECKING:
    from tasks.parse.scans.words import OcrWord

_SMALL = (
    r"acegm-su-z"
    r"\u0430\u0432-\u0438\u043a-\u0443\u0445-\u044f\u03b1\u03b3\u03b5\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf-\u03c5\u03c7-\u03c9"
)
"""Latin, Cyrillic and Greek letters without ascender."""
_HIGH = re.compile(rf"[^\W_{_SMALL}]|[()\[\]{{}}/|&%$#@!?'\"]")
_LOW = re.compile(r"[gjpqyQ()\[\]{}|@\u0440\u0443\u0444\u03b2\u03b3\u03b6\u03b7\u03bc\u03be\u03c1\u03c2\u03c6-\u03c8]")
_TAILED = re.compile(r"[дцщДЦЩ,;$/_]")
_JOINED = re.compile("[\u0600-\u08ff\ufb50-\ufdff\ufe70-\ufefc]")
TOP, X_HEIGHT, DEPTH = 0.72, 0.52, 0.21
"""Heights of capitals and of small letters above the base line, and depth of descenders below it, in type sizes."""
ACCENTED = 0.88
"""Height of a capital letter with a mark above it, in type sizes."""
TAIL = 0.12
"""Depth of the tails of Cyrillic letters, commas, dollars and underscores, in type sizes; of a slash the mean, for in
some types it has none."""
NARROW = 0.5
"""Width of characters beside Chinese and Japanese ones, in type sizes: these are as wide as high, but Tesseract adds space."""
SAME_SIZE = 0.12
"""Type sizes measured in pixels whose relative difference is smaller are the same."""
UNSPACED = re.compile(r"[\u3000-\u30ff\u31f0-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff60\U00020000-\U0003ffff]")
ABOVE = 230
"""Unicode's class of marks above a letter."""


def sizes_of(lines: "Sequence[Sequence[OcrWord]]") -> list[float]:
    """Return the type size of each line; in Arabic letters that of its paragraph, for their heights differ more than by size."""
    sizes = [_size_of_line(line) for line in lines]
    paragraphs: dict[tuple[int, int], list[float]] = defaultdict(list)
    for line, size in zip(lines, sizes, strict=True):
        if _has_joined(line):
            paragraphs[line[0].paragraph].append(size)
    return [median(paragraphs[line[0].paragraph]) if _has_joined(line) else size for line, size in zip(lines, sizes, strict=True)]


def _has_joined(line: "Sequence[OcrWord]") -> bool:
    """Return whether a line has words in Arabic letters, which are joined."""
    return any(is_joined(word.text) for word in line)


def is_joined(text: str) -> bool:
    """Return whether a word has Arabic letters, which are joined."""
    return bool(_JOINED.search(text))


def _size_of_line(words: "Sequence[OcrWord]") -> float:
    """Return the type size of a line, from its letters and digits.

    Of two words the smaller one counts: boxes reach too far up or down, seldom less. Widths of squares err both ways.
    """
    if runs_down(words):
        return median(word.box[2] - word.box[0] for word in words)
    if _has_joined(words):
        _, top, _, bottom = union(word.box for word in words)
        return (bottom - top) / (TOP + DEPTH)
    telling = [word for word in words if any(map(str.isalnum, word.text))] or words
    squares = any(UNSPACED.search(word.text) for word in words)
    return (median if squares else median_low)(map(size_of, telling))


def size_of(word: "OcrWord") -> float:
    """Return the type size from the height of a word's letters; from the width of several that are as wide as high."""
    n_square = len(UNSPACED.findall(word.text))
    if n_square > 1:
        return (word.box[2] - word.box[0]) / (n_square + (len(word.text) - n_square) * NARROW)
    top = ACCENTED if _has_accented_capital(word.text) else TOP if _HIGH.search(word.text) else X_HEIGHT
    return (word.box[3] - word.box[1]) / (top + depth(word.text))


def _has_accented_capital(text: str) -> bool:
    """Return whether a mark is above one of a word's capitals, as in Й or É."""
    return not text.isascii() and any(
        letter.isupper() and unicodedata.combining(unicodedata.normalize("NFD", letter)[-1]) == ABOVE for letter in text
    )


def depth(text: str) -> float:
    """Return how far the letters of a word reach below the base line, in type sizes."""
    return DEPTH if _LOW.search(text) else TAIL if _TAILED.search(text) else 0.0


def unlike(counts: Counter[float], same: float = SAME_SIZE) -> list[float]:
    """Return the most frequent of each group of sizes that measure the same, the most frequent first."""
    chosen: list[float] = []
    for size, _ in counts.most_common():
        if not any(abs(size - other) <= same * other for other in chosen):
            chosen.append(size)
    return chosen


def nearest(size: float, sizes: Sequence[float]) -> float:
    """Return the one of `sizes` that differs least from `size`."""
    return min(sizes, key=lambda other: abs(other - size))


def runs_down(words: "Iterable[OcrWord]") -> bool:
    """Return whether most letters are in words that are taller than wide."""
    votes: Counter[bool] = Counter()
    for word in words:
        if len(word.text) > 2:
            votes[word.box[3] - word.box[1] > word.box[2] - word.box[0]] += len(word.text)
    return votes[True] > votes[False]
