"""ODT and ODP: the text of a document, and the slides of a presentation, of LibreOffice and other programs."""

from collections.abc import Iterator

from tasks.parse.elements.flow_document import FlowBlock, FlowDocument, one_line, page, tidy
from tasks.parse.office.open_document import TABLE, TEXT, OpenDocument, local_name, note_mark, paragraph_text, text_lines
from tasks.parse.office.open_numbering import OUTLINE, OpenNumbering
from tasks.parse.office.xml import XmlElement, number
from tasks.parse.tables.cells import Cell

MAX_REPEATED = 100
MAX_DEPTH = 30
_APART = ("tracked-changes", "sequence-decls", "forms", "variable-decls", "table-of-content", "alphabetical-index")


def parse_odt(data: bytes) -> FlowDocument:
    """Return the content of a text document with its tracked changes accepted.

    Raises:
        DocumentError: it is encrypted, damaged, or too large when unpacked.
    """
    package = OpenDocument(data)
    return FlowDocument(list(Flow(package).read(package.body())), package.properties(), rejects=package.rejects)


def parse_odp(data: bytes) -> FlowDocument:
    """Return the slides of a presentation, each a page, its notes last.

    Raises:
        DocumentError: it is encrypted, damaged, or too large when unpacked.
    """
    package = OpenDocument(data)
    slides = [node for node in package.body() if local_name(node) == "page"]
    blocks = [block._replace(page_number=n) for n, slide in enumerate(slides, 1) for block in Flow(package).read(slide)]
    pages = [page(n + 1) for n in range(max(1, len(slides)))]
    return FlowDocument(blocks, package.properties(), pages, package.rejects)


class Flow:
    """Reads an element of a document as blocks."""

    def __init__(self, package: OpenDocument) -> None:
        self._package = package
        self._numbering = OpenNumbering(package.list_styles())
        self._list_style, self._label = "", ""

    def read(self, node: XmlElement, depth: int = 0) -> Iterator[FlowBlock]:
        """Yield what is in an element; `depth` is that of lists."""
        for child in node:
            kind = local_name(child)
            if kind == "h":
                level = max(1, number(child.get(f"{TEXT}outline-level"), 1))
                self._label = self._label or self._numbering.label(OUTLINE, level) or _written_label(child)
                yield from self._paragraph(child, "heading", level)
            elif kind == "list":
                yield from self._list(child, depth)
            elif kind == "p":
                yield from self._paragraph(child, "list_item" if depth else "paragraph", depth or None)
            elif kind == "table":
                apart: list[FlowBlock] = []
                yield FlowBlock("table", cells=tuple(self._cells(child, apart)), n_head=_n_head(child))
                yield from apart
            elif kind == "section" and child.get(f"{TEXT}display") == "none":
                yield from (FlowBlock("hidden", text) for text in filter(None, text_lines(child)))
            elif kind == "notes":
                yield from (block._replace(kind="note", level=None) for block in self.read(child))
            elif kind == "frame" and child.get("{urn:oasis:names:tc:opendocument:xmlns:presentation:1.0}class") == "title":
                text = one_line(" ".join(text_lines(child)))
                yield from [FlowBlock("heading", text, level=1)] if text else []
            elif kind == "image":
                yield from self._picture(child)
            elif kind not in _APART and depth < MAX_DEPTH:
                yield from self.read(child, depth)

    def _list(self, node: XmlElement, depth: int) -> Iterator[FlowBlock]:
        """Yield the items of a list that lies in `depth` others, with the numbers that its style gives them."""
        around, self._list_style = self._list_style, node.get(f"{TEXT}style-name") or self._list_style
        if not depth and node.get(f"{TEXT}continue-numbering") != "true" and node.get(f"{TEXT}continue-list") is None:
            self._numbering.restart(self._list_style)
        for item in node if depth < MAX_DEPTH else ():
            if local_name(item) == "list-item" and any(local_name(one) in ("p", "h") for one in item):
                start = number(item.get(f"{TEXT}start-value"), -1)
                label = self._numbering.label(self._list_style, depth + 1, start if start >= 0 else None)
                self._label = label or _written_label(item)
            yield from self.read(item, depth + 1)
            self._label = ""
        self._list_style = around

    def _paragraph(self, node: XmlElement, kind: str, level: int | None) -> Iterator[FlowBlock]:
        """Yield a paragraph, then what hangs on it: notes, comments, frames."""
        text = tidy(paragraph_text(node))
        if text:
            yield FlowBlock(kind, self._label + text, level=level)
            self._label = ""
        for note in node.iter(f"{TEXT}note"):
            lines = text_lines(note)
            yield FlowBlock("footnote", f"{note_mark(note)} {' '.join(lines)}".strip())
        for remark in node.iter("{*}annotation"):
            yield FlowBlock("note", "\n".join(text_lines(remark)))
        for frame in node:
            if local_name(frame) in ("frame", "custom-shape", "a"):
                yield from self.read(frame)

    def _cells(self, table: XmlElement, apart: list[FlowBlock]) -> Iterator[Cell]:
        """Yield the cells of a table with their spans; tables in its cells are read as text. `apart` gets notes and pictures."""
        for row, line in enumerate(_rows(table)):
            column = 0
            for cell in line:
                repeated = min(MAX_REPEATED, max(1, number(cell.get(f"{TABLE}number-columns-repeated"), 1)))
                height, width = (max(1, number(cell.get(f"{TABLE}number-{side}-spanned"), 1)) for side in ("rows", "columns"))
                if local_name(cell) == "table-cell":
                    inside = list(self.read(cell))
                    apart += filter(_stands_apart, inside)
                    text = one_line(" ".join(_text_of(block) for block in inside if not _stands_apart(block)))
                    yield from (Cell(row, column + n, text, height, width) for n in range(repeated))
                column += repeated

    def _picture(self, node: XmlElement) -> Iterator[FlowBlock]:
        address = node.get("{http://www.w3.org/1999/xlink}href") or ""
        picture = self._package.read(address.removeprefix("./"))
        parent = node.getparent()
        names = [one_line(one.text or "") for one in parent if local_name(one) in ("title", "desc")] if parent is not None else []
        if picture:
            yield FlowBlock("figure", " ".join(filter(None, names)), picture=picture)


def _written_label(node: XmlElement) -> str:
    """Return the number that a program has written into an item or a heading, with a space behind it; "" if there is none."""
    written = next((one.text or "" for one in node if local_name(one) == "number"), "").strip()
    return f"{written} " if written else ""


def _stands_apart(block: FlowBlock) -> bool:
    return block.picture is not None or block.kind in ("footnote", "note", "hidden")


def _text_of(block: FlowBlock) -> str:
    return block.text or " ".join(cell.text for cell in block.cells)


def _rows(table: XmlElement) -> Iterator[XmlElement]:
    for child in table:
        if local_name(child) == "table-row":
            yield child
        elif local_name(child) in ("table-header-rows", "table-rows", "table-row-group"):
            yield from _rows(child)


def _n_head(table: XmlElement) -> int:
    return sum(len(list(_rows(child))) for child in table if local_name(child) == "table-header-rows")
