"""Normalised HTML as a tree, and its tables as cells with their places: what Typst, LaTeX and LibreOffice set alike. Pure."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

Element = Any
"""An element of lxml."""
BLOCKS = frozenset("h1 h2 h3 h4 p ul ol dl table figure pre blockquote aside section div".split())
_SPACE = re.compile(r"[ \t\r\n\f]+")


class Cell(NamedTuple):
    """A cell at its place; `align` is left, center or right, `indent` in em."""

    row: int
    column: int
    rows: int
    columns: int
    element: Element
    align: str
    indent: float
    head: bool


class Grid(NamedTuple):
    """A table: how many rows and columns, how many of the rows are its head, its cells row by row."""

    rows: int
    columns: int
    head_rows: int
    cells: tuple[Cell, ...]


def parse_body(body: str) -> Element:
    """Return the element that holds a body."""
    from lxml import html

    return html.fragment_fromstring(body, create_parent="body")


def classes(element: Element) -> frozenset[str]:
    """Return the classes of an element."""
    return frozenset((element.get("class") or "").split())


def squeeze(text: str | None) -> str:
    """Return text with each run of ordinary spaces as one; no-break spaces stay."""
    return _SPACE.sub(" ", text or "")


def words_of(element: Element) -> str:
    """Return what an element says, on one line."""
    return squeeze("".join(element.itertext())).strip()


def has_blocks(element: Element) -> bool:
    """Return whether blocks stand in an element beside or instead of words."""
    return any(child.tag in BLOCKS for child in element)


def lines_of(element: Element) -> list[str]:
    """Return what an element says, cut at its breaks."""
    return [line.strip() for line in _broken(element).split("\n")]


def _broken(element: Element) -> str:
    inner = "".join(("\n" if child.tag == "br" else _broken(child)) + squeeze(child.tail) for child in element)
    return squeeze(element.text) + inner


def grid_of(table: Element) -> Grid:
    """Place the cells of a table as HTML does: each at the first free place of its row."""
    taken: set[tuple[int, int]] = set()
    cells: list[Cell] = []
    rows = [row for row in table.iter("tr") if next(row.iterancestors("table")) is table]
    for number, row in enumerate(rows):
        column = 0
        for element in row.iterchildren("td", "th"):
            while (number, column) in taken:
                column += 1
            high, wide = min(_span(element, "rowspan"), len(rows) - number), _span(element, "colspan")
            taken.update((number + down, column + right) for down in range(high) for right in range(wide))
            cells.append(Cell(number, column, high, wide, element, *_looks(element), _is_head(element)))
            column += wide
    head = sum(next(row.iterancestors("thead", "table")).tag == "thead" for row in rows)
    return Grid(len(rows), max((column + 1 for _, column in taken), default=0), head, tuple(cells))


def holes(grid: Grid) -> Iterator[tuple[int, int]]:
    """Yield the places that no cell takes, as rows of unequal length leave them."""
    taken = {
        (cell.row + down, cell.column + right)
        for cell in grid.cells
        for down in range(cell.rows)
        for right in range(cell.columns)
    }
    yield from ((row, column) for row in range(grid.rows) for column in range(grid.columns) if (row, column) not in taken)


def _span(element: Element, name: str) -> int:
    text = element.get(name) or "1"
    return max(1, int(text)) if text.isdigit() else 1


def _is_head(element: Element) -> bool:
    return str(element.tag) == "th"


def _looks(element: Element) -> tuple[str, float]:
    """Return the alignment of a cell and its indent in em."""
    style = element.get("style") or ""
    align = re.search(r"text-align:\s*(left|center|right)", style)
    indent = re.search(r"padding-left:\s*([\d.]+)em", style)
    return (align[1] if align else "left"), (float(indent[1]) if indent else 0.0)


def cell_at(grid: Grid, row: int, column: int) -> Cell | None:
    """Return the cell that covers a place."""
    for cell in grid.cells:
        if cell.row <= row < cell.row + cell.rows and cell.column <= column < cell.column + cell.columns:
            return cell
    return None
