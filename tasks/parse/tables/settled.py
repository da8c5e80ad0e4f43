"""Settled tables: tables that another reader has found and read. They take their words before regions get theirs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from tasks.parse.layout.geometry import Box, centre, holds, share
from tasks.parse.layout.prose import clean, join_lines
from tasks.parse.layout.regions import Region
from tasks.parse.layout.words import Word
from tasks.parse.tables.cells import Cell

MOSTLY = 0.5
"""A picture with a larger share of its area in a settled table is that table, drawn."""


class EdgedCell(NamedTuple):
    """The text of one place of a grid, its lines separated by line ends, and whether a rule bounds it on the right and below."""

    text: str
    right: bool = True
    below: bool = True


class FoundLine(NamedTuple):
    """A line of text, with its box in points of the page."""

    box: Box
    text: str


class FoundTable(NamedTuple):
    """A table as its reader found it: its box in points of the page, its cells, and the lines of text in them."""

    box: Box
    cells: list[Cell]
    lines: list[FoundLine]


@dataclass(frozen=True)
class SettledRegion(Region):
    """The region of a table whose cells are known."""

    cells: Sequence[Cell] = ()


def lines_told(lines: Sequence[FoundLine], cells: Sequence[Cell]) -> list[FoundLine]:
    """Return the lines whose letters and digits are in a cell: a reader may pass over a line inside its table."""
    told = "\n".join(_letters(cell.text) for cell in cells)
    return [line for line in lines if _letters(line.text) in told]


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, clean(text)))


def apart(tables: Sequence[FoundTable]) -> list[FoundTable]:
    """Return the tables without text that another one of them has, too: the table of more lines keeps it.

    A table that shares more than half of its lines is the same table, found twice. It is left out.
    """
    kept: list[FoundTable] = []
    taken: set[FoundLine] = set()
    for table in sorted(tables, key=lambda table: -len(table.lines)):
        shared = [line for line in table.lines if line in taken]
        if len(shared) <= len(table.lines) / 2:
            taken.update(table.lines)
            kept.append(
                table._replace(cells=_without(table.cells, shared), lines=[line for line in table.lines if line not in shared])
            )
    return sorted(kept, key=lambda table: (table.box[1], table.box[0]))


def _without(cells: Sequence[Cell], lines: Sequence[FoundLine]) -> list[Cell]:
    """Return cells without the text of `lines`, each once."""
    found = list(cells)
    for text in (join_lines([line.text]) for line in lines):
        n = next((n for n, cell in enumerate(found) if text in cell.text), None)
        if n is not None:
            found[n] = found[n]._replace(text=join_lines(found[n].text.replace(text, "\n", 1).strip().split("\n")))
    return found


def settled(words: Sequence[Word], tables: Sequence[FoundTable]) -> tuple[list[SettledRegion], list[Word]]:
    """Return a region with its words for each table, and the words that belong to no table. A word belongs to the first one."""
    rest, found = list(words), []
    for table in tables:
        own = [word for word in rest if any(holds(line.box, centre(word.box)) for line in table.lines)]
        found.append(SettledRegion(table.box, "table", role="table", words=own, cells=table.cells))
        chosen = set(own)
        rest = [word for word in rest if word not in chosen]
    return found, rest


def without_tables(regions: Sequence[Region], tables: Sequence[Region]) -> list[Region]:
    """Return the layout model's regions as they are beside settled tables: none is a table, or a picture of one of `tables`."""
    tables = [table for table in tables if table.kind == "table"]
    drawn = [r for r in regions if r.kind == "figure" and any(share(r.box, table.box) > MOSTLY for table in tables)]
    kept = [region for region in regions if all(region is not other for other in drawn)]
    return [replace(region, kind="paragraph", spaced=False, role="text") if region.kind == "table" else region for region in kept]


def spanned_cells(grid: Sequence[Sequence[EdgedCell]], rows: Sequence[int], columns: Sequence[int]) -> list[Cell]:
    """Return the cells of the `rows` and `columns` of a grid that are kept, their texts as one line each.

    Places without a rule between them are one cell, if they form a rectangle. The grid must have equally long rows.

    >>> spanned_cells([[EdgedCell("a", right=False), EdgedCell("")], [EdgedCell("b"), EdgedCell("c")]], [0, 1], [0, 1])[0]
    Cell(row=0, column=0, text='a', rows=1, columns=2)
    """
    taken: set[tuple[int, int]] = set()
    found = []
    for row, line in enumerate(grid):
        for column in range(len(line)):
            if (row, column) in taken:
                continue
            width = _width(grid, row, column, taken)
            height = _height(grid, row, column, width)
            places = [(r, c) for r in range(row, row + height) for c in range(column, column + width)]
            taken.update(places)
            found.append(_kept(grid, places, rows, columns))
    return [cell for cell in found if cell.rows and cell.columns]


def _width(grid: Sequence[Sequence[EdgedCell]], row: int, column: int, taken: set[tuple[int, int]]) -> int:
    end = column
    while end + 1 < len(grid[row]) and not grid[row][end].right and (row, end + 1) not in taken:
        end += 1
    return end + 1 - column


def _height(grid: Sequence[Sequence[EdgedCell]], row: int, column: int, width: int) -> int:
    """Return how many rows the cell covers that starts at (`row`, `column`); the places below it are still free."""
    places = range(column, column + width)
    end = row
    while (
        end + 1 < len(grid)
        and not any(grid[end][n].below for n in places)
        and not any(grid[end + 1][n].right for n in places[:-1])
    ):
        end += 1
    return end + 1 - row


def _kept(
    grid: Sequence[Sequence[EdgedCell]], places: Sequence[tuple[int, int]], rows: Sequence[int], columns: Sequence[int]
) -> Cell:
    """Return the cell that covers `places`, counted in kept rows and columns; one in none of them covers 0 of them."""
    within = [n for n, row in enumerate(rows) if places[0][0] <= row <= places[-1][0]]
    across = [n for n, column in enumerate(columns) if places[0][1] <= column <= places[-1][1]]
    text = "\n".join(text for r, c in places if (text := grid[r][c].text.strip()))
    return Cell(within[0] if within else 0, across[0] if across else 0, join_lines(text.split("\n")), len(within), len(across))
