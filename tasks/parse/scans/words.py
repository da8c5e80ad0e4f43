"""Converts the words that OCR read in a picture into the words of a page."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from statistics import median
from typing import NamedTuple

from tasks.parse.layout.geometry import Box, centre, holds, scaled, union
from tasks.parse.layout.words import Word

_SMALL = (
    r"acegm-su-z"
    r"\u0430\u0432-\u0438\u043a-\u0443\u0445-\u044f\u03b1\u03b3\u03b5\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf-\u03c5\u03c7-\u03c9"
)
"""Latin, Cyrillic and Greek letters without ascender."""
_HIGH = re.compile(rf"[^\W_{_SMALL}]|[()\[\]{{}}/|&%$#@!?'\"]")
_LOW = re.compile(r"[gjpqyQ()\[\]{}|@\u0440\u0443\u0444\u03b2\u03b3\u03b6\u03b7\u03bc\u03be\u03c1\u03c2\u03c6-\u03c8]")
_TAILED = re.compile(r"[дцщДЦЩ,;$/]")
_JOINED = re.compile("[\u0600-\u08ff\ufb50-\ufdff\ufe70-\ufefc]")
TOP, X_HEIGHT, DEPTH = 0.72, 0.52, 0.21
"""Heights of capitals and of small letters above the base line, and depth of descenders below it, in type sizes."""
ACCENTED = 0.88
"""Height of a capital letter with a mark above it, in type sizes."""
TAIL = 0.12
"""Depth of the tails of Cyrillic letters, commas and dollars, in type sizes; of a slash the mean of types where it has none."""
SQUARE, NARROW = 1.0, 0.5
"""Widths of Chinese and Japanese characters, to whose heights Tesseract adds space, and of others beside them, in type sizes."""
SAME_SIZE = 0.12
"""Type sizes measured in pixels whose relative difference is smaller are the same."""
MIN_CONFIDENCE = 0.5
"""Smallest confidence of a word without letter or digit. Others are specks and rules."""
MAX_GAP = 1.0
"""Widest gap inside a run of Chinese or Japanese characters, in heights of a character."""
_UNSPACED = re.compile(r"[\u3000-\u30ff\u31f0-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff60\U00020000-\U0003ffff]")
STOPS = ("\u3002", "\uff0c", "\u3001")
_LEADER = re.compile(r"(\.{3,}|\.{2,}[csoe]).*$")
_LIKE_DOTS = re.compile(r"[^\d()\[\]{}<>\"'\u2019\u201d\u00bb?!]*$")


ABOVE = 230
"""Unicode's class of marks above a letter."""


class OcrWord(NamedTuple):
    """A word as OCR read it: its box in pixels, its confidence in [0, 1], and its paragraph and line."""

    text: str
    box: Box
    confidence: float
    paragraph: tuple[int, int]
    line: int


def with_joined_characters(words: Sequence[OcrWord]) -> list[OcrWord]:
    """Return words with those joined that Chinese and Japanese write without a space, for Tesseract takes each for a word.

    A wide gap, as between the columns of a table, stays one. A full stop or comma that begins a line is a bullet.
    """
    joined: list[OcrWord] = []
    for word in words:
        if joined and not _is_stop_first(joined) and _is_one_run(joined[-1], word):
            joined[-1] = _run(joined[-1], word)
        else:
            joined.append(word)
    return joined


def _is_stop_first(joined: Sequence[OcrWord]) -> bool:
    """Tell whether the last word is a stop at the beginning of its line."""
    *others, last = joined
    return last.text in STOPS and not (others and (others[-1].paragraph, others[-1].line) == (last.paragraph, last.line))


def _is_one_run(before: OcrWord, after: OcrWord) -> bool:
    if (before.paragraph, before.line) != (after.paragraph, after.line):
        return False
    height = max(before.box[3] - before.box[1], after.box[3] - after.box[1])
    near = after.box[0] - before.box[2] <= MAX_GAP * height
    return near and bool(_UNSPACED.match(before.text[-1])) and bool(_UNSPACED.match(after.text[0]))


def _run(before: OcrWord, after: OcrWord) -> OcrWord:
    n, m = len(before.text), len(after.text)
    confidence = (before.confidence * n + after.confidence * m) / (n + m)
    return before._replace(text=before.text + after.text, box=union((before.box, after.box)), confidence=confidence)


class ScannedWord(NamedTuple):
    """A word on the page, with its confidence and the y of its base line."""

    word: Word
    confidence: float
    base: float


def scanned_words(found: Iterable[OcrWord], points: float) -> list[ScannedWord]:
    """Return the words of a page, in OCR's order; a pixel is `points` wide. Type sizes come from the heights of letters."""
    lines: dict[tuple[tuple[int, int], int], list[OcrWord]] = defaultdict(list)
    for word in found:
        if is_kept(word):
            lines[word.paragraph, word.line].append(word._replace(box=scaled(word.box, points)))
    blocks = {paragraph: n for n, paragraph in enumerate(dict.fromkeys(paragraph for paragraph, _ in lines))}
    sized = zip(lines.values(), _sizes(list(lines.values())), strict=True)
    return _levelled([seen for n, (line, size) in enumerate(sized) for seen in _line(line, size, blocks[line[0].paragraph], n)])


def is_kept(word: OcrWord) -> bool:
    """Tell whether a word has a letter or digit, or is a mark read surely."""
    return any(map(str.isalnum, word.text)) or word.confidence >= MIN_CONFIDENCE


def _sizes(lines: Sequence[Sequence[OcrWord]]) -> list[float]:
    """Return the type size of each line; in Arabic letters that of its paragraph, for their heights differ more than by size."""
    sizes = [_size_of_line(line) for line in lines]
    paragraphs: dict[tuple[int, int], list[float]] = defaultdict(list)
    for line, size in zip(lines, sizes, strict=True):
        if _has_joined(line):
            paragraphs[line[0].paragraph].append(size)
    return [median(paragraphs[line[0].paragraph]) if _has_joined(line) else size for line, size in zip(lines, sizes, strict=True)]


def _has_joined(line: Sequence[OcrWord]) -> bool:
    """Tell whether a line has words in Arabic letters, which are joined."""
    return any(is_joined(word.text) for word in line)


def is_joined(text: str) -> bool:
    """Tell whether a word has Arabic letters, which are joined."""
    return bool(_JOINED.search(text))


def _size_of_line(words: Sequence[OcrWord]) -> float:
    upright = not _runs_down(words)
    if upright and _has_joined(words):
        _, top, _, bottom = union(word.box for word in words)
        return (bottom - top) / (TOP + DEPTH)
    return median(size_of(word) if upright else word.box[2] - word.box[0] for word in words)


def _line(words: Sequence[OcrWord], size: float, block: int, number: int) -> list[ScannedWord]:
    upright = not _runs_down(words)
    base = median(word.box[3] - _depth(word.text) * size for word in words) if upright else None
    return [
        ScannedWord(
            Word(word.box, without_leader(word.text), block, number, size, turn=0 if upright else 90),
            word.confidence,
            word.box[3] if base is None else base,
        )
        for word in words
    ]


def _runs_down(words: Iterable[OcrWord]) -> bool:
    """Tell whether most letters are in words that are taller than wide."""
    votes: Counter[bool] = Counter()
    for word in words:
        if len(word.text) > 2:
            votes[word.box[3] - word.box[1] > word.box[2] - word.box[0]] += len(word.text)
    return votes[True] > votes[False]


def lies_on_its_side(words: Sequence[OcrWord]) -> bool:
    """Tell whether the page's text is vertical."""
    return _runs_down(words)


def size_of(word: OcrWord) -> float:
    """Return the type size from the height of a word's letters; from the width of several that are as wide as high."""
    n_square = len(_UNSPACED.findall(word.text))
    if n_square > 1:
        return (word.box[2] - word.box[0]) / (n_square * SQUARE + (len(word.text) - n_square) * NARROW)
    top = ACCENTED if _has_accented_capital(word.text) else TOP if _HIGH.search(word.text) else X_HEIGHT
    return (word.box[3] - word.box[1]) / (top + _depth(word.text))


def _has_accented_capital(text: str) -> bool:
    """Tell whether a mark is above one of a word's capitals, as in Й or É."""
    return not text.isascii() and any(
        letter.isupper() and unicodedata.combining(unicodedata.normalize("NFD", letter)[-1]) == ABOVE for letter in text
    )


def _depth(text: str) -> float:
    return DEPTH if _LOW.search(text) else TAIL if _TAILED.search(text) else 0.0


def _levelled(words: list[ScannedWord]) -> list[ScannedWord]:
    """Give the words of nearly equal size the most frequent of their sizes, in half points."""
    counts: Counter[float] = Counter()
    for seen in words:
        counts[_half(seen.word.size)] += len(seen.word.text)
    chosen = unlike(counts)
    return [seen._replace(word=seen.word._replace(size=nearest(seen.word.size, chosen))) for seen in words]


def unlike(counts: Counter[float]) -> list[float]:
    """Return the most frequent of each group of sizes that measure the same."""
    chosen: list[float] = []
    for size, _ in counts.most_common():
        if not any(abs(size - other) <= SAME_SIZE * other for other in chosen):
            chosen.append(size)
    return chosen


def _half(size: float) -> float:
    return max(1.0, round(size * 2) / 2)


def nearest(size: float, sizes: Sequence[float]) -> float:
    """Return the one of `sizes` that differs least from `size`."""
    return min(sizes, key=lambda other: abs(other - size))


def without_leader(text: str) -> str:
    """Return a word with its leader dots restored, because OCR may take small dots for letters.

    >>> without_leader("Index.......csscsssee"), without_leader("and..."), without_leader("a...12"), without_leader("[file...]")
    ('Index.......', 'and...', 'a...12', '[file...]')
    """
    leader = _LEADER.search(text)
    if not leader or not _LIKE_DOTS.match(leader[0]) or not leader[0].strip("."):
        return text
    return text[: leader.start()] + "......."


def strength(words: Iterable[OcrWord]) -> float:
    """Return how many letters and digits OCR read, weighted by confidence."""
    return sum(word.confidence * sum(map(str.isalnum, word.text)) for word in words)


def mean_confidence(words: Sequence[OcrWord]) -> float:
    """Return the mean confidence of a letter or digit; 0 if there is none."""
    letters = sum(sum(map(str.isalnum, word.text)) for word in words)
    return strength(words) / letters if letters else 0.0


def beside(found: Sequence[ScannedWord], layer: Sequence[Word]) -> list[ScannedWord]:
    """Return the words of a page's text layer, which are certain, and the words that OCR found elsewhere on the page."""
    n_lines = 1 + max((seen.word.line for seen in found), default=0)
    n_blocks = 1 + max((seen.word.block for seen in found), default=0)
    kept = [seen for seen in found if not any(_one_place(seen.word.box, word.box) for word in layer)]
    certain = [word._replace(line=word.line + n_lines, block=word.block + n_blocks) for word in layer]
    return kept + [ScannedWord(word, 1.0, word.box[3] - _depth(word.text) * word.size) for word in certain]


def _one_place(a: Box, b: Box) -> bool:
    return holds(a, centre(b)) or holds(b, centre(a))
