"""Converts the words that OCR read in a picture into the words of a page."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from statistics import median
from typing import NamedTuple

from tasks.parse.layout.geometry import Box, centre, holds, scaled, union
from tasks.parse.layout.words import Word
from tasks.parse.scans.thresholds import SURE
from tasks.parse.scans.typefaces.sizes import UNSPACED, depth, nearest, runs_down, sizes_of, unlike

MIN_CONFIDENCE = 0.5
"""Smallest confidence of a word without letter or digit. Others are specks and rules."""
SPACE = 0.75
"""Largest width of a space that may be none, if it is not SURE, in heights of its words."""
AFTER, BEFORE = frozenset(".([{)]_/"), frozenset(").,;:]}([{_/")
"""Marks at the end of a word, and at the beginning of the next one, that stand without a space in names of programs."""
STOPS = ("\u3002", "\uff0c", "\u3001")
_LEADER = re.compile(r"(\.{3,}|\.{2,}[csoe]).*$")
_LIKE_DOTS = re.compile(r"[^\d()\[\]{}<>\"'\u2019\u201d\u00bb?!]*$")


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
    return _joined(words, _is_one_run)


def without_doubtful_spaces(words: Sequence[OcrWord]) -> list[OcrWord]:
    """Return words joined where the space between them is unsure and stands beside a mark, as in names of programs.

    Tesseract takes a space's confidence for that of the words on both sides if it is lower: both then have the same.
    """
    return _joined(words, _is_doubtful_space)


def _joined(words: Sequence[OcrWord], is_one: Callable[[Sequence[OcrWord], OcrWord], bool]) -> list[OcrWord]:
    """Return words, each joined with the last of those before it in its line where the two are one."""
    joined: list[OcrWord] = []
    for word in words:
        if joined and (joined[-1].paragraph, joined[-1].line) == (word.paragraph, word.line) and is_one(joined, word):
            joined[-1] = _run(joined[-1], word)
        else:
            joined.append(word)
    return joined


def _is_doubtful_space(found: Sequence[OcrWord], after: OcrWord) -> bool:
    before = found[-1]
    if before.confidence != after.confidence:
        return False
    height = max(before.box[3] - before.box[1], after.box[3] - after.box[1])
    is_space = after.box[0] - before.box[2] > SPACE * height or before.confidence > SURE
    end, first = before.text[-1], after.text[0]
    return not is_space and (first in BEFORE or (end in AFTER and not (end == "." and not first.islower())))


def _is_stop_first(joined: Sequence[OcrWord]) -> bool:
    """Return whether the last word is a stop at the beginning of its line."""
    *others, last = joined
    return last.text in STOPS and not (others and (others[-1].paragraph, others[-1].line) == (last.paragraph, last.line))


def _is_one_run(found: Sequence[OcrWord], after: OcrWord) -> bool:
    before = found[-1]
    if _is_stop_first(found):
        return False
    height = max(before.box[3] - before.box[1], after.box[3] - after.box[1])
    near = after.box[0] - before.box[2] <= height
    return near and bool(UNSPACED.match(before.text[-1])) and bool(UNSPACED.match(after.text[0]))


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
    sized = zip(lines.values(), sizes_of(list(lines.values())), strict=True)
    return _levelled([seen for n, (line, size) in enumerate(sized) for seen in _line(line, size, blocks[line[0].paragraph], n)])


def is_kept(word: OcrWord) -> bool:
    """Return whether a word has a letter or digit, or is a mark read surely."""
    return any(map(str.isalnum, word.text)) or word.confidence >= MIN_CONFIDENCE


def _line(words: Sequence[OcrWord], size: float, block: int, number: int) -> list[ScannedWord]:
    upright = not runs_down(words)
    base = median(word.box[3] - depth(word.text) * size for word in words) if upright else None
    return [
        ScannedWord(
            Word(word.box, without_leader(word.text), block, number, size, turn=0 if upright else 90),
            word.confidence,
            word.box[3] if base is None else base,
        )
        for word in words
    ]


def _levelled(words: list[ScannedWord]) -> list[ScannedWord]:
    """Give the words of nearly equal size the most frequent of their sizes, in half points."""
    counts: Counter[float] = Counter()
    for seen in words:
        counts[_half(seen.word.size)] += len(seen.word.text)
    chosen = unlike(counts)
    return [seen._replace(word=seen.word._replace(size=nearest(seen.word.size, chosen))) for seen in words]


def _half(size: float) -> float:
    return max(1.0, round(size * 2) / 2)


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
    return kept + [ScannedWord(word, 1.0, word.box[3] - depth(word.text) * word.size) for word in certain]


def _one_place(a: Box, b: Box) -> bool:
    return holds(a, centre(b)) or holds(b, centre(a))
