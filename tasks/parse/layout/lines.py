"""Lines of a page: words at one height, and the kind of line that their type suggests."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tasks.parse.layout.geometry import Box, overlap, union
from tasks.parse.layout.prose import is_right_to_left
from tasks.parse.layout.words import Word, are_mono, by_line

WIDE = 1.5
"""Smallest gap between words of a line that are in different cells or columns, in type sizes."""
LABEL = re.compile(
    r"^(?:[\u2022\u2023\u25aa\u25ab\u25cf\u25cb\u25e6\u25a0\u25a1\u2043\u2219\u00b7\u27a2\u2756\u2713*\u2013\u2014-]"
    r"|\(?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})[.)])$"
)
NUMBER = re.compile(r"^(?:\d{1,3}|[A-Z])(?:\.\d{1,3})*\.?$")
LEADERS = re.compile(r"(?:\.{4,}|(?:\.\s){2,})\s*[\divxlcIVXLC]{1,6}$|(?:\.\s?){8,}$")
COMMENT = re.compile(r"^(?:#|//|/\*|%)")


@dataclass(slots=True)
class TextLine:
    """Words from left to right, or as they are read from the right, and the type of most of their characters.

    `wide` are the indices of words after a wide gap. `mono` marks a line of code; its comment may have another type.
    """

    words: list[Word]
    box: Box
    size: float
    mono: bool
    bold: bool
    wide: tuple[int, ...]

    @property
    def middle(self) -> float:
        """Return the y of its middle."""
        return (self.box[1] + self.box[3]) / 2

    @property
    def text(self) -> str:
        """Return its words as text."""
        return text_of(self.words)


def text_of(words: Iterable[Word]) -> str:
    """Return the words with a space between them."""
    return " ".join(word.text for word in words)


def lines_of(words: Iterable[Word]) -> list[TextLine]:
    """Return the page's lines from top to bottom; pieces of a line at one height are one line."""
    boxed = sorted(((union(word.box for word in piece), piece) for piece in by_line(words)), key=lambda p: p[0][1] + p[0][3])
    rows: list[tuple[Box, list[Word]]] = []
    for box, piece in boxed:
        if rows and overlap(rows[-1][0][1], rows[-1][0][3], box[1], box[3]) > 0.5:
            rows[-1] = union((rows[-1][0], box)), [*rows[-1][1], *piece]
        else:
            rows.append((box, piece))
    return [_line(box, row) for box, row in rows]


def _line(box: Box, words: list[Word]) -> TextLine:
    if is_right_to_left("".join(word.text for word in words)):
        words = _from_the_right(words)
    else:
        words.sort(key=lambda word: word.box[0])
    size = most((word.size, len(word.text)) for word in words)
    wide = tuple(n for n, (a, b) in enumerate(pairwise(words), 1) if _gap(a, b) > WIDE * size)
    end = wide[-1] if wide and COMMENT.match(words[wide[-1]].text) else len(words)
    return TextLine(words, box, size, are_mono(words[:end]), all(word.bold for word in words), wide)


def _from_the_right(words: Sequence[Word]) -> list[Word]:
    """Return words with the pieces of their line from right to left; those of one piece are in the order of reading."""
    ends: dict[int, float] = {}
    for word in words:
        ends[word.line] = max(word.box[2], ends.get(word.line, word.box[2]))
    return sorted(words, key=lambda word: -ends[word.line])


def _gap(a: Word, b: Word) -> float:
    return max(a.box[0], b.box[0]) - min(a.box[2], b.box[2])


def most(counted: Iterable[tuple[float, int]]) -> float:
    """Return the most frequent type size, in steps of half a point."""
    sizes: Counter[float] = Counter()
    for size, n in counted:
        sizes[size] += n
    steps: Counter[float] = Counter()
    for size, n in sizes.items():
        steps[round(size * 2) / 2] += n
    return steps.most_common(1)[0][0]


def is_labelled(line: TextLine) -> bool:
    """Return whether the line's only wide gap is after the label of an item or the number of a heading."""
    first = line.words[0].text
    return line.wide == (1,) and bool(LABEL.match(first) or NUMBER.match(first))


def is_entry(line: TextLine) -> bool:
    """Return whether the line starts with a term in fixed-width type, followed by a gap and the meaning of the term."""
    if len(line.wide) != 1 or line.mono:
        return False
    at = line.wide[0]
    return all(word.mono for word in line.words[:at]) and not line.words[at].mono


def is_item(line: TextLine) -> bool:
    """Return whether a list item begins here. An entry of a glossary or of a table of contents is one too."""
    first = line.words[0]
    labelled = len(line.words) > 1 and not first.mono and bool(LABEL.match(first.text))
    return labelled or is_entry(line) or has_leaders(line)


def has_leaders(line: TextLine) -> bool:
    """Return whether dots lead to a page number."""
    return line.words[-2:][0].text.endswith(".") and bool(LEADERS.search(line.text))


def has_cells(body: Sequence[TextLine]) -> bool:
    """Return whether several lines have wide gaps between words, except after labels. Code may have columns of its own."""
    return sum(bool(line.wide) and not line.mono and not is_labelled(line) for line in body) > 1


def in_one_column(body: Sequence[TextLine]) -> bool:
    """Return whether nearly all lines are below each other: they do not overlap, and do not alternate between columns."""
    return sum(_is_beside(above, below) for above, below in pairwise(body)) <= 2


def _is_beside(above: TextLine, below: TextLine) -> bool:
    if overlap(above.box[1], above.box[3], below.box[1], below.box[3]) > 0.25 and above.size == below.size:
        return True
    apart = above.box[2] < below.box[0] or below.box[2] < above.box[0]
    return apart and below.middle - above.middle < 0.8 * max(above.size, below.size)


def is_formula(line: TextLine) -> bool:
    """Return whether most letters and digits of a line are in fonts for formulas."""
    letters = [(sum(map(str.isalnum, word.text)), word.math and word.text[0].isalnum()) for word in line.words]
    return sum(n for n, math in letters if math) * 2 > sum(n for n, _ in letters)
