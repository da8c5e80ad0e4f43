"""The flow of a Word document: paragraphs, lists, tables, text boxes and notes as blocks, in order."""

from collections.abc import Callable, Iterable, Sequence

from tasks.parse.elements.flow_document import MAX_NESTED_TABLES, FlowBlock, one_line, tidy
from tasks.parse.layout.prose import clean
from tasks.parse.office.omml import equation_text
from tasks.parse.office.package import TolerantPackage
from tasks.parse.office.word_content import ParagraphContent
from tasks.parse.office.word_numbering import Numbering
from tasks.parse.office.word_styles import ParagraphStyle, Styles
from tasks.parse.office.word_text import TextReader
from tasks.parse.office.xml import XmlElement, chosen, find, find_all, is_on, name, number, value
from tasks.parse.tables.cells import Cell
from tasks.parse.web.numerals import numeral

_GONE = frozenset(map(name, ("w:del", "w:moveFrom", "w:sectPr", "w:sdtPr", "w:tblPr", "w:tblGrid")))


class WordDocument:
    """What all parts of one Word document share: styles, counters of lists and notes."""

    def __init__(
        self,
        package: TolerantPackage,
        styles: Styles,
        numbering: Numbering,
        notes: dict[str, tuple[str, dict[str, XmlElement]]],
        read_embedded: Callable[[bytes], list[FlowBlock]],
    ) -> None:
        """`notes` are, for footnotes and endnotes, their part and their elements by id.

        `read_embedded` reads a file that stands in the text as a part of it.
        """
        self.package, self.styles, self.numbering, self.notes = package, styles, numbering, notes
        self.read_embedded = read_embedded
        self._seen: dict[str, list[str]] = {"footnote": [], "endnote": []}

    def note_label(self, kind: str, note_id: str) -> str:
        """Return the number of a note, in the order of first references. Endnotes have Roman numbers, as in Word."""
        seen = self._seen[kind]
        if note_id not in seen:
            seen.append(note_id)
        return numeral(seen.index(note_id) + 1, "decimal" if kind == "footnote" else "lowerRoman")


class WordFlow:
    """Reads one part, or one cell or text box of it."""

    def __init__(self, document: WordDocument, part: str, depth: int = 0) -> None:
        """`depth` is the number of tables, boxes and notes around it."""
        self._document, self._part, self._depth = document, part, depth
        self._text = TextReader(document.package, part, document.styles.looks, document.note_label)
        self._blocks: list[FlowBlock] = []
        self._carried = ParagraphContent()
        self._in_contents = False

    def read(self, nodes: Iterable[XmlElement]) -> list[FlowBlock]:
        """Return the blocks of `nodes`, or of the children of one element."""
        for node in nodes:
            self._take(node)
        if self._carried.parts:
            self._emit(self._carried, ParagraphStyle("paragraph"), "")
        return self._blocks

    def _take(self, node: XmlElement) -> None:
        if node.tag == name("w:p"):
            self._paragraph(node)
        elif node.tag == name("w:tbl"):
            self._table(node)
        elif node.tag in (name("m:oMathPara"), name("m:oMath")):
            self._blocks.append(FlowBlock("equation", equation_text(node)))
        elif node.tag == name("w:sdt"):
            self._control(node)
        elif node.tag == name("mc:AlternateContent"):
            for child in chosen(node):
                self._take(child)
        elif node.tag == name("w:altChunk"):
            target = self._document.package.relations(self._part).get(node.get(name("r:id")) or "")
            self._blocks += self._document.read_embedded((self._document.package.read(target) if target else None) or b"")
        elif node.tag not in _GONE:
            for child in node:
                self._take(child)

    def _control(self, node: XmlElement) -> None:
        """Read a content control. A table of contents is furniture, and a prompt is no text."""
        before = self._in_contents
        self._in_contents = before or value(node, "w:sdtPr/w:docPartObj/w:docPartGallery") == "Table of Contents"
        for child in find_all(node, "w:sdtContent/*") if not is_on(node, "w:sdtPr/w:showingPlcHdr") else ():
            self._take(child)
        self._in_contents = before

    def _paragraph(self, node: XmlElement) -> None:
        content = self._text.read(node, self._carried)
        self._carried = ParagraphContent()
        properties = find(node, "w:pPr")
        if is_on(properties, "w:rPr/w:del") or is_on(properties, "w:rPr/w:moveFrom") or _is_drop_cap(properties):
            self._carried = content
            return
        style = self._document.styles.style_of(node)
        if is_on(properties, "w:rPr/w:vanish") and not content.text.strip():
            style = style._replace(numbering=None)
        label = self._document.numbering.label(*style.numbering) if style.numbering else ""
        self._emit(content, style._replace(kind="furniture") if self._in_contents else style, label)

    def _emit(self, content: ParagraphContent, style: ParagraphStyle, label: str) -> None:
        """Append a paragraph, then its figures, text boxes and notes."""
        text = tidy(content.text)
        if style.kind == "code":
            self._code(clean(content.text).rstrip())
        elif text and content.has_equations and not content.has_words:
            self._blocks.append(FlowBlock("equation", text))
        elif text:
            level = style.depth if style.kind == "list_item" else style.level
            self._blocks.append(FlowBlock(style.kind, label + text, level))
        self._blocks += content.figures
        for box in content.boxes if self._depth < MAX_NESTED_TABLES else ():
            self._blocks += WordFlow(self._document, self._part, self._depth + 1).read(box)
        for note in dict.fromkeys(content.notes):
            self._note(*note)

    def _code(self, text: str) -> None:
        """Append a line of code to the listing above it, if there is one."""
        last = self._blocks[-1] if self._blocks else None
        if last is not None and last.kind == "code":
            self._blocks[-1] = last._replace(text=f"{last.text}\n{text}")
        elif text.strip():
            self._blocks.append(FlowBlock("code", text))

    def _note(self, kind: str, note_id: str, label: str) -> None:
        """Append a footnote or endnote behind its mark, or a comment."""
        part, notes = self._document.notes[kind]
        if note_id in notes and self._depth < MAX_NESTED_TABLES:
            inside = WordFlow(self._document, part, self._depth + 1).read(notes[note_id])
            text = one_line(" ".join(block.text or _row_text(block) for block in inside))
            if text:
                self._blocks.append(FlowBlock("note", text) if kind == "comment" else FlowBlock("footnote", f"{label} {text}"))

    def _table(self, node: XmlElement) -> None:
        """Append a table. A table with one column is only a frame, so its content is appended instead."""
        rows = [row for row in _rows(node) if not is_on(row, "w:trPr/w:del")]
        widths = [sum(_span(cell) for cell in _cells(row)) for row in rows]
        if max(widths, default=0) < 2 or self._depth >= MAX_NESTED_TABLES:
            for cell in (cell for row in rows for cell in _cells(row)):
                self._blocks += WordFlow(self._document, self._part, self._depth + 1).read(cell)
            return
        inside = [[self._cell(cell) for cell in _cells(row)] for row in rows]
        n_head = next((n for n, row in enumerate(rows) if not is_on(row, "w:trPr/w:tblHeader")), len(rows))
        self._blocks.append(FlowBlock("table", cells=tuple(_placed(rows, inside)), n_head=n_head or 1))
        self._blocks += [block for row in inside for blocks in row for block in blocks if _stands_apart(block)]

    def _cell(self, cell: XmlElement) -> list[FlowBlock]:
        """Return the blocks of a cell; none if it is a prompt, which stands around the cell."""
        control = next(cell.iterancestors(name("w:sdt"), name("w:tr")), None)
        prompt = control is not None and is_on(control, "w:sdtPr/w:showingPlcHdr")
        return [] if prompt else WordFlow(self._document, self._part, self._depth + 1).read(cell)


def _is_drop_cap(properties: XmlElement | None) -> bool:
    """Return whether a paragraph is the large letter that the next one begins with."""
    return value(properties, "w:framePr", "w:dropCap") in ("drop", "margin")


def _rows(table: XmlElement) -> list[XmlElement]:
    return [row for row in table.iter(name("w:tr")) if _owner(row, "w:tbl") is table]


def _cells(row: XmlElement) -> list[XmlElement]:
    found = [cell for cell in row.iter(name("w:tc")) if _owner(cell, "w:tr") is row]
    return [cell for cell in found if find(cell, "w:tcPr/w:cellDel") is None]


def _owner(node: XmlElement, tag: str) -> XmlElement | None:
    """Return the nearest element around `node` that has `tag`: rows and cells may be inside content controls."""
    return next(node.iterancestors(name(tag)), None)


def _span(cell: XmlElement) -> int:
    return max(1, min(number(value(cell, "w:tcPr/w:gridSpan"), 1), 1000))


def _stands_apart(block: FlowBlock) -> bool:
    return block.picture is not None or block.kind in ("footnote", "note")


def _placed(rows: Sequence[XmlElement], inside: list[list[list[FlowBlock]]]) -> list[Cell]:
    """Return the cells at their places in the grid. A cell that continues the one above extends that one."""
    cells: list[Cell] = []
    open_: dict[int, int] = {}
    for r, row in enumerate(rows):
        column = number(value(row, "w:trPr/w:gridBefore"), 0)
        still: dict[int, int] = {}
        for cell, blocks in zip(_cells(row), inside[r], strict=True):
            span = _span(cell)
            merge = find(cell, "w:tcPr/w:vMerge")
            goes_on = merge is not None and merge.get(name("w:val"), "continue") == "continue"
            if goes_on and column in open_:
                at = still[column] = open_[column]
                cells[at] = cells[at]._replace(rows=r - cells[at].row + 1)
            else:
                if merge is not None:
                    still[column] = len(cells)
                cells.append(Cell(r, column, _cell_text(blocks), 1, span))
            column += span
        open_ = still
    return cells


def _cell_text(blocks: list[FlowBlock]) -> str:
    return one_line(" ".join(block.text or _row_text(block) for block in blocks if not _stands_apart(block)))


def _row_text(block: FlowBlock) -> str:
    return " ".join(cell.text for cell in block.cells)
