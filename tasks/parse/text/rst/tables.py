"""Tables drawn with characters: simple ones, columns under rows of `=`, and grids of `+`, `-` and `|`."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from tasks.parse.elements.flow_document import bounded
from tasks.parse.tables.cells import Cell, as_html
from tasks.parse.text.rst.grid import grid_cells
from tasks.parse.text.rst.lines import indent_of, width_of

GRID = re.compile(r"\+-[-+]*-\+\Z")
_GRID_HEAD = re.compile(r"\+=[=+]*=\+\Z")
SIMPLE = re.compile(r"=+(?: +=+)+\Z")
_SPANS = re.compile(r"-+(?: +-+)*\Z")
FILLER = "\0"
"""Stands after a wide character, for its second column. No text contains it."""


class DrawnTable(NamedTuple):
    """The table's HTML, and the line after it."""

    after: int
    html: str


def drawn_table(lines: Sequence[str], at: int) -> DrawnTable | None:
    """Return the table that begins at line `at`; None if there is none, or if its lines do not meet."""
    first = lines[at].strip()
    if GRID.match(first):
        return _grid(lines, at)
    return _simple(lines, at) if SIMPLE.match(first) else None


def _grid(lines: Sequence[str], at: int) -> DrawnTable | None:
    indent = indent_of(lines[at])
    after = at
    while after < len(lines) and lines[after][indent : indent + 1] in ("+", "|") and indent_of(lines[after]) == indent:
        after += 1
    rows = [_widened(line[indent:]) for line in lines[at:after]]
    heads = [n for n, row in enumerate(rows) if _GRID_HEAD.match(row)]
    rows = [row.replace("=", "-") if n in heads[:1] else row for n, row in enumerate(rows)]
    found = grid_cells(rows, heads[0] if heads else 0)
    return DrawnTable(after, _html(found.cells, found.n_head)) if found else None


def _simple(lines: Sequence[str], at: int) -> DrawnTable | None:
    after = _simple_end(lines, at)
    if after is None:
        return None
    indent = indent_of(lines[at])
    starts = [match.start() for match in re.finditer("=+", lines[at][indent:])]
    cells: list[Cell] = []
    head = row = 0
    for texts in _simple_rows([_widened(line[indent:]) for line in lines[at + 1 : after]], starts):
        if texts:
            cells += [cell._replace(row=row) for cell in texts]
            row += 1
        else:
            head = head or row
    return DrawnTable(after, _html(cells, head if head < row else 0)) if cells else None


def _simple_end(lines: Sequence[str], at: int) -> int | None:
    """Return the line after the table's bottom: the row of `=` before a blank line, or the second one after the top."""
    n_rows = 0
    for here in range(at + 1, len(lines)):
        line = lines[here]
        if line and indent_of(line) < indent_of(lines[at]):
            return None
        if SIMPLE.match(line.strip()):
            n_rows += 1
            if n_rows == 2 or not any(lines[here + 1 : here + 2]):
                return here + 1
    return None


def _simple_rows(lines: Sequence[str], starts: Sequence[int]) -> Iterator[list[Cell]]:
    """Yield the cells of each row, as of row 0; an empty list for a row of `=`."""
    held: list[str] = []
    for line in lines:
        border, spans = SIMPLE.match(line), _SPANS.match(line)
        if held and (border or spans or not line or line[: starts[1]].strip()):
            yield _simple_cells(held, starts, [match.start() for match in re.finditer("-+", line)] if spans else starts)
            held = []
        if border:
            yield []
        elif line and not spans:
            held.append(line)
    if held:
        yield _simple_cells(held, starts, starts)


def _simple_cells(lines: Sequence[str], starts: Sequence[int], begins: Sequence[int]) -> list[Cell]:
    """Return a row's cells. `begins` are the columns where they begin; they may be fewer than the table's columns."""
    columns = [n for n, start in enumerate(starts) if start in begins] or [0]
    cells = []
    for column, following in pairwise([*columns, len(starts)]):
        left, right = starts[column] if column else 0, [*starts, None][following]
        text = " ".join(line[left:right].strip() for line in lines)
        cells.append(Cell(0, column, _plain(text), columns=following - column))
    return cells


def _widened(line: str) -> str:
    return line if line.isascii() else "".join(letter + FILLER * (width_of(letter) - 1) for letter in line)


def _plain(text: str) -> str:
    shown = " ".join(text.replace(FILLER, "").split())
    return "" if shown == "\\" else shown


def _html(cells: Sequence[Cell], n_head: int) -> str:
    return as_html(bounded([cell._replace(text=_plain(cell.text)) for cell in cells]), n_head)
