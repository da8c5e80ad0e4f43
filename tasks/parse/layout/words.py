"""Words of a page, and the rows of text that they form."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import NamedTuple

from tasks.parse.layout.geometry import Box, overlap, scaled, union
from tasks.parse.layout.prose import is_right_to_left
from tasks.parse.raised import subscript, superscript, with_fractions

WORD_SPACE, MONO_SPACE = 0.55, 0.75
"""Largest gap between two words of a line, in type sizes: in usual and in fixed-width type, whose space is 0.6."""

COLUMN_SPACE = 2.0
"""Smallest gap between columns of a table, in type sizes. Words of a sentence are nearer."""

RAISED, LOWERED, ON_LINE = "^", "_", "."
_ARROWS = re.compile("[\u2190-\u21ff\u22a2\u22a3\u2261]+")
"""Arrows, turnstiles and the sign of equal expressions: between code and what it returns, prints or is."""
NO_INK = -1
"""The ink of a word that is not painted."""


class Word(NamedTuple):
    """A run of characters without white space. `block` and `line` are its numbers in the PDF's own order.

    `turn` is its rotation to the left in degrees: 90 for a word written upwards. `math` says that its font is made for formulas.
    `shifts` tell which characters are raised or lowered, one of RAISED, LOWERED and ON_LINE each, "" if none is. `ink` is its
    colour as 0xRRGGBB, or NO_INK. `font` is the name of its font, "" where a scan does not tell. `base` is the height of the line
    that its letters stand on, where the PDF says so.
    """

    box: Box
    text: str
    block: int
    line: int
    size: float = 10.0
    mono: bool = False
    turn: int = 0
    bold: bool = False
    math: bool = False
    shifts: str = ""
    ink: int = 0
    font: str = ""
    base: float | None = None

    @property
    def upright(self) -> bool:
        """Return whether it is not rotated."""
        return not self.turn


class WordRow(NamedTuple):
    """Words beside each other, in reading order."""

    box: Box
    text: str
    size: float
    widest_gap: float = 0.0
    """The widest gap between two neighbouring words, in points."""
    bold: bool = False


def as_written(word: Word) -> Word:
    """Return a word whose text has raised and lowered characters as plain text has them, as in 10^6.

    Letters between others stay as they are: in names such as TeX they belong to the word, and so does the end of Mme.
    """
    if not word.shifts or len(word.shifts) != len(word.text):
        return word
    runs = [
        (shift, "".join(letter for letter, _ in run))
        for shift, run in groupby(zip(word.text, word.shifts, strict=True), itemgetter(1))
    ]
    written = ""
    for n, (shift, text) in enumerate(runs):
        stays = shift == ON_LINE or _stays(text, runs, n, word)
        written += text if stays else (superscript if shift == RAISED else subscript)(text, written)
    return word._replace(text=with_fractions(written), shifts="")


def _stays(text: str, runs: Sequence[tuple[str, str]], n: int, word: Word) -> bool:
    """Return whether a shifted part is no exponent, index or mark: letters of a name, or what follows a sign such as a root."""
    if n and unicodedata.category(runs[n - 1][1][-1]) == "Sm" and runs[n - 1][1][-1] != "|":
        return True
    if word.math or not text.isalpha() or not n:
        return False
    goes_on = n + 1 < len(runs) and runs[n + 1][1][0].isalpha()
    return goes_on or (runs[n][0] == RAISED and len(text) > 1 and text.islower() and runs[n - 1][1][-1].isalpha())


def word_space(word: Word) -> float:
    """Return the largest gap, in points, between a word and the next one of the same run."""
    return (MONO_SPACE if word.mono else WORD_SPACE) * word.size


def words_in(words: Iterable[Word], box: Box) -> list[Word]:
    """Return the words whose middle is in `box`."""
    left, top, right, bottom = scaled(box, 2)
    return [word for word in words if top <= (of := word[0])[1] + of[3] <= bottom and left <= of[0] + of[2] <= right]


def without_doubles(words: Sequence[Word]) -> list[Word]:
    """Return `words` without those printed twice at one place, as programs do to imitate bold type."""
    seen: dict[str, dict[tuple[int, int], list[Box]]] = {}
    kept = []
    for word in words:
        places = seen.setdefault(word.text, {})
        if not places or not _is_among(word.box, places):
            kept.append(word)
        places.setdefault((int(word.box[0]), int(word.box[1])), []).append(word.box)
    return kept


def _is_among(box: Box, places: Mapping[tuple[int, int], Sequence[Box]]) -> bool:
    """Return whether `box` is one of `places`, which are grouped by their corners in whole points."""
    x, y = int(box[0]), int(box[1])
    for a in (x - 1, x, x + 1):
        for b in (y - 1, y, y + 1):
            if (a, b) in places and any(_at_one_place(box, place) for place in places[a, b]):
                return True
    return False


def _at_one_place(a: Box, b: Box) -> bool:
    return abs(a[0] - b[0]) < 1 and abs(a[1] - b[1]) < 1 and abs(a[2] - b[2]) < 1 and abs(a[3] - b[3]) < 1


def by_line(words: Iterable[Word]) -> list[list[Word]]:
    """Return the words of each line that the PDF has, lines and words in the order of `words`."""
    lines: dict[int, list[Word]] = defaultdict(list)
    for word in words:
        lines[word.line].append(word)
    return list(lines.values())


def by_block(words: Iterable[Word]) -> list[list[Word]]:
    """Return the words of each block that the PDF has, blocks and words in the order of `words`."""
    blocks: dict[int, list[Word]] = defaultdict(list)
    for word in words:
        blocks[word.block].append(word)
    return list(blocks.values())


def rows_of(words: Iterable[Word]) -> list[WordRow]:
    """Return the rows of a region, top to bottom. Pieces of a line at one height form one row."""
    lines = by_line(words)
    pieces = [_row(line) for line in lines]
    if sum(len(line) for line in lines if not line[0].upright) * 2 > sum(map(len, lines)):
        return pieces
    return [_joined(row) for row in _at_one_height(pieces)]


def _row(words: Sequence[Word]) -> WordRow:
    if len(words) == 1:
        word = words[0]
        return WordRow(word.box, word.text, word.size, 0.0, word.bold)
    return WordRow(
        union(word.box for word in words),
        " ".join(word.text for word in words),
        _usual_size(words),
        _widest_gap([word.box for word in words]),
        all(word.bold for word in words),
    )


def are_mono(words: Sequence[Word]) -> bool:
    """Return whether words are in fixed-width type, but for arrows before results, which its fonts lack."""
    return any(word.mono for word in words) and all(map(_may_be_mono, words))


def _may_be_mono(word: Word) -> bool:
    return word.mono or bool(_ARROWS.fullmatch(word.text))


def _usual_size(words: Sequence[Word]) -> float:
    """Return the type size of most characters, which nearly always is that of all of them."""
    if all(word.size == words[0].size for word in words):
        return words[0].size
    sizes = [word.size for word in words for _ in word.text]
    return max(set(sizes), key=sizes.count)


def _widest_gap(boxes: Sequence[Box]) -> float:
    ordered = sorted(boxes)
    return max((after[0] - before[2] for before, after in pairwise(ordered)), default=0.0)


def _at_one_height(pieces: list[WordRow]) -> list[list[WordRow]]:
    rows: list[list[WordRow]] = []
    for piece in sorted(pieces, key=lambda piece: (piece.box[1] + piece.box[3], piece.box[0])):
        if rows and all(_beside(piece, other) for other in rows[-1]):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return rows


def _beside(a: WordRow, b: WordRow) -> bool:
    return overlap(a.box[1], a.box[3], b.box[1], b.box[3]) > 0.5 and overlap(a.box[0], a.box[2], b.box[0], b.box[2]) < 0.5


def _joined(pieces: list[WordRow]) -> WordRow:
    if len(pieces) == 1:
        return pieces[0]._replace(widest_gap=max(0.0, pieces[0].widest_gap))
    leftwards = is_right_to_left("".join(piece.text for piece in pieces))
    pieces = sorted(pieces, key=lambda piece: piece.box[0], reverse=leftwards)
    longest = max(pieces, key=lambda piece: len(piece.text))
    return WordRow(
        union(piece.box for piece in pieces),
        " ".join(piece.text for piece in pieces),
        longest.size,
        max(_widest_gap([piece.box for piece in pieces]), *(piece.widest_gap for piece in pieces)),
        all(piece.bold for piece in pieces),
    )
