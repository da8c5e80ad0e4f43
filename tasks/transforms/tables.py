"""Tables: the words of a table's region as cells, from whichever reader fits them."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from tasks.transforms.aligned import aligned_cells, text_lines
from tasks.transforms.cells import Cell, extent
from tasks.transforms.lattice import ruled_cells
from tasks.transforms.layout import Grid
from tasks.transforms.rules import Rules
from tasks.transforms.words import Word, rows_of

_CAPTION = re.compile(r"^(table|tab\.|tableau|tabelle|tabla|exhibit)\s*[A-Z]{0,2}[\dIVX]", re.IGNORECASE)
_UNITS = re.compile(r"^[\[(][^\[\]()]*[\])]$")
_NOTE = re.compile(r"^([*\u2020\u2021]|(notes?|sources?|abbreviations?|legend|key)\b\s*[:.=])", re.IGNORECASE)
APART = 2.0
"""Gap, in sizes of type, that parts the columns of a table but no words of a sentence."""


class Table(NamedTuple):
    """Cells, and the words of a caption above and of notes below them; no cells if neither rules nor a grid make two."""

    above: list[Word]
    cells: list[Cell]
    below: list[Word]


def read_table(words: Sequence[Word], grid: Grid | None, rules: Rules) -> Table:
    """Return what stands in a table's region, each word in one place.

    Rules that enclose cells are what the author drew, hence go before the grid that the model guesses.
    """
    ruled = ruled_cells(words, rules)
    if ruled:
        return Table([], ruled, [])
    if not grid or not words:
        return Table([], [], [])
    lines = text_lines(words)
    first, last = _first(lines), _last(lines)
    inner = [word for line in lines[first:last] for word in line]
    cells = aligned_cells(inner, grid.horizontals, grid.verticals, rules)
    n_rows, n_columns = extent(cells)
    if n_rows * n_columns < 2:
        return Table([], [], [])
    return Table([w for line in lines[:first] for w in line], cells, [w for line in lines[last:] for w in line])


def _first(lines: Sequence[Sequence[Word]]) -> int:
    """Return the number of lines above the cells: a caption, and what its figures are counted in."""
    n = 0
    if _CAPTION.match(_text(lines[0])):
        n = 1
        while n < len(lines) - 1 and _is_sentence(lines[n]) and len(lines[n]) > 2:
            n += 1
    if n < len(lines) - 1 and _UNITS.match(_text(lines[n])):
        n += 1
    return n if n < len(lines) - 1 else 0


def _last(lines: Sequence[Sequence[Word]]) -> int:
    """Return the number of lines before the notes, which begin below the last row of several cells."""
    end = len(lines)
    while end > 1 and _is_sentence(lines[end - 1]):
        end -= 1
    notes = [n for n in range(end, len(lines)) if _NOTE.match(_text(lines[n]))]
    return notes[0] if notes and notes[0] > 1 else len(lines)


def _is_sentence(line: Sequence[Word]) -> bool:
    row = rows_of([word._replace(line=0) for word in line])
    return len(row) == 1 and row[0].widest_gap < APART * row[0].size


def _text(line: Sequence[Word]) -> str:
    return " ".join(word.text for word in sorted(line, key=lambda word: word.box[0]))
