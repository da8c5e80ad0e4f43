"""Camelot: other readers of tables, for those who prefer them. They see the text and the rules of a page, never its pictures."""

import logging
from functools import cache
from typing import TYPE_CHECKING, Any

from schemas.options.sections import ParseOptions
from tasks.parse.elements.io.page_result import PageResult
from tasks.parse.layout.geometry import Box, area, clamped, union
from tasks.parse.layout.io.form_fields import with_fields_drawn
from tasks.parse.layout.io.layout_model import page_box
from tasks.parse.page_errors import page_failure, raise_unless_the_pages
from tasks.parse.tables.settled import EdgedCell, FoundLine, FoundTable, apart, lines_told, spanned_cells

if TYPE_CHECKING:
    import pymupdf

OWN = "pagemill"
RENDERED_DPI = 300
"""Resolution at which Camelot renders a page to look for rules."""
RENDERING = ("lattice", "hybrid")
REACH = 2
"""How far, in points, the middle of a line may be outside a table that Camelot puts it into."""


def other_tables(page: "pymupdf.Page", options: ParseOptions, result: PageResult) -> list[FoundTable] | None:
    """Return the tables that another reader finds, None if none is chosen. If it fails, Pagemill reads them and says so."""
    if options.table_reader == OWN:
        return None
    try:
        return camelot_tables(page, options)
    except Exception as error:
        raise_unless_the_pages(error)
        what = f"has its tables from Pagemill's own reader, because {options.table_reader} failed"
        result.reject = page_failure(result.number, "TableError", what, error, "choose another parse.table_reader")
        return None


def camelot_tables(page: "pymupdf.Page", options: ParseOptions) -> list[FoundTable]:
    """Return the tables that Camelot finds on an upright page, from top to bottom. Tables without text are left out.

    Raises:
        ValueError: the page is too large to be rendered.
        Exception: almost any, for a page that Camelot cannot read.
    """
    flavor = options.table_reader.removeprefix("camelot-")
    pixels = area(page_box(page)) * (RENDERED_DPI / 72) ** 2
    if flavor in RENDERING and pixels > options.max_page_pixels:
        raise ValueError(f"rendered for Camelot, it has {pixels:,.0f} pixels, more than parse.max_page_pixels")
    found = _camelot().read_pdf(_alone(page), pages="1", flavor=flavor, suppress_stdout=True)
    tables = apart([_found(table, page_box(page)) for table in found if not table.df.empty])
    return [table for table in tables if any(cell.text for cell in table.cells)]


@cache
def _camelot() -> Any:
    """Load Camelot once per process, without what its libraries log about odd pages."""
    import camelot

    for name in ("camelot", "playa", "pypdfium2"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return camelot


def _alone(page: "pymupdf.Page") -> bytes:
    """Return a PDF of this page alone, with its form fields as text, and nothing outside the part of it that is displayed."""
    import pymupdf

    with with_fields_drawn(page) as document:
        crop, media = document[0].cropbox, document[0].mediabox
        document[0].set_mediabox(pymupdf.Rect(crop.x0, media.y1 - crop.y1, crop.x1, media.y1 - crop.y0))
        data: bytes = document.tobytes()
        return data


def _found(table: Any, page: Box) -> FoundTable:
    rows, columns = list(table.df.index), list(table.df.columns)
    box = union((cell.x1, cell.y1, cell.x2, cell.y2) for row in rows for cell in (table.cells[row][n] for n in columns))
    cells = spanned_cells([[EdgedCell(cell.text, cell.right, cell.bottom) for cell in row] for row in table.cells], rows, columns)
    lines = [((line.x0, line.y0, line.x1, line.y1), line.get_text()) for line in table.textlines]
    inside = [FoundLine(_on_page(place, table), text) for place, text in lines if _is_in(place, table._bbox)]
    return FoundTable(clamped(_on_page(box, table), page), cells, lines_told(inside, cells))


def _is_in(line: Box, box: Box) -> bool:
    x, y = (line[0] + line[2]) / 2, (line[1] + line[3]) / 2
    return box[0] - REACH <= x <= box[2] + REACH and box[1] - REACH <= y <= box[3] + REACH


def _on_page(box: Box, table: Any) -> Box:
    """Return a box in coordinates of the page. Camelot's y goes upwards, and it turns a page whose text runs up or down."""
    x0, y0, x1, y1 = box
    width, height = table.pdf_size
    if table.rotation == "clockwise":
        return y0, x0, y1, x1
    if table.rotation == "anticlockwise":
        return height - y1, width - x1, height - y0, width - x0
    return x0, height - y1, x1, height - y0
