"""Tables of HTML: which of them are data, and their cells."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tasks.parse.elements.flow_document import MAX_PLACES, FlowBlock, one_line
from tasks.parse.tables.cells import Cell
from tasks.parse.web.events import Events

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_MATTER = frozenset("table h1 h2 h3 h4 h5 h6 pre form article section nav main header footer iframe".split())
"""Elements in a cell that show that its table is only layout."""
_CELLS = "[role='cell'], [role='gridcell'], [role='columnheader'], [role='rowheader']"
MAX_COLSPAN = 1000
"""The HTML standard's own limit."""
Read = Callable[[Any], list[FlowBlock]]


class HtmlRow(NamedTuple):
    """A row's cells, `td` and `th`, and whether it is in `thead`."""

    cells: list[Any]
    in_head: bool
    group: int


def rows_of(table: "LexborNode") -> list[HtmlRow]:
    """Return the table's own rows, head first and foot last, as browsers show them; a table by its role has rows by theirs."""
    if table.tag != "table":
        return [HtmlRow(row.css(_CELLS), False, 0) for row in table.css("[role='row']")]
    groups: dict[str, list[HtmlRow]] = {"thead": [], "tbody": [], "tfoot": []}
    for n, group in enumerate(table.iter()):
        if group.tag in groups:
            rows = [row for row in group.iter() if row.tag == "tr"]
            groups[group.tag] += [HtmlRow(_cells(row), group.tag == "thead", n) for row in rows]
    return [row for name in ("thead", "tbody", "tfoot") for row in groups[name]]


def _cells(row: "LexborNode") -> "list[LexborNode]":
    return [cell for cell in row.iter() if cell.tag in ("td", "th")]


def has_columns(table: "LexborNode") -> bool:
    """Return whether a row has at least two cells."""
    return max((len(row.cells) for row in rows_of(table)), default=0) > 1


def is_data_table(table: "LexborNode") -> bool:
    """Return whether a table contains data and is not only layout.

    A role, a caption or header cells decide. Without them, a data table has at least two columns and two rows of cells, without
    headings, listings, sections or tables in cells.
    """
    if table.attributes.get("role") in ("presentation", "none"):
        return False
    rows = [row for row in rows_of(table) if row.cells]
    if max((len(row.cells) for row in rows), default=0) < 2:
        return False
    if any(child.tag in ("caption", "thead") for child in table.iter()) or any(c.tag == "th" for row in rows for c in row.cells):
        return True
    return len(rows) > 1 and not any(_holds_matter(cell) for row in rows for cell in row.cells)


def _holds_matter(cell: "LexborNode") -> bool:
    return any(event.kind == "open" and event.tag in _MATTER for event in Events(cell, with_root=False))


def table_blocks(table: "LexborNode", read: Read) -> Iterator[FlowBlock]:
    """Yield the caption, the table, and the pictures in its cells; `read` gives the blocks inside an element."""
    for child in table.iter():
        if child.tag == "caption":
            yield from (block._replace(kind="caption", level=None) for block in read(child) if block.text)
    rows = rows_of(table)
    inside = [[read(cell) for cell in row.cells] for row in rows]
    yield FlowBlock("table", cells=tuple(_placed(rows, inside)), n_head=_n_head(rows))
    yield from (FlowBlock("figure", picture=b.picture) for row in inside for blocks in row for b in blocks if b.picture)


def _n_head(rows: Sequence[HtmlRow]) -> int:
    """Count the header rows: those of `thead`, or the first rows with only header cells."""
    n = sum(row.in_head for row in rows)
    while n < len(rows) and not any(row.in_head for row in rows[:1]) and _is_header(rows[n]):
        n += 1
    return n


def _is_header(row: HtmlRow) -> bool:
    return bool(row.cells) and all(cell.tag == "th" or cell.attributes.get("role") == "columnheader" for cell in row.cells)


def _placed(rows: Sequence[HtmlRow], inside: Sequence[Sequence[Sequence[FlowBlock]]]) -> Iterator[Cell]:
    """Yield the cells at their places, by the rules of the HTML standard. A span ends with its row group."""
    ends = {row.group: n + 1 for n, row in enumerate(rows)}
    taken: set[tuple[int, int]] = set()
    for r, row in enumerate(rows):
        column = 0
        for cell, blocks in zip(row.cells, inside[r], strict=True):
            while (r, column) in taken:
                column += 1
            n_rows = min(_span(cell, "rowspan") or ends[row.group], ends[row.group] - r)
            n_columns = max(1, min(_span(cell, "colspan"), MAX_COLSPAN))
            if len(taken) + n_rows * n_columns > MAX_PLACES:
                n_rows = n_columns = 1
            taken.update((r + i, column + j) for i in range(n_rows) for j in range(n_columns))
            yield Cell(r, column, text_of(blocks), n_rows, n_columns)
            column += n_columns


def text_of(blocks: Sequence[FlowBlock]) -> str:
    """Return blocks as the text of one cell; with inner tables cell by cell."""
    return one_line(" ".join(block.text or " ".join(cell.text for cell in block.cells) for block in blocks))


def _span(cell: "LexborNode", name: str) -> int:
    """Return a span; 1 if it is invalid, 0 if it extends to the end."""
    value = cell.attributes.get(name) or "1"
    return int(value) if value.isdecimal() and len(value) < 6 else 1
