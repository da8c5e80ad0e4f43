"""Cells: a table as cells with positions and spans, in HTML and Markdown."""

import html
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from tasks.parse.layout.prose import join_lines
from tasks.parse.layout.words import Word, rows_of

FIGURE = re.compile(r"^[^A-Za-z]*\d[^A-Za-z]*$")
BAR = re.compile(r"(?<!\\)\|")
"""What parts the cells of a table in Markdown."""
_YEAR = re.compile(r"^(19|20)\d\d([-/\u2013]\d\d(\d\d)?)?$")


class Cell(NamedTuple):
    """The text of a cell that starts at (`row`, `column`), counted from 0, and spans `rows` rows and `columns` columns."""

    row: int
    column: int
    text: str
    rows: int = 1
    columns: int = 1


def text_of(words: Sequence[Word]) -> str:
    """Return the words of one cell, with lines joined."""
    return join_lines([row.text for row in rows_of(words)])


def extent(cells: Sequence[Cell]) -> tuple[int, int]:
    """Return the number of rows and columns."""
    return max((c.row + c.rows for c in cells), default=0), max((c.column + c.columns for c in cells), default=0)


def without_gaps(cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells row by row, with an empty cell for every place that none covers."""
    taken = {(r, c) for cell in cells for r in range(cell.row, cell.row + cell.rows) for c in _columns(cell)}
    n_rows, n_columns = extent(cells)
    free = [Cell(r, c, "") for r in range(n_rows) for c in range(n_columns) if (r, c) not in taken]
    return sorted([*cells, *free])


def _columns(cell: Cell) -> range:
    return range(cell.column, cell.column + cell.columns)


def head_rows(cells: Sequence[Cell]) -> int:
    """Return the number of header rows: the first, rows that its cells reach into, and rows of subheadings.

    A table of one row has none. A row of figures is never a header row.
    """
    n_rows = extent(cells)[0]
    rows: list[list[Cell]] = [[] for _ in range(n_rows)]
    for cell in cells:
        rows[cell.row].append(cell)
    figures = next((n for n, row in enumerate(rows) if _has_figures(row)), n_rows)
    most = max(0, min(figures, n_rows - 1))
    head = min(1, most)
    while head < most and any(cell.text and _is_over(cell, head) for cell in cells):
        head += 1
    return head


def _is_over(cell: Cell, row: int) -> bool:
    """Return whether a cell above `row` reaches into it, or is directly above it and spans several columns."""
    after = cell.row + cell.rows
    return cell.row < row < after or (after == row and cell.columns > 1)


def _has_figures(row: Sequence[Cell]) -> bool:
    """Return whether more than half of the cells with text beyond the first column are figures."""
    beyond = [cell.text for cell in row if cell.column and cell.text]
    return len(figures_of(beyond)) * 2 > len(beyond)


def figures_of(texts: Sequence[str]) -> list[str]:
    """Return the figures of a row; years and column numbers that count up are headings, not figures.

    >>> figures_of(["a", "12", "3.5 %", "1987"]), figures_of(["1", "2", "3"])
    (['12', '3.5 %'], [])
    """
    found = [text for text in texts if FIGURE.match(text) and not _YEAR.match(text)]
    numbers = [int(text) for text in found if text.isdecimal()]
    counts = len(numbers) == len(found) > 2 and all(b == a + 1 for a, b in pairwise(numbers))
    return [] if counts else found


def as_html(cells: Sequence[Cell], n_head: int = 0) -> str:
    """Return the cells as an HTML table, its first `n_head` rows in a `thead`. 0 means unknown: `head_rows` decides.

    >>> as_html([Cell(0, 0, "a & b", columns=2), Cell(1, 1, "c")])
    '<table><thead><tr><td colspan="2">a &amp; b</td></tr></thead><tr><td></td><td>c</td></tr></table>'
    """
    whole = without_gaps(cells)
    rows: list[list[str]] = [[] for _ in range(extent(whole)[0])]
    for cell in whole:
        rows[cell.row].append(_td(cell))
    lines = [f"<tr>{''.join(row)}</tr>" for row in rows]
    n = n_head or head_rows(cells)
    n = n if n < len(lines) else 0
    head = f"<thead>{''.join(lines[:n])}</thead>" if n else ""
    return f"<table>{head}{''.join(lines[n:])}</table>"


def _td(cell: Cell) -> str:
    rows = f' rowspan="{cell.rows}"' if cell.rows > 1 else ""
    columns = f' colspan="{cell.columns}"' if cell.columns > 1 else ""
    return f"<td{rows}{columns}>{html.escape(cell.text, quote=False)}</td>"


def as_pipes(cells: Sequence[Cell]) -> str:
    r"""Return the cells as a Markdown table whose first row is the header; the text of a cell is in its first place.

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
