"""Flow: what a document without fixed pages says, block after block, made into the row that parse stages.

HTML, DOCX and PPTX all become blocks; a table's text, its HTML and a figure's picture are made here, the same for all of them.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple

from schemas.errors import EmptyDocument
from tasks.parse.elements.from_regions import Element, element
from tasks.parse.elements.png import DocumentPictures
from tasks.parse.layout.prose import clean
from tasks.parse.rejections import entry, one_a_page, refusal
from tasks.parse.tables.cells import Cell, as_html, as_pipes, extent

MAX_LEVEL = 6
MAX_PLACES = 200_000
"""A table has at most so many places, or twice as many as cells: others are made by spans, or by one row that is too long."""
_SPACES = re.compile(r"[^\S\n]+")
_LINE_ENDS = re.compile(r" *\n[ \n]*")


class FlowBlock(NamedTuple):
    """One element to be. `level` is a heading's, or how deep a list item is nested; both count from 1.

    A table has `cells`, the first `n_head` rows of them its header; a figure may have a picture, in the bytes of its file.
    """

    kind: str
    text: str = ""
    level: int | None = None
    cells: tuple[Cell, ...] = ()
    n_head: int = 0
    picture: bytes | None = None
    page_number: int = 1
    bbox: dict[str, float] | None = None


@dataclass
class FlowDocument:
    """What a reader of one format found: blocks in reading order, properties, pages and what went wrong."""

    blocks: list[FlowBlock]
    properties: dict[str, Any]
    pages: list[dict[str, Any]] = field(default_factory=lambda: [page(1)])
    rejects: list[dict[str, Any]] = field(default_factory=list)


def page(number: int, width: float = 0.0, height: float = 0.0) -> dict[str, Any]:
    """Return a page of PARSED; one without size belongs to a format without pages."""
    return {"page_number": number, "width": width, "height": height, "ocr": False}


def tidy(text: str) -> str:
    r"""Return prose in NFC, white space collapsed; single line ends, which the author set on purpose, stay.

    >>> tidy("  a \t b \n\n c\u00a0d")
    'a b\nc d'
    """
    return _LINE_ENDS.sub("\n", _SPACES.sub(" ", clean(text))).strip()


def one_line(text: str) -> str:
    r"""Return `text` as a table's cell holds it.

    >>> one_line(" a\nb ")
    'a b'
    """
    return " ".join(clean(text).split())


def document_row(document: FlowDocument, figure_dpi: int, tick: Callable[[int], None] = lambda _: None) -> dict[str, Any]:
    """Return a row of `schemas.staged.PARSED`. `tick(n)` is called after each picture, which is on page n.

    Raises:
        EmptyDocument: there is neither text nor a picture.
    """
    pictures = DocumentPictures(figure_dpi)
    elements: list[Element] = []
    figures = []
    for block in _with_body(document.blocks):
        image = pictures.png(block.picture, block.page_number, block.bbox) if block.picture else None
        found = _element(block)
        if image is not None:
            figures.append({"position": len(elements), "image": image, "words": [], "raster": 0.0})
            tick(block.page_number)
        if image is not None or found["text"].strip():
            elements.append(found)
    if not elements:
        reasons = "; ".join(reject["message"] for reject in document.rejects[:3])
        message = "no text found in the document" + (f": {reasons}" if reasons else "")
        raise refusal(EmptyDocument, message, "fill or repair it, or exclude it")
    return {
        "text": None,
        "properties": document.properties,
        "pages": document.pages,
        "elements": elements,
        "figures": figures,
        "rejects": one_a_page([*document.rejects, *pictures.rejects]),
    }


def _with_body(blocks: Sequence[FlowBlock]) -> list[FlowBlock]:
    """Return a document of nothing but furniture as paragraphs: what looks like a running header is all that it says."""
    if any(block.kind != "furniture" and (block.text or block.cells or block.picture) for block in blocks):
        return list(blocks)
    return [block._replace(kind="paragraph") if block.kind == "furniture" else block for block in blocks]


def _element(block: FlowBlock) -> Element:
    rest: dict[str, Any] = {"bbox": block.bbox}
    text = block.text
    if block.level is not None:
        rest["level"] = min(block.level, MAX_LEVEL)
    if block.kind == "table":
        cells = bounded(block.cells)
        text, rest["html"] = as_pipes(cells), as_html(cells, block.n_head)
    return element(block.page_number, block.kind, text, **rest)


def bounded(cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells; without their spans if these make too many places, all in one column if there are still too many."""
    if _n_places(cells) <= MAX_PLACES:
        return list(cells)
    rows = [list(row) for _, row in groupby(sorted(cells), key=lambda cell: cell.row)]
    single = [Cell(r, c, cell.text) for r, row in enumerate(rows) for c, cell in enumerate(row)]
    if _n_places(single) <= max(MAX_PLACES, 2 * len(cells)):
        return single
    return [Cell(r, 0, " ".join(cell.text for cell in row if cell.text)) for r, row in enumerate(rows)]


def _n_places(cells: Sequence[Cell]) -> int:
    rows, columns = extent(cells)
    return rows * columns


def note(error: str, message: str, remedy: str, page_number: int = 1) -> dict[str, Any]:
    """Return what parse tells of a page that is kept all the same."""
    return entry("parse", error, message, remedy, page_number)
