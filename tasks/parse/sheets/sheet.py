"""Sheets: the filled cells of a sheet as blocks, each with its place: a heading, tables with header rows, single texts, notes.

A table is a region of filled cells that no empty row or column divides. A long one has several parts, which are joined later.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, groupby
from typing import NamedTuple

from tasks.parse.elements.flow_document import FlowBlock, one_line, tidy
from tasks.parse.elements.places import write_cells_place
from tasks.parse.tables.cells import Cell, as_pipes, extent, head_rows

PART_PLACES = 4000
"""Places in the cells of one part of a table, beside its header."""
LOOKED_AT = 12
"""Rows among which the header is looked for."""
LINES_A_PART = 400
"""Rows in one element of hidden text."""
ONE = (1, 1)
MAX_SPAN = 1000
"""Rows below the first that a merged cell fills: more were merged by mistake."""
PROSE = 80
"""Characters of a text in a region of one column that is no table, but prose."""

Rows = dict[int, dict[int, str]]
"""Rows that have filled cells, in order: the text of each cell as it is shown, by row and column, counted from 0."""


class Merged(NamedTuple):
    """Cells that are merged into one; rows and columns count from 0 and are inclusive."""

    top: int
    left: int
    bottom: int
    right: int


class Region(NamedTuple):
    """A rectangle of cells: its rows, and its first and last column."""

    rows: Sequence[int]
    first: int
    last: int


@dataclass
class Sheet:
    """What is on a sheet. Hidden rows and columns count from 0; notes are those of cells."""

    name: str
    rows: Rows = field(default_factory=dict)
    merged: list[Merged] = field(default_factory=list)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    is_hidden: bool = False
    notes: list[tuple[int, int, str]] = field(default_factory=list)
    drawn: list[FlowBlock] = field(default_factory=list)

    @cached_property
    def merged_from_row(self) -> dict[int, list[Merged]]:
        """The merged cells by their first row; asked for when all are known."""
        return {row: list(found) for row, found in groupby(sorted(self.merged), key=lambda merged: merged.top)}


def sheet_blocks(sheet: Sheet) -> Iterator[FlowBlock]:
    """Yield the blocks of a sheet, after its name; nothing if it is empty. Those of a hidden sheet are hidden."""
    blocks = _shown_blocks(sheet)
    first = next(blocks, None)
    if first is not None:
        heading = [FlowBlock("heading", sheet.name, level=1)] if sheet.name else []
        found = chain(heading, [first], blocks)
        yield from map(_hidden, found) if sheet.is_hidden else found


def _hidden(block: FlowBlock) -> FlowBlock:
    text = as_pipes(block.cells) if block.cells else block.text
    return FlowBlock("hidden", text, place=block.place)


def _shown_blocks(sheet: Sheet) -> Iterator[FlowBlock]:
    for region in find_regions(_filled_columns(sheet)):
        yield from _region_blocks(sheet, region)
    for row, column, text in sheet.notes:
        yield FlowBlock("note", tidy(text), place=write_cells_place(sheet.name, [row], (column, column)))
    yield from sheet.drawn


def _filled_columns(sheet: Sheet) -> dict[int, int]:
    """Return the filled columns of each row, a bit for each. Merged cells fill what they cover, within the used rows."""
    filled = {row: sum(1 << column for column in cells) for row, cells in sheet.rows.items()}
    last_row, width = max(filled, default=-1), max(filled.values(), default=0).bit_length()
    for merged in sheet.merged:
        if merged.left in sheet.rows.get(merged.top, ()):
            bits = (1 << min(merged.right + 1, width)) - (1 << min(merged.left, width))
            for row in range(merged.top, min(merged.bottom, last_row, merged.top + MAX_SPAN) + 1):
                filled[row] = filled[row] | bits if row in filled else bits
    return dict(sorted(filled.items()))


def find_regions(filled: Mapping[int, int]) -> list[Region]:
    """Return the regions that no empty row or column divides, from the top and from the left.

    `filled` has the columns that are filled in each row, a bit for each.

    >>> find_regions({0: 0b11, 1: 0b11, 3: 0b1101})
    [Region(rows=[0, 1], first=0, last=1), Region(rows=[3], first=0, last=0), Region(rows=[3], first=2, last=3)]
    """
    found: list[Region] = []
    waiting = [(list(filled), -1)]
    while waiting:
        rows, columns = waiting.pop()
        runs = _split_rows([row for row in rows if filled[row] & columns])
        if len(runs) > 1:
            waiting += [(run, columns) for run in reversed(runs)]
            continue
        used = 0
        for row in runs[0] if runs else ():
            used |= filled[row] & columns
        parts = _split_columns(used)
        if len(parts) == 1:
            found.append(Region(runs[0], *parts[0]))
        else:
            waiting += [(runs[0], (1 << last + 1) - (1 << first)) for first, last in reversed(parts)]
    return found


def _split_rows(rows: Sequence[int]) -> list[list[int]]:
    runs: list[list[int]] = []
    for row in rows:
        if runs and runs[-1][-1] == row - 1:
            runs[-1].append(row)
        else:
            runs.append([row])
    return runs


def _split_columns(used: int) -> list[tuple[int, int]]:
    """Return the first and the last of each run of bits."""
    runs, at = [], 0
    while used:
        skipped = (used & -used).bit_length() - 1
        used >>= skipped
        n = (~used & (used + 1)).bit_length() - 1
        runs.append((at + skipped, at + skipped + n - 1))
        used >>= n
        at += skipped + n
    return runs


def _region_blocks(sheet: Sheet, region: Region) -> Iterator[FlowBlock]:
    """Yield a region as a caption and a table, or as single texts; what is hidden in it comes last."""
    columns = [column for column in range(region.first, region.last + 1) if column not in sheet.hidden_columns]
    rows = [row for row in region.rows if row not in sheet.hidden_rows]
    table = Table(sheet, rows, columns)
    n_above = table.count_caption_rows() if len(columns) > 1 else 0
    if table.is_prose():
        yield from table.texts(rows)
    elif columns:
        yield from (block._replace(kind="caption") for block in table.texts(rows[:n_above]))
        yield from Table(sheet, rows[n_above:], columns).parts()
    yield from _hidden_parts(sheet, region, {*columns})


class Table:
    """The visible rows and columns of a region."""

    def __init__(self, sheet: Sheet, rows: Sequence[int], columns: Sequence[int]) -> None:
        self._sheet, self._rows, self._columns = sheet, rows, columns
        self._column_index = {column: n for n, column in enumerate(columns)}

    def count_caption_rows(self) -> int:
        """Return how many rows at the top have only one cell with text, above rows that have more."""
        for n, row in enumerate(self._rows[:LOOKED_AT]):
            if sum(column in self._column_index for column in self._sheet.rows.get(row, ())) != 1:
                return n if len(self._rows) - n > 1 else 0
        return 0

    def is_prose(self) -> bool:
        """Return whether it is one cell, or a column of sentences."""
        if len(self._columns) != 1 or len(self._rows) == 1:
            return len(self._columns) == len(self._rows) == 1 or self._n_filled() == 1
        return any(len(self._sheet.rows.get(row, {}).get(self._columns[0], "")) > PROSE for row in self._rows)

    def _n_filled(self) -> int:
        return sum(column in self._column_index for row in self._rows[:2] for column in self._sheet.rows.get(row, ()))

    def texts(self, rows: Iterable[int]) -> Iterator[FlowBlock]:
        """Yield each text of some rows as a paragraph."""
        for row in rows:
            for column, text in self._sheet.rows.get(row, {}).items():
                if column in self._column_index:
                    yield FlowBlock("paragraph", tidy(text), place=self._place([row], column, column))

    def parts(self) -> Iterator[FlowBlock]:
        """Yield the parts of the table, from the second on with the header repeated."""
        beginning = self._cells(self._rows[:LOOKED_AT])
        n_head = head_rows(beginning) if beginning else 0
        head = [cell for cell in beginning if cell.row < n_head]
        n = max(1, PART_PLACES // max(1, len(self._columns)))
        for at in range(0, len(self._rows), n):
            rows = self._rows[at : at + n]
            cells = [*head, *self._cells(rows, n_head)] if at else self._cells(rows)
            place = self._place(rows, self._columns[0], self._columns[-1])
            yield FlowBlock("table", cells=tuple(cells), n_head=n_head, place=place, joined_by="\n" if at else None)

    def _place(self, rows: Sequence[int], first: int, last: int) -> str:
        return write_cells_place(self._sheet.name, rows, (first, last))

    def _cells(self, rows: Sequence[int], above: int = 0) -> list[Cell]:
        """Return the cells of some rows, with spans; `above` is the number of rows above them.

        Empty cells at the end make them as many rows and columns as there are.
        """
        index, spans = self._column_index, self._spans(rows, above)
        found = [
            Cell(n, index[column], one_line(text), *spans.get((n, index[column]), ONE))
            for n, row in enumerate(rows, above)
            for column, text in self._sheet.rows.get(row, {}).items()
            if column in index
        ]
        n_rows, n_columns = extent(found)
        found += [Cell(len(rows) + above - 1, 0, "")] if n_rows < len(rows) + above else []
        found += [Cell(above, len(self._columns) - 1, "")] if n_columns < len(self._columns) else []
        return found

    def _spans(self, rows: Sequence[int], above: int) -> dict[tuple[int, int], tuple[int, int]]:
        """Return how many of these rows and of the columns the merged cells that begin here span, by row and column."""
        found = {}
        for n, row in enumerate(rows):
            for merged in self._sheet.merged_from_row.get(row, ()):
                if merged.left in self._column_index:
                    n_rows = bisect_right(rows, merged.bottom) - n
                    n_columns = bisect_right(self._columns, merged.right) - bisect_left(self._columns, merged.left)
                    found[n + above, self._column_index[merged.left]] = n_rows, n_columns
        return found


def _hidden_parts(sheet: Sheet, region: Region, shown: set[int]) -> Iterator[FlowBlock]:
    """Yield what is in hidden rows and columns of a region, a line for each row."""
    lines: list[tuple[int, str]] = []
    if len(shown) <= region.last - region.first or sheet.hidden_rows:
        for row in region.rows:
            inside = ((c, text) for c, text in sheet.rows.get(row, {}).items() if region.first <= c <= region.last)
            texts = [one_line(text) for c, text in inside if row in sheet.hidden_rows or c not in shown]
            if texts:
                lines.append((row, "| " + " | ".join(texts) + " |"))
    for at in range(0, len(lines), LINES_A_PART):
        part = lines[at : at + LINES_A_PART]
        place = write_cells_place(sheet.name, [row for row, _ in part], (region.first, region.last))
        yield FlowBlock("hidden", "\n".join(line for _, line in part), place=place)
