"""Tables: makes cells from the words of a table's region, with the reader that suits the table."""

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from tasks.parse.judge.trees import Trees
from tasks.parse.layout.geometry import centre, grown, union
from tasks.parse.layout.rules import Rules, rules_in
from tasks.parse.layout.words import Word
from tasks.parse.tables.cells import FIGURE, Cell, extent
from tasks.parse.tables.cuts import run_starts
from tasks.parse.tables.lattice import ruled_cells
from tasks.parse.tables.spaced.breaks import baseline
from tasks.parse.tables.spaced.pieces import pieces_of
from tasks.parse.tables.spaced.reader import spaced_cells
from tasks.parse.tables.text_lines import text_lines

_CAPTION = re.compile(r"^(table|tab\.|tableau|tabelle|tabla|exhibit)\s*[A-Z]{0,2}[\dIVX]", re.IGNORECASE)
_UNITS = re.compile(r"^[\[(][^\[\]()]*[\])]$")
_NOTE = re.compile(r"^([*\u2020\u2021]|(\w+ )?(notes?|sources?|abbreviations?|legend|key)\b\s*[:.=])", re.IGNORECASE)

FAR = 1.1
"""Smallest distance of a title from the head of its table, in usual distances of lines."""


class Table(NamedTuple):
    """Cells, and the words of a caption above and of notes below them; no cells if neither rules nor white space form two."""

    above: list[Word]
    cells: list[Cell]
    below: list[Word]
    spaced: Sequence[Word] = ()
    """The words of cells that white space forms."""
    veto: str = ""
    """Why it has no cells."""


def read_table(words: Sequence[Word], spaced: bool, rules: Rules, judge: Trees | None = None) -> Table:
    """Return the content of a table's region, with each word in one place.

    Rules that enclose cells have priority over white space, because the author drew them. Without them a table has cells
    only if it is `spaced` (see `Region`); a `judge` then has a say in its rows (see `spaced_cells`).
    """
    if not words:
        return Table([], [], [], veto="no words")
    lines = text_lines(words)
    first, last = _framed(lines, rules)
    above, inner, below = _parted(words, lines, first, last)
    ruled = ruled_cells(inner, rules)
    if ruled and (extent(ruled)[1] > 1 or extent(spaced_cells(inner, rules))[1] < 2):
        return Table(above, ruled, below)
    if not spaced and not ruled:
        return Table([], [], [], veto="no rules enclose cells, and white space may not")
    first, last = _first(lines), _last(lines)
    above, inner, below = _parted(words, lines, first, last)
    cells = spaced_cells(inner, rules, judge)
    if extent(cells)[0] < 2:
        return Table([], [], [], veto="fewer than two rows")
    return Table(above, cells, below, inner)


def _parted(words: Sequence[Word], lines: Sequence[Sequence[Word]], first: int, last: int) -> tuple[list[Word], ...]:
    """Return the words above line `first`, those before line `last`, and the others, each in the order of `words`."""
    numbers = {word: n for n, line in enumerate(lines) for word in line}
    places = [(numbers[word] >= first) + (numbers[word] >= last) for word in words]
    return tuple([word for word, place in zip(words, places, strict=True) if place == n] for n in range(3))


def _framed(lines: Sequence[Sequence[Word]], rules: Rules) -> tuple[int, int]:
    """Return the number of the first line between the outermost rules across, and after the last; others are titles or notes."""
    box = grown(union(word.box for line in lines for word in line), 0, 1.5 * lines[0][0].size)
    across = rules_in(rules, box).horizontals
    if len(across) < 2:
        return 0, len(lines)
    middles = [centre(union(word.box for word in line))[1] for line in lines]
    above = sum(y < across[0].at for y in middles)
    below = len(lines) - sum(y > across[-1].at for y in middles)
    title = all(map(_is_sentence, lines[:above])) or _CAPTION.match(_text(lines[0]))
    notes = all(map(_is_sentence, lines[below:])) or _NOTE.match(_text(lines[below]))
    return above if title and above < below else 0, below if notes and above < below else len(lines)


def _first(lines: Sequence[Sequence[Word]]) -> int:
    """Return the number of lines above the cells: a caption or a bold title, and the unit of its figures."""
    n = int(_is_title(lines))
    if _CAPTION.match(_text(lines[0])):
        n = 1
        while n < len(lines) - 1 and _is_sentence(lines[n]) and len(lines[n]) > 2:
            n += 1
    if n < len(lines) - 1 and _UNITS.match(_text(lines[n])):
        n += 1
    return n if n < len(lines) - 1 else 0


def _is_title(lines: Sequence[Sequence[Word]]) -> bool:
    """Return whether the first line is a bold title, farther from the head than the lines of the table are."""
    if len(lines) < 4 or len(pieces_of(lines[0], ())) > 1 or _is_sentence(lines[1]) or not all(word.bold for word in lines[0]):
        return False
    heights = [baseline(line) for line in lines]
    usual = median(b - a for a, b in pairwise(heights[1:]))
    left = min(word.box[0] for line in lines for word in line)
    at_left = min(word.box[0] for word in lines[0]) < left + lines[0][0].size
    return at_left and heights[1] - heights[0] > FAR * usual and not any(FIGURE.match(word.text) for word in lines[1])


def _last(lines: Sequence[Sequence[Word]]) -> int:
    """Return the number of lines before the notes, which begin below the last row of several cells."""
    end = len(lines)
    while end > 1 and _is_sentence(lines[end - 1]):
        end -= 1
    notes = [n for n in range(end, len(lines)) if _NOTE.match(_text(lines[n]))]
    return notes[0] if notes and notes[0] > 1 else len(lines)


def _is_sentence(line: Sequence[Word]) -> bool:
    return len(run_starts(line)) == 1


def _text(line: Sequence[Word]) -> str:
    return " ".join(word.text for word in sorted(line, key=lambda word: word.box[0]))
