"""XLSX and XLSM: the sheets of an Excel workbook as they are shown.

The parts are read as a stream: libraries that keep formats, merged cells and notes keep every cell as an object, and need some
fifty times the size of the file.
"""

import re
from collections.abc import Iterator

from schemas.errors import DocumentError
from schemas.records import Reason
from tasks.parse.elements.flow_document import FlowBlock, FlowDocument, note
from tasks.parse.layout.prose import clean
from tasks.parse.office.charts import chart_text
from tasks.parse.office.package import EXCEL, Package, TolerantPackage
from tasks.parse.office.properties import office_properties
from tasks.parse.office.xml import XmlElement, number, unescaped
from tasks.parse.raised import STRUCK, shifted_text
from tasks.parse.sheets.number_formats import BUILT_IN, show_number, show_plainly
from tasks.parse.sheets.sheet import Merged, Sheet, sheet_blocks

_REFERENCE = re.compile(r"\$?([A-Z]{1,3})\$?(\d{1,7})(?::\$?([A-Z]{1,3})\$?(\d{1,7}))?")
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_CHECK = "open the workbook in Excel, check what is missing, and save it again"
MAX_CELLS = 5_000_000
"""More cells with text need more memory than a worker has."""


def parse_xlsx(data: bytes) -> FlowDocument:
    """Return the content of a workbook: of each sheet its name as a heading, its tables, notes, charts and pictures.

    Raises:
        DocumentError: it is encrypted, damaged, in another format, too large when unpacked, or has too many cells.
    """
    package = Package(data, EXCEL)
    parts = TolerantPackage(package)
    workbook = Workbook(package, parts)
    document = FlowDocument([], office_properties(parts))
    document.stream = _blocks(workbook, document.rejects)
    return document


def _blocks(workbook: "Workbook", rejects: list[Reason]) -> Iterator[FlowBlock]:
    for name, part, is_hidden in workbook.sheets():
        sheet = Sheet(name, is_hidden=is_hidden)
        try:
            workbook.read_sheet(sheet, part)
        except DocumentError as error:
            if workbook.n_cells > MAX_CELLS:
                raise
            rejects.append(note("PartError", f"sheet {name}: {error}; what is before that was read", _CHECK))
        yield from sheet_blocks(sheet)
    rejects += [note("PartError", f"{problem}; the rest of the workbook was read", _CHECK) for problem in workbook.parts.problems]
    if workbook.n_unvalued:
        message = f"{workbook.n_unvalued} formulas have no values in the file: the formulas themselves were read"
        rejects.append(
            note("FormulaError", message, "open the workbook in a spreadsheet program, and save it: that adds the values")
        )


class Workbook:
    """The sheets of a workbook, and what their cells refer to: shared texts and formats of numbers."""

    def __init__(self, package: Package, parts: TolerantPackage) -> None:
        self._package, self.parts = package, parts
        self._main = package.main_part
        self._texts = [_rich_text(node) for node in self._shared_texts()]
        self._formats = self._number_formats()
        properties = next((node for node in package.main_tree if _local(node) == "workbookPr"), None)
        self._since_1904 = properties is not None and properties.get("date1904", "") in ("1", "true")
        self.n_cells = self.n_unvalued = 0

    def sheets(self) -> Iterator[tuple[str, str, bool]]:
        """Yield the name and the part of each sheet with cells, and whether it is hidden."""
        targets = self._package.relations(self._main, "/worksheet")
        for node in self._package.main_tree.iter("{*}sheet"):
            part = targets.get(node.get(f"{_R}id") or "")
            if part:
                yield clean(node.get("name") or ""), part, node.get("state", "visible") != "visible"

    def _shared_texts(self) -> Iterator[XmlElement]:
        for part in list(self._package.relations(self._main, "/sharedStrings").values())[:1]:
            yield from self._package.elements(part, "si")

    def _number_formats(self) -> list[str]:
        """Return the format of each style of cells; "" for the general one."""
        own: dict[int, str] = {}
        styles = next(iter(self._package.relations(self._main, "/styles").values()), "")
        tree = self.parts.tree(styles) if styles else None
        found: list[str] = []
        for node in tree if tree is not None else ():
            if _local(node) == "numFmts":
                own = {number(one.get("numFmtId"), -1): one.get("formatCode") or "" for one in node}
            if _local(node) == "cellXfs":
                ids = [number(one.get("numFmtId"), 0) for one in node]
                found = [own.get(id_, BUILT_IN.get(id_, "")) for id_ in ids]
        return ["" if code.lower() in ("general", "@") else code for code in found]

    def read_sheet(self, sheet: Sheet, part: str) -> None:
        """Read what is on a sheet.

        Raises:
            DocumentError: its part is damaged, or there are too many cells in the workbook; `sheet` has what is before that.
        """
        row_number = -1
        for node in self._package.elements(part, "row", "col", "mergeCell"):
            kind = _local(node)
            if kind == "row":
                row_number = number(node.get("r"), row_number + 2) - 1
                self._read_row(sheet, row_number, node)
            elif kind == "mergeCell" and (merged := _REFERENCE.fullmatch(node.get("ref") or "")) and merged[3]:
                sheet.merged.append(
                    Merged(int(merged[2]) - 1, column_number(merged[1]), int(merged[4]) - 1, column_number(merged[3]))
                )
            elif kind == "col" and node.get("hidden") in ("1", "true"):
                last = min(number(node.get("max"), 0), 16384)
                sheet.hidden_columns.update(range(number(node.get("min"), 1) - 1, last))
        self._read_around(sheet, part)

    def _read_row(self, sheet: Sheet, row: int, node: XmlElement) -> None:
        cells: dict[int, str] = {}
        column = -1
        for cell in node:
            reference = cell.get("r")
            column = column_number(reference.rstrip("0123456789")) if reference else column + 1
            text = self._shown(cell)
            if text and not text.isspace():
                cells[column] = text
        if cells:
            sheet.rows[row] = cells
            self.n_cells += len(cells)
            if self.n_cells > MAX_CELLS:
                raise DocumentError(f"the workbook has more than {MAX_CELLS:,} cells with text")
        if node.get("hidden") in ("1", "true"):
            sheet.hidden_rows.add(row)

    def _shown(self, cell: XmlElement) -> str:
        """Return a cell's text as it is shown."""
        value = formula = None
        kind = cell.get("t")
        for node in cell:
            if node.tag.endswith("}v"):
                value = node.text or ("" if kind == "str" else None)
            elif node.tag.endswith("}f"):
                formula = node.text
            elif node.tag.endswith("}is"):
                return _rich_text(node)
        if value is None:
            self.n_unvalued += formula is not None
            return f"={formula}" if formula else ""
        if kind == "s":
            return self._texts[int(value)] if value.isdecimal() and int(value) < len(self._texts) else ""
        if kind == "b":
            return "TRUE" if value == "1" else "FALSE"
        return self._shown_number(value, cell.get("s")) if kind in (None, "n") else clean(unescaped(value))

    def _shown_number(self, value: str, style: str | None) -> str:
        code = self._formats[int(style)] if style and style.isdecimal() and int(style) < len(self._formats) else ""
        if not code and value.isdecimal():
            return value
        try:
            return show_number(float(value), code, self._since_1904) if code else show_plainly(float(value))
        except ValueError:
            return value

    def _read_around(self, sheet: Sheet, part: str) -> None:
        """Read the comments, charts, pictures and labels of a sheet."""
        threaded = self.parts.relations(part, "/threadedComment").values()
        for comments in list(threaded) or self.parts.relations(part, "/comments").values():
            tree = self.parts.tree(comments)
            for node in tree.iter("{*}comment", "{*}threadedComment") if tree is not None else ():
                at = _REFERENCE.fullmatch(node.get("ref") or "")
                text = "".join(_rich_text(one) or clean(one.text or "") for one in node if _local(one) == "text")
                if at and text.strip():
                    sheet.notes.append((int(at[2]) - 1, column_number(at[1]), text))
        for drawing in self.parts.relations(part, "/drawing").values():
            sheet.drawn += self._drawn(drawing)

    def _drawn(self, drawing: str) -> Iterator[FlowBlock]:
        tree = self.parts.tree(drawing)
        for body in tree.iter("{*}txBody") if tree is not None else ():
            text = "\n".join("".join(run.text or "" for run in p.iter("{*}t")) for p in body.iter("{*}p")).strip()
            if text:
                yield FlowBlock("paragraph", clean(text))
        for chart in self.parts.relations(drawing, "/chart").values():
            if text := chart_text(self.parts.tree(chart)):
                yield FlowBlock("paragraph", text)
        for picture in self.parts.relations(drawing, "/image").values():
            yield FlowBlock("figure", picture=self.parts.read(picture))


def _local(node: XmlElement) -> str:
    return node.tag.rpartition("}")[2]


def column_number(letters: str) -> int:
    """Return the number of a column, counted from 0, by its letters.

    >>> column_number("A"), column_number("AA"), column_number("XFD")
    (0, 26, 16383)
    """
    found = _COLUMNS.get(letters)
    if found is None:
        found = 0
        for letter in letters.upper()[:3]:
            found = found * 26 + ord(letter) - 64
        _COLUMNS[letters] = found = found - 1
    return found


_COLUMNS: dict[str, int] = {}


def _rich_text(node: XmlElement) -> str:
    """Return a text in runs, without the readings of its letters."""
    parts = []
    for run in node:
        if run.tag.endswith("}t"):
            parts.append((0, run.text or ""))
        elif run.tag.endswith("}r"):
            parts.append((_shift(run), "".join(part.text or "" for part in run if part.tag.endswith("}t"))))
    return clean(unescaped(shifted_text(parts)))


def _shift(run: XmlElement) -> int:
    looks = {_local(look): look.get("val") for properties in run if properties.tag.endswith("}rPr") for look in properties}
    if "strike" in looks and looks["strike"] not in ("0", "false"):
        return STRUCK
    return {"superscript": 1, "subscript": -1}.get(looks.get("vertAlign") or "", 0)
