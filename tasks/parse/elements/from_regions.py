"""Elements: makes the rows that parse stages from the regions of a page, in reading order."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Unpack

from schemas.records import Element, ElementParts
from tasks.parse.judge.trees import Trees
from tasks.parse.layout.geometry import as_struct, union
from tasks.parse.layout.prose import clean, join_lines, spelled_in
from tasks.parse.layout.regions import Change, Region, Remark
from tasks.parse.layout.words import WordRow, are_mono, rows_of
from tasks.parse.tables.cells import Cell, as_html, as_pipes
from tasks.parse.tables.contents import entries_of
from tasks.parse.tables.readers import read_table
from tasks.parse.tables.settled import SettledRegion
from tasks.parse.tables.sideways import turned_upright
from tasks.parse.tables.spaced.reader import explain_rows

_BULLETS = "\u2022\u2023\u25aa\u25ab\u25cf\u25cb\u25e6\u25a0\u25a1\u2043\u2219\u00b7\u27a2\u2756\u2713*\u2013\u2014-"
_BULLET = re.compile(rf"^[{_BULLETS}]\s+")
_ENUMERATOR = re.compile(r"^(\(?(\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})[.)]|\d{1,2}(\.\d{1,2})+)\s")
CELLS, FIXED_WIDTH = "table-cells", "fixed-width-type"
"""What gives an element another kind than its region has: the reading of cells or of contents, and of code."""
BOLDER = 0.25
"""Added to the type size of bold type, in points, to rank headings. It is less than the step to any larger size."""


class MadeElement(NamedTuple):
    """An element with its type size in points, plus BOLDER for bold type, 0 without words; and what made it what it is."""

    element: Element
    size: float
    changes: tuple[Change, ...] = ()


def element(page_number: int, kind: str, text: str, **rest: Unpack[ElementParts]) -> Element:
    """Return a row of `schemas.staged.PARSED.elements`. Columns that `rest` does not give are null."""
    blank: Element = {
        "page_number": page_number, "kind": kind, "text": text, "level": None, "bbox": None, "html": None, "confidence": None,
        "joined_by": None, "links": None, "start_char": None, "end_char": None,
    }  # fmt: skip
    return {**blank, **rest}


def elements_of(page_number: int, regions: Sequence[Region], all_mono: bool, row_judge: Trees | None = None) -> list[MadeElement]:
    """Return the elements of regions whose kinds are settled, with their words as written, in their order.

    `all_mono` says that the whole page is in fixed-width type, which is then no sign of code. A `row_judge` has a
    say in the rows of tables without rules.
    """
    spelled = spelled_in(word.text for region in regions for word in region.words)
    return [
        MadeElement(found, size, (*region.changes, *_last_change(region, found)))
        for region in regions
        for found, size in _of_region(page_number, region, all_mono, spelled, row_judge)
    ]


def explain_tables(regions: Sequence[Region], row_judge: Trees) -> Iterator[Remark]:
    """Yield what the judge says of the lines of tables without rules, or why a table has no cells."""
    for region in regions:
        if region.kind == "table" and not isinstance(region, SettledRegion):
            turned = turned_upright(region)
            table = read_table(turned.words, turned.spaced, turned.rules, row_judge)
            veto = "it is a list of contents" if entries_of(region.words) else table.veto
            if veto:
                yield Remark(region.box, f"no cells: {veto}", CELLS)
            elif table.spaced:
                for one in explain_rows(table.spaced, turned.rules, row_judge):
                    yield one._replace(by=CELLS, box=one.box if turned is region else region.box)


def _last_change(region: Region, found: Element) -> list[Change]:
    """Return what the reading of cells, of contents or of code makes of a region's kind."""
    by = CELLS if region.kind == "table" else FIXED_WIDTH
    return [Change(by, f"{region.kind} → {found['kind']}")] if found["kind"] != region.kind else []


def _of_region(
    page_number: int, region: Region, all_mono: bool, spelled: frozenset[str], row_judge: Trees | None
) -> list[tuple[Element, float]]:
    if region.kind == "table":
        return _table(page_number, region, row_judge)
    rows = rows_of(region.words)
    if region.kind == "list_item":
        return [_prose(page_number, "list_item", item, spelled) for item in _items(rows)]
    if region.kind == "paragraph" and not all_mono and are_mono(region.words):
        return [(_plain(page_number, region, "code", _indented(rows)), rows[0].size)]
    if region.kind == "figure":
        return [(_plain(page_number, region, "figure", clean("\n".join(row.text for row in rows))), 0.0)]
    if not rows:
        return []
    found, size = _prose(page_number, region.kind, rows, spelled)
    return [({**found, "confidence": region.confidence}, size)]


def _table(page_number: int, region: Region, row_judge: Trees | None) -> list[tuple[Element, float]]:
    """Return the table; its words as a paragraph if they do not form cells, or as lines if they are a list of contents."""
    if isinstance(region, SettledRegion):
        return [(_of_cells(page_number, region, region.cells), 0.0)]
    entries = entries_of(region.words)
    if entries:
        return [(_plain(page_number, region, "paragraph", "\n".join(map(clean, entries))), 0.0)]
    turned = turned_upright(region)
    table = read_table(turned.words, turned.spaced, turned.rules, row_judge)
    if not table.cells:
        return [_prose(page_number, "paragraph", rows_of(region.words))]
    found = _of_cells(page_number, region, table.cells)
    shown = dict(zip(turned.words, region.words, strict=True))
    above = [_prose(page_number, "caption", rows_of(shown[word] for word in table.above))] if table.above else []
    below = [_prose(page_number, "footnote", rows_of(shown[word] for word in table.below))] if table.below else []
    return [*above, (found, 0.0), *below]


def _of_cells(page_number: int, region: Region, cells: Sequence[Cell]) -> Element:
    return {**_plain(page_number, region, "table", as_pipes(cells)), "html": as_html(cells)}


def _plain(page_number: int, region: Region, kind: str, text: str) -> Element:
    return element(page_number, kind, text, bbox=as_struct(region.box))


def _prose(page_number: int, kind: str, rows: Sequence[WordRow], spelled: frozenset[str] = frozenset()) -> tuple[Element, float]:
    text = join_lines([row.text for row in rows], spelled)
    box = as_struct(union(row.box for row in rows))
    bare = _BULLET.sub("", text) if kind == "list_item" else text
    return element(page_number, kind, bare or text, bbox=box), max(row.size for row in rows) + BOLDER * all(
        row.bold for row in rows
    )


def _items(rows: Sequence[WordRow]) -> list[list[WordRow]]:
    """Split rows at each bullet or number that is as far left as the first."""
    items: list[list[WordRow]] = []
    for row in rows:
        marked = _BULLET.match(row.text) or (_ENUMERATOR.match(row.text) and items and _ENUMERATOR.match(items[0][0].text))
        if not items or (marked and row.box[0] < items[0][0].box[0] + 3):
            items.append([])
        items[-1].append(row)
    return items


def _indented(rows: Sequence[WordRow]) -> str:
    """Return lines of code with the indentation that they have on the page."""
    left = min(row.box[0] for row in rows)
    return "\n".join(" " * round((row.box[0] - left) / (row.size * 0.6 or 1)) + clean(row.text) for row in rows)
