"""Grids: tables as they are known, before they are typeset."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import NamedTuple

MOST_ROWS = 32
"""Most rows of a body that is typeset: they fit on a page."""
SECTION = "section"
TOTAL = "total"
ROW = "row"


@dataclass
class Label:
    """A cell of a head, which spans `rows` and `columns`."""

    text: str
    rows: int = 1
    columns: int = 1


class Cell(NamedTuple):
    """A cell of a body; one of 0 rows is covered by a cell above it."""

    text: str
    rows: int = 1


@dataclass
class Row:
    """A row of a body, indented by `level`: a ROW, a TOTAL, or a SECTION, which has text in its first column alone."""

    cells: list[Cell]
    kind: str = ROW
    level: int = 0


@dataclass
class Grid:
    """A table: rows of a head by column, rows of a body, and the paragraphs above and below it."""

    n_columns: int
    head: list[dict[int, Label]]
    body: list[Row]
    title: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def row_of(texts: list[str], level: int = 0, kind: str = ROW) -> Row:
    """Return a row of the body; one with text in its first column alone is a section."""
    return Row([Cell(text) for text in texts], kind if any(texts[1:]) else SECTION, level)


def cut(grid: Grid, rng: Random) -> Grid:
    """Return some rows of a grid's body that follow each other, at most MOST_ROWS."""
    count = len(grid.body)
    n = min(count, MOST_ROWS, rng.randint(4, MOST_ROWS) if rng.random() < 0.6 else count)
    first = rng.randint(0, count - n)
    return replace(grid, body=grid.body[first : first + n])


def visible(grid: Grid) -> Grid:
    """Return a grid without rows of the head that nothing shows: all that stands in them spans other rows too."""
    head = [{column: replace(label) for column, label in row.items()} for row in grid.head]
    n = 0
    while n < len(head):
        if any(label.rows == 1 for label in head[n].values()):
            n += 1
            continue
        for above, label in _labels(head[:n]):
            label.rows -= above + label.rows > n
        for column, label in head[n].items():
            if n + 1 < len(head):
                label.rows -= 1
                head[n + 1].setdefault(column, label)
        del head[n]
    for n, label in _labels(head):
        label.rows = max(1, min(label.rows, len(head) - n))
    return replace(grid, head=head)


def _labels(head: list[dict[int, Label]]) -> Iterator[tuple[int, Label]]:
    return ((n, label) for n, row in enumerate(head) for label in row.values())
