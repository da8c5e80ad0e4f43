"""ODT and ODP: the text of a document, and the slides of a presentation, of LibreOffice and other programs."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from tasks.parse.elements.flow_document import FlowBlock, FlowDocument, one_line, page, tidy
from tasks.parse.layout.geometry import Box, union
from tasks.parse.office.open_charts import is_chart, open_chart_text
from tasks.parse.office.open_document import (
    DRAWN,
    FORMULA,
    TABLE,
    TEXT,
    OpenDocument,
    local_name,
    note_mark,
    paragraph_code,
    paragraph_text,
    text_lines,
)
from tasks.parse.office.open_numbering import OUTLINE, OpenNumbering
from tasks.parse.office.slide_shapes import EMU_PER_POINT, emu, in_order
from tasks.parse.office.word_styles import CONTENTS, KINDS
from tasks.parse.office.xml import XmlElement, number
from tasks.parse.tables.cells import Cell

MAX_REPEATED = 100
MAX_DEPTH = 30
_APART = ("tracked-changes", "sequence-decls", "forms", "variable-decls")
_CONTENTS = ("table-of-content", "illustration-index", "table-index", "object-index", "user-index", "alphabetical-index")
_CLASS = "{urn:oasis:names:tc:opendocument:xmlns:presentation:1.0}class"
"""The attribute that says what a frame of a slide is for."""
_SVG = "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}"
_FURNITURE = ("header", "footer", "date-time", "page-number")


def parse_odt(data: bytes) -> FlowDocument:
    """Return the content of a text document with its tracked changes accepted.

    Raises:
        DocumentError: it is encrypted, damaged, or too large when unpacked.
    """
    package = OpenDocument(data)
    heads, feet = ([FlowBlock("furniture", text) for text in package.margins(kind)] for kind in ("header", "footer"))
    blocks = [*heads, *_with_listings(Flow(package).read(package.body())), *feet]
    return FlowDocument(blocks, package.properties(), rejects=package.rejects)


def _with_listings(blocks: Iterable[FlowBlock]) -> Iterator[FlowBlock]:
    """Yield blocks with lines of code that follow each other as one."""
    for is_code, run in groupby(blocks, key=lambda block: block.kind == "code"):
        found = list(run)
        yield from [FlowBlock("code", "\n".join(line.text for line in found).strip("\n"))] if is_code else found


def parse_odp(data: bytes) -> FlowDocument:
    """Return the slides of a presentation, each a page, its notes last.

    Raises:
        DocumentError: it is encrypted, damaged, or too large when unpacked.
    """
    package = OpenDocument(data)
    slides = [node for node in package.body() if local_name(node) == "page"]
    ordered = [_in_reading_order(slide) for slide in slides]
    blocks = [block._replace(page_number=n) for n, shapes in enumerate(ordered, 1) for block in Flow(package).read(shapes)]
    if slides and any(frame.get(_CLASS) == "subtitle" for frame in slides[0].iter(f"{DRAWN}frame")):
        blocks = [_below_title(block) for block in blocks]
    pages = [page(n + 1) for n in range(max(1, len(slides)))]
    return FlowDocument(blocks, package.properties(), pages, package.rejects)


def _in_reading_order(slide: XmlElement) -> list[XmlElement]:
    """Return the title of a slide, its other shapes in reading order, and its notes and comments."""
    shapes = [node for node in slide if str(node.tag).startswith(DRAWN)]
    titles = [node for node in shapes if node.get(_CLASS) == "title"]
    others = in_order([(node, _box(node)) for node in shapes if node.get(_CLASS) != "title"])
    rest = [node for node in slide if not str(node.tag).startswith(DRAWN)]
    return [*titles, *(node for node, _ in others), *rest]


def _box(shape: XmlElement) -> Box | None:
    """Return the box of a shape or of the shapes of a group, in points; None if it has no place."""
    boxes = []
    for node in shape.iter(f"{DRAWN}*"):
        left, top, width, height = (emu(node.get(f"{_SVG}{side}")) for side in ("x", "y", "width", "height"))
        if left is not None and top is not None and width is not None and height is not None:
            x, y = left / EMU_PER_POINT, top / EMU_PER_POINT
            boxes.append((x, y, x + width / EMU_PER_POINT, y + height / EMU_PER_POINT))
    return union(boxes) if boxes else None


def _below_title(block: FlowBlock) -> FlowBlock:
    """Return a block of a presentation whose first slide has its title: titles of others are below it."""
    if block.kind != "heading":
        return block
    return block._replace(kind="title") if block.page_number == 1 else block._replace(level=2)


class Flow:
    """Reads an element of a document as blocks."""

    def __init__(self, package: OpenDocument) -> None:
        self._package = package
        self._numbering = OpenNumbering(package.list_styles())
        self._list_style, self._label = "", ""

    def read(self, nodes: Iterable[XmlElement], depth: int = 0) -> Iterator[FlowBlock]:
        """Yield what is in `nodes`, or in the children of one element; `depth` is that of lists."""
        for child in nodes:
            kind = local_name(child)
            if kind == "h":
                level = max(1, number(child.get(f"{TEXT}outline-level"), 1))
                self._label = self._label or self._numbering.label(OUTLINE, level) or _written_label(child)
                yield from self._paragraph(child, "heading", level)
            elif kind == "list":
                yield from self._list(child, depth)
            elif kind == "p":
                yield from self._styled(child, depth)
            elif kind == "table" and _n_columns(child) < 2:  # only a frame, as in Word
                yield from self.read(child)
            elif kind == "table":
                apart: list[FlowBlock] = []
                yield FlowBlock("table", cells=tuple(self._cells(child, apart)), n_head=_n_head(child))
                yield from apart
            elif kind in _CONTENTS:
                yield from (FlowBlock("furniture", text) for text in map(tidy, text_lines(child)) if text)
            elif kind == "section" and child.get(f"{TEXT}display") == "none":
                yield from (FlowBlock("hidden", text) for text in filter(None, text_lines(child)))
            elif kind == "notes":
                said = filter(lambda block: block.kind not in ("furniture", "figure"), self.read(child))
                yield from (block._replace(text=f"Notes: {block.text}") if n == 0 else block for n, block in enumerate(said))
            elif (formula := child.get(FORMULA)) is not None:
                yield FlowBlock("equation", formula)
            elif kind == "note":
                yield FlowBlock("footnote", f"{note_mark(child)} {one_line(' '.join(text_lines(child)))}".strip())
            elif kind == "annotation":
                yield FlowBlock("note", one_line(" ".join(text_lines(child))))
            elif child.get(_CLASS) in _FURNITURE:
                yield from (FlowBlock("furniture", text) for text in map(tidy, text_lines(child)) if text)
            elif kind == "frame" and child.get(_CLASS) == "title":
                text = one_line(" ".join(text_lines(child)))
                yield from [FlowBlock("heading", text, level=1)] if text else []
            elif kind == "frame" and (embedded := self._package.embedded(child)) is not None and is_chart(embedded):
                yield FlowBlock("figure", open_chart_text(embedded))
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

    def _styled(self, node: XmlElement, depth: int) -> Iterator[FlowBlock]:
        """Yield a paragraph of the kind that its style names, else an item if lists are around it."""
        names = self._package.style_names(node)
        kind = next((KINDS[name] for name in names if name in KINDS), "list_item" if depth else "paragraph")
        if any(map(CONTENTS.fullmatch, names)):
            kind = "furniture"
        yield from self._paragraph(node, kind, {"title": 1, "list_item": depth}.get(kind))

    def _paragraph(self, node: XmlElement, kind: str, level: int | None) -> Iterator[FlowBlock]:
        """Yield a paragraph, then what hangs on it."""
        text = tidy(paragraph_text(node))
        formulas = "".join(frame.get(FORMULA) or "" for frame in node.iter(f"{DRAWN}frame"))
        if kind == "code":
            yield FlowBlock("code", paragraph_code(node))
        elif text and "".join(formulas.split()) == "".join(text.split()):
            yield FlowBlock("equation", text)
        elif text:
            yield FlowBlock(kind, self._label + text, level=level)
            self._label = ""
        yield from self.read(_hung(node))

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


def _hung(node: XmlElement) -> Iterator[XmlElement]:
    """Yield what hangs on a paragraph, the outermost: notes, comments, frames and shapes but formulas, which are in its text."""
    for child in node:
        if local_name(child) in ("note", "annotation") or str(child.tag).startswith(DRAWN):
            yield from [child] if child.get(FORMULA) is None else []
        else:
            yield from _hung(child)


def _n_columns(table: XmlElement) -> int:
    widths = (sum(number(cell.get(f"{TABLE}number-columns-repeated"), 1) for cell in row) for row in _rows(table))
    return max(widths, default=0)


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
