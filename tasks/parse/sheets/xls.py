"""XLS: the sheets of a workbook in the old binary format of Excel."""

import io
import struct
from collections.abc import Sequence
from typing import Any

from schemas.errors import DocumentError
from schemas.records import NO_PROPERTIES
from tasks.parse.elements.flow_document import FlowDocument
from tasks.parse.layout.prose import clean
from tasks.parse.raised import STRUCK, shifted_text
from tasks.parse.rejections import blank, refusal
from tasks.parse.sheets.number_formats import show_number, show_plainly
from tasks.parse.sheets.sheet import Merged, Sheet, sheet_blocks

DAMAGE = (
    ValueError, IndexError, KeyError, AssertionError, TypeError, AttributeError, OverflowError, MemoryError, RecursionError,
    ZeroDivisionError, struct.error,
)  # fmt: skip
"""What xlrd raises where the records of a damaged file contradict each other."""
_COPY = "get a complete copy of the file, or save it as .xlsx"


def parse_xls(data: bytes) -> FlowDocument:
    """Return the content of a workbook: of each sheet its name as a heading, its tables and notes.

    Raises:
        DocumentError: it is encrypted, damaged or in another format.
    """
    import xlrd

    if not data:
        raise blank(data)
    try:
        book = xlrd.open_workbook(file_contents=data, formatting_info=True, logfile=io.StringIO())
        blocks = [block for sheet in book.sheets() for block in sheet_blocks(_read_sheet(book, sheet))]
    except xlrd.XLRDError as error:
        if "encrypted" in str(error):
            raise refusal(
                DocumentError, "the file opens only with a password", "save a copy without one, or exclude it"
            ) from error
        raise refusal(DocumentError, f"the workbook cannot be read: {str(error)[:200]}", _COPY) from error
    except (*DAMAGE, xlrd.compdoc.CompDocError) as error:
        raise refusal(DocumentError, "the workbook is damaged or truncated", _COPY) from error
    author = clean(book.user_name or "").strip() or None
    return FlowDocument(blocks, {**NO_PROPERTIES, "author": author})


def _read_sheet(book: Any, found: Any) -> Sheet:
    runs = found.rich_text_runlist_map
    sheet = Sheet(clean(found.name), is_hidden=bool(found.visibility))
    for row in range(found.nrows):
        shown = ((column, _show_cell(book, cell, runs.get((row, column)))) for column, cell in enumerate(found.row(row)))
        cells = {column: text for column, text in shown if text.strip()}
        if cells:
            sheet.rows[row] = cells
    sheet.merged = [Merged(top, left, bottom - 1, right - 1) for top, bottom, left, right in found.merged_cells]
    sheet.hidden_rows = {row for row, info in found.rowinfo_map.items() if info.hidden}
    sheet.hidden_columns = {column for column, info in found.colinfo_map.items() if info.hidden}
    sheet.notes = [
        (row, column, clean(note.text)) for (row, column), note in sorted(found.cell_note_map.items()) if note.text.strip()
    ]
    return sheet


def _show_cell(book: Any, cell: Any, runs: Sequence[tuple[int, int]] | None) -> str:
    """Return a cell's text as it is shown; `runs` are where its looks change, and to which font."""
    import xlrd

    if cell.ctype == xlrd.XL_CELL_TEXT:
        return clean(shifted_text(_cut_at_runs(book, cell, runs)) if runs else cell.value)
    if cell.ctype in (xlrd.XL_CELL_NUMBER, xlrd.XL_CELL_DATE):
        code = book.format_map[book.xf_list[cell.xf_index].format_key].format_str
        plain = code.lower() in ("general", "@")
        return show_plainly(cell.value) if plain else show_number(cell.value, code, book.datemode == 1)
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return "TRUE" if cell.value else "FALSE"
    return xlrd.error_text_from_code.get(cell.value, "#ERROR") if cell.ctype == xlrd.XL_CELL_ERROR else ""


def _cut_at_runs(book: Any, cell: Any, runs: Sequence[tuple[int, int]]) -> list[tuple[int, str]]:
    fonts = [(0, book.xf_list[cell.xf_index].font_index), *runs]
    ends = [*(at for at, _ in runs), len(cell.value)]
    return [(_shift(book.font_list[font]), cell.value[at:end]) for (at, font), end in zip(fonts, ends, strict=True)]


def _shift(font: Any) -> int:
    return STRUCK if font.struck_out else {1: 1, 2: -1}.get(font.escapement, 0)
