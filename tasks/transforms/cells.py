"""Cells: a table as cells with their place and span, in HTML and Markdown."""

import html
from collections.abc import Sequence
from typing import NamedTuple

from tasks.transforms.prose import join_lines
from tasks.transforms.words import Word, rows_of


class Cell(NamedTuple):
    """What stands in `rows` rows from `row` on and `columns` columns from `column` on, counted from 0."""

    row: int
    column: int
    text: str
    rows: int = 1
    columns: int = 1


def text_of(words: Sequence[Word]) -> str:
    """Return the words of one cell, its lines joined."""
    return join_lines([row.text for row in rows_of(words)])


def extent(cells: Sequence[Cell]) -> tuple[int, int]:
    """Return the number of rows and columns."""
    return max((c.row + c.rows for c in cells), default=0), max((c.column + c.columns for c in cells), default=0)


def without_gaps(cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells and an empty one for every place that none of them covers, row by row."""
    taken = {(r, c) for cell in cells for r in range(cell.row, cell.row + cell.rows) for c in _columns(cell)}
    n_rows, n_columns = extent(cells)
    free = [Cell(r, c, "") for r in range(n_rows) for c in range(n_columns) if (r, c) not in taken]
    return sorted([*cells, *free])


def _columns(cell: Cell) -> range:
    return range(cell.column, cell.column + cell.columns)


def as_html(cells: Sequence[Cell]) -> str:
    """Return the cells as an HTML table.

    >>> as_html([Cell(0, 0, "a & b", columns=2), Cell(1, 1, "c")])
    '<table><tr><td colspan="2">a &amp; b</td></tr><tr><td></td><td>c</td></tr></table>'
    """
    whole = without_gaps(cells)
    rows: list[list[str]] = [[] for _ in range(extent(whole)[0])]
    for cell in whole:
        rows[cell.row].append(_td(cell))
    return f"<table>{''.join('<tr>' + ''.join(row) + '</tr>' for row in rows)}</table>"


def _td(cell: Cell) -> str:
    rows = f' rowspan="{cell.rows}"' if cell.rows > 1 else ""
    columns = f' colspan="{cell.columns}"' if cell.columns > 1 else ""
    return f"<td{rows}{columns}>{html.escape(cell.text, quote=False)}</td>"


def as_pipes(cells: Sequence[Cell]) -> str:
    r"""Return the cells as a Markdown table whose first row is the header; a cell's text stands in its first place.

    >>> print(as_pipes([Cell(0, 0, "a"), Cell(0, 1, "b|c"), Cell(1, 0, "1")]))
    | a | b\|c |
    | --- | --- |
    | 1 |  |
    """
    n_rows, n_columns = extent(cells)
    texts = {(cell.row, cell.column): cell.text.replace("|", r"\|") for cell in cells}
    lines = ["| " + " | ".join(texts.get((r, c), "") for c in range(n_columns)) + " |" for r in range(n_rows)]
    rule = f"|{' --- |' * n_columns}" if cells else ""
    return "\n".join([*lines[:1], rule, *lines[1:]])
