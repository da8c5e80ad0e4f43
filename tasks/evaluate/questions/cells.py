"""Cells: questions about single values of tables, whose rows and columns have names."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tasks.evaluate.questions.generated import Document, GeneratedQuestion
from tasks.evaluate.questions.spread import spread
from tasks.evaluate.scoring import Span

ORIGIN = "generated: table cell"
MOST_HEADERS = 3
"""Rows of column names, at most."""
LONGEST_NAME = 120
SHORTEST_YEAR = 4
PER_TABLE = 3
"""Questions about one table, at most."""

_DELIMITER = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*\Z")
_BAR = re.compile(r"(?<!\\)\|")


class Row(NamedTuple):
    """A row of a table: its cells, and its span in the document."""

    cells: list[str]
    span: Span


def cell_questions(document: Document, table: Span, name: str, seed: int) -> Iterator[GeneratedQuestion]:
    """Yield questions about cells of the Markdown table at `table`, which people call `name`."""
    rows = _rows(document.text, table)
    at = next((number for number, row in enumerate(rows) if number and _is_delimiter(document.text[slice(*row.span)])), None)
    if at is None:
        return
    n_headers = _n_headers(rows[at + 1 :])
    columns = _column_names([rows[at - 1], *rows[at + 1 : at + 1 + n_headers]])
    body = [row for row in rows[at + 1 + n_headers :] if row.cells and _is_name(row.cells[0])]
    labels = [row.cells[0] for row in body]
    unique = [row for row in body if labels.count(row.cells[0]) == 1]
    for number, row in enumerate(spread(unique, seed)[:PER_TABLE]):
        filled = [
            (column, cell)
            for column, cell in zip(columns[1:], row.cells[1:], strict=False)
            if _is_column(column) and columns.count(column) == 1 and any(map(str.isalnum, cell))
        ]
        if filled:
            column, cell = filled[number % len(filled)]
            of = f" of “{document.name}”" if name != document.name else ""
            question = f"What is the value of “{row.cells[0].rstrip(':')}” for “{column}” in the table “{name}”{of}?"
            yield GeneratedQuestion(document.path, question, row.span, cell, ORIGIN)


def _rows(text: str, table: Span) -> list[Row]:
    rows, start = [], table[0]
    for line in text[slice(*table)].split("\n"):
        rows.append(Row(_cells(line) if "|" in line else [], (start, start + len(line))))
        start += len(line) + 1
    return rows


def _cells(line: str) -> list[str]:
    bare = line.strip().removeprefix("|")
    bare = bare[:-1] if bare.endswith("|") and not bare.endswith("\\|") else bare
    return [" ".join(cell.replace("\\|", "|").split()) for cell in _BAR.split(bare)]


def _is_delimiter(line: str) -> bool:
    return "-" in line and _DELIMITER.match(line) is not None


def _n_headers(rows: Sequence[Row]) -> int:
    """Return how many rows below the delimiter go on with column names: those without a name of their own."""
    named = next((number for number, row in enumerate(rows) if row.cells and row.cells[0]), len(rows))
    return named if named <= MOST_HEADERS else 0


def _column_names(headers: Sequence[Row]) -> list[str]:
    """Return the name of each column. In all but the last row of names, a name also stands for the blank cells after it."""
    parts: list[list[str]] = []
    rows = [row.cells for row in headers if any(row.cells)]
    for number, cells in enumerate(rows):
        last = ""
        for column, cell in enumerate(cells):
            last = cell or (last if number < len(rows) - 1 else "")
            parts += [[] for _ in range(column + 1 - len(parts))]
            parts[column] += [last] if last else []
    return [", ".join(dict.fromkeys(name.rstrip(",") for name in names)) for names in parts]


def _is_name(cell: str) -> bool:
    return len(cell) <= LONGEST_NAME and any(map(str.isalpha, cell))


def _is_column(name: str) -> bool:
    """Return whether a column has a name, such as a word or a year. A lone digit is a number of the table."""
    return any(map(str.isalpha, name)) or len(name) >= SHORTEST_YEAR
