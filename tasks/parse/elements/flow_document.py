"""Flow documents: the blocks of a document without fixed pages, made into the row that parse stages.

HTML, DOCX and PPTX all become blocks. The text and HTML of tables and the pictures of figures are made here, for all of them.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby
from typing import NamedTuple

from schemas.errors import EmptyDocument
from schemas.records import BBox, Element, ElementParts, Page, ParsedDocument, ParsedFigure, Properties, Reason
from schemas.tables.elements import OUT_OF_TEXT
from tasks.parse.elements.from_regions import element
from tasks.parse.elements.png import DocumentPictures
from tasks.parse.layout.levels import MAX_LEVEL
from tasks.parse.layout.prose import clean
from tasks.parse.rejections import entry, one_a_page, refusal
from tasks.parse.tables.cells import Cell, as_html, as_pipes, extent

MAX_NESTED_TABLES = 8
"""Tables nested deeper are read as layout: the text is kept, the grid is not."""
MAX_PLACES = 200_000
"""A table has at most this many places, or twice as many as cells. More come from wrong spans or one row that is too long."""
_SPACES = re.compile(r"[^\S\n]{2,}|[^\S\n ]")
"""White space in a line that is not one space already: most of it is."""
_LINE_ENDS = re.compile(r" *\n[ \n]*")


class FlowBlock(NamedTuple):
    """A future element. `level` is the level of a heading, or the nesting depth of a list item, from 1.

    A table has `cells`; their first `n_head` rows are its header. One that continues another has `joined_by`, and repeats the
    header. A figure may have a picture, as the bytes of its file. `place`: see `tasks.parse.elements.places`.
    """

    kind: str
    text: str = ""
    level: int | None = None
    cells: tuple[Cell, ...] = ()
    n_head: int = 0
    picture: bytes | None = None
    page_number: int = 1
    bbox: BBox | None = None
    place: str | None = None
    joined_by: str | None = None


@dataclass
class FlowDocument:
    """What the reader of a format found: blocks in reading order, properties, pages and problems.

    Readers of long files make further blocks one by one, in `stream`, and add to `rejects` while they do so.
    """

    blocks: list[FlowBlock]
    properties: Properties
    pages: list[Page] = field(default_factory=lambda: [page(1)])
    rejects: list[Reason] = field(default_factory=list)
    stream: Iterable[FlowBlock] = ()


def page(number: int, width: float = 0.0, height: float = 0.0) -> Page:
    """Return a page of PARSED. A page of a format without pages has no size."""
    return {"page_number": number, "width": width, "height": height, "ocr": False}


def tidy(text: str) -> str:
    r"""Return prose in NFC with white space collapsed. Single line breaks stay, because the author set them.

    >>> tidy("  a \t b \n\n c\u00a0d")
    'a b\nc d'
    """
    return _LINE_ENDS.sub("\n", _SPACES.sub(" ", clean(text))).strip()


def one_line(text: str) -> str:
    r"""Return `text` on one line, as in a table cell.

    >>> one_line(" a\nb ")
    'a b'
    """
    return " ".join(clean(text).split())


def document_row(document: FlowDocument, figure_dpi: int, tick: Callable[[int], None] = lambda _: None) -> ParsedDocument:
    """Return a row of `schemas.staged.PARSED`. `tick(n)` is called after each picture, which is on page n.

    Raises:
        EmptyDocument: there is no text and no picture.
    """
    pictures = DocumentPictures(figure_dpi)
    elements: list[Element] = []
    figures: list[ParsedFigure] = []
    has_body = False
    for block in chain(document.blocks, document.stream):
        has_body = has_body or (block.kind not in OUT_OF_TEXT and bool(block.text or block.cells or block.picture))
        image = pictures.png(block.picture, block.page_number, block.bbox) if block.picture else None
        found = _element(block)
        if image is not None:
            figures.append({"position": len(elements), "image": image, "words": [], "raster": 0.0})
            tick(block.page_number)
        if image is not None or found["text"].strip():
            elements.append(found)
    if not has_body:  # furniture is all there is
        elements = [{**one, "kind": "paragraph"} if one["kind"] == "furniture" else one for one in elements]
    if not elements:
        reasons = "; ".join(reject["message"] for reject in document.rejects[:3])
        message = "no text found in the document" + (f": {reasons}" if reasons else "")
        remedy = "repair the document, or exclude it" if reasons else "add text to it, or exclude it"
        raise refusal(EmptyDocument, message, remedy)
    return {
        "text": None,
        "properties": document.properties,
        "pages": document.pages,
        "elements": elements,
        "figures": figures,
        "rejects": one_a_page([*document.rejects, *pictures.rejects]),
    }


def _element(block: FlowBlock) -> Element:
    rest: ElementParts = {"bbox": block.bbox, "place": block.place, "joined_by": block.joined_by}
    text = block.text
    if block.level is not None:
        rest["level"] = min(block.level, MAX_LEVEL)
    if block.kind == "table":
        cells = bounded(block.cells)
        text, rest["html"] = as_pipes(cells), as_html(cells, block.n_head)
        if block.joined_by is not None:
            rows = text.split("\n")
            text = "\n".join([rows[0], *rows[2:]][block.n_head :])
    return element(block.page_number, block.kind, text, **rest)


def bounded(cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells, without spans if these make too many places, and in one column if there are still too many."""
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


def note(error: str, message: str, remedy: str, page_number: int = 1) -> Reason:
    """Return an entry for `rejects` about a page that is kept."""
    return entry("parse", error, message, remedy, page_number)
