"""Heads of tables: the runs of words in each row as cells, headings over the columns that they stand for."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from tasks.transforms.cells import Cell, text_of
from tasks.transforms.geometry import Box, union
from tasks.transforms.rules import Rules
from tasks.transforms.words import Word

_FIGURE = re.compile(r"^[^A-Za-z]*\d[^A-Za-z]*$")


class Run(NamedTuple):
    """Words of one row that stand together, from its first to its last column."""

    words: tuple[Word, ...]
    first: int
    last: int

    @property
    def text(self) -> str:
        """Return the words, a space between them."""
        return " ".join(word.text for word in self.words)

    @property
    def box(self) -> Box:
        """Return the smallest rectangle around the words."""
        return union(word.box for word in self.words)

    def is_figure(self) -> bool:
        """Tell whether it is a number, with whatever signs around it."""
        return bool(_FIGURE.match(self.text))


Line = list[Run]


def spread(lines: Sequence[Line], head: int, n_columns: int, rules: Rules) -> list[Cell]:
    """Return the rows' cells, the first `head` of them headings.

    Headings are widened over the columns they stand above, and those without a heading above are as high as the head.
    """
    columns = _extents(lines, n_columns)
    wide: list[Cell] = []
    for n, line in enumerate(lines):
        row = _cells(n, line)
        spanning = n < head - 1 or (n < head and any(run.last > run.first for run in line)) or _is_banner(line, n_columns)
        wide += _widened(row, line, columns, rules) if spanning else row
    return _heightened(wide, head, n_columns)


def _extents(lines: Sequence[Line], n_columns: int) -> list[tuple[float, float]]:
    found: list[list[Box]] = [[] for _ in range(n_columns)]
    for line in lines:
        for run in line:
            if run.first == run.last:
                found[run.first].append(run.box)
    return [(min(b[0] for b in boxes), max(b[2] for b in boxes)) if boxes else (0.0, 0.0) for boxes in found]


def _is_banner(line: Line, n_columns: int) -> bool:
    """Tell whether a row is one heading in the midst of a table, over all columns but the first."""
    return len(line) == 1 and line[0].first > 0 and n_columns > 2 and not line[0].is_figure()


def _widened(row: list[Cell], line: Line, columns: list[tuple[float, float]], rules: Rules) -> list[Cell]:
    """Give each heading the free columns beside it over whose middle, or over whose rule, it stands."""
    taken = {c for cell in row for c in range(cell.column, cell.column + cell.columns)}
    found = []
    for cell, run in zip(row, line, strict=True):
        first, last = run.first, run.last
        if first > 0:
            first, last = _span(run, taken, columns, rules)
        taken |= set(range(first, last + 1))
        found.append(cell._replace(column=first, columns=last - first + 1))
    return found


def _span(run: Run, taken: set[int], columns: list[tuple[float, float]], rules: Rules) -> tuple[int, int]:
    left, right = run.first, run.last
    while left - 1 > 0 and left - 1 not in taken:
        left -= 1
    while right + 1 < len(columns) and right + 1 not in taken:
        right += 1
    x0, _, x1, y1 = run.box
    for rule in rules.horizontals:
        if -2 < rule.at - y1 < 1.2 * run.words[0].size and rule.start <= x0 + 3 and rule.end >= x1 - 3:
            under = [n for n in range(left, right + 1) if rule.start - 3 <= sum(columns[n]) / 2 <= rule.end + 3]
            if under:
                return min(run.first, *under), max(run.last, *under)
    middle = (x0 + x1) / 2
    spans = [(a, b) for a in range(left, run.first + 1) for b in range(run.last, right + 1)]
    off = {(a, b): abs((columns[a][0] + columns[b][1]) / 2 - middle) for a, b in spans}
    least = min(off.values())
    near = [span for span in spans if off[span] <= least + 0.5 * run.words[0].size]
    return max(near, key=lambda span: span[1] - span[0])


def _heightened(cells: list[Cell], head: int, n_columns: int) -> list[Cell]:
    if head < 2:
        return cells
    body = [cell for cell in cells if cell.row >= head]
    found = [cell for cell in cells if cell.row < head and cell.columns > 1]
    for column in range(n_columns):
        over = max((c.row + 1 for c in found if c.column <= column < c.column + c.columns), default=0)
        mine = sorted(cell for cell in cells if cell.row < head and cell.columns == 1 and cell.column == column)
        above = [cell for cell in mine if cell.row < over]
        below = [cell for cell in mine if cell.row >= over]
        found += above
        if below and (len(below) == 1 or column == 0):
            found.append(Cell(over, column, " ".join(cell.text for cell in below), head - over))
        else:
            found += below
    return sorted(found + body)


def _cells(row: int, line: Line) -> list[Cell]:
    return [Cell(row, run.first, text_of(run.words), 1, run.last - run.first + 1) for run in line]
