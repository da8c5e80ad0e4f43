"""ODS: the sheets of a workbook of LibreOffice and other programs. The file has the text that each cell shows."""

import itertools
from collections.abc import Iterator

from schemas.records import Reason
from tasks.parse.elements.flow_document import FlowBlock, FlowDocument, note
from tasks.parse.layout.prose import clean
from tasks.parse.office.open_document import DRAWN, TABLE, OpenDocument, local_name, paragraph_text, text_lines
from tasks.parse.office.open_text import Flow
from tasks.parse.office.xml import XmlElement, number
from tasks.parse.sheets.sheet import Merged, Sheet, sheet_blocks

MAX_REPEATED = 1_000
"""Most cells, and most rows, that one cell or row with text may stand for."""


def parse_ods(data: bytes) -> FlowDocument:
    """Return the content of a workbook: of each sheet its name as a heading, its tables and notes.

    Raises:
        DocumentError: it is encrypted, damaged, in another format, or too large when unpacked.
    """
    package = OpenDocument(data)
    document = FlowDocument([], package.properties(), rejects=package.rejects)
    document.stream = _blocks(package, document.rejects)
    return document


def _blocks(package: OpenDocument, rejects: list[Reason]) -> Iterator[FlowBlock]:
    body = package.body()
    hidden = {style.get(_S) for style in package.content.iter("{*}style") if any(one.get(_D) == "false" for one in style)}
    cut = 0
    for table in body.iter("{*}table"):
        if any(local_name(above) == "table" for above in table.iterancestors()):
            continue
        sheet = Sheet(clean(_get(table, "name")), is_hidden=table.get(TABLE + "style-name") in hidden)
        cut += _read_table(sheet, table)
        drawn = [node for node in table.iter(f"{DRAWN}*") if not any(True for _ in node.iterancestors(f"{DRAWN}*"))]
        for block in Flow(package).read(drawn) if drawn else ():
            sheet.drawn.append(block if block.picture else block._replace(kind="paragraph"))
        yield from sheet_blocks(sheet)
    if cut:
        message = f"{cut} repeated rows or cells with text were read only {MAX_REPEATED} times"
        rejects.append(note("CellError", message, "open the workbook, check how far its cells are filled, and save it again"))


def _value(cell: XmlElement) -> str:
    """Return the value of a cell that has no text to show."""
    named = ("string-value", "date-value", "time-value", "boolean-value", "value")
    return next((value for name in named if (value := cell.get(_OFFICE + name))), "")


_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_D = TABLE + "display"
_S = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}name"


def _get(node: XmlElement, name: str) -> str:
    return node.get(TABLE + name) or ""


def _read_table(sheet: Sheet, table: XmlElement) -> int:
    """Read the rows and columns of a table; return how many repetitions were cut short."""
    column = row = cut = 0
    for node in table.iter("{*}table-column", "{*}table-row"):
        repeated = max(1, number(_get(node, "number-columns-repeated") or _get(node, "number-rows-repeated"), 1))
        hidden = _get(node, "visibility") in ("collapse", "filter")
        if local_name(node) == "table-column":
            sheet.hidden_columns.update(range(column, min(column + repeated, 16384)) if hidden else ())
            column += repeated
            continue
        cells, n_cut = _read_row(sheet, row, node)
        kept = min(repeated, MAX_REPEATED) if cells else 0
        cut += n_cut + (kept < repeated if cells else 0)
        sheet.rows.update((row + n, cells) for n in range(kept))
        sheet.hidden_rows.update(range(row, row + kept) if hidden else ())
        row += repeated
    return cut


def _read_row(sheet: Sheet, row: int, node: XmlElement) -> tuple[dict[int, str], int]:
    """Return the texts of a row's cells, and how many repetitions were cut short; merged cells and notes go to the sheet."""
    cells: dict[int, str] = {}
    column = cut = 0
    for cell in node:
        repeated = max(1, number(_get(cell, "number-columns-repeated"), 1))
        lines = [paragraph_text(one) for one in cell if local_name(one) == "p"]
        text = ("\n".join(lines).strip() or _value(cell)) if local_name(cell) == "table-cell" else ""
        if text:
            cut += repeated > MAX_REPEATED
            cells.update(dict.fromkeys(range(column, column + min(repeated, MAX_REPEATED)), text))
        height, width = (number(_get(cell, f"number-{side}-spanned"), 1) for side in ("rows", "columns"))
        if height > 1 or width > 1:
            sheet.merged.append(Merged(row, column, row + height - 1, column + width - 1))
        for remark in itertools.islice(cell.iter("{*}annotation"), 1):
            sheet.notes.append((row, column, "\n".join(text_lines(remark))))
        column += repeated
    return cells, cut
