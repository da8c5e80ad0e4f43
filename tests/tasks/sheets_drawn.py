"""Small workbooks that the tests draw themselves."""

import io
import zipfile
from datetime import date, datetime
from typing import Any

import openpyxl
from openpyxl.comments import Comment
from openpyxl.drawing.image import Image

from tests.tasks import drawn

SALES = [("Region", "Day", "Share", "Sales"), ("North", date(2024, 3, 1), 0.256, 1234.5), ("South", date(2024, 3, 2), 0.744, 90)]


def workbook() -> bytes:
    """Two sheets with captions, formats, merged, hidden and noted cells, a picture, and a hidden sheet."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Sales 2024"
    sheet["B2"] = "Sales by region"
    sheet.merge_cells("B2:E2")
    for values in SALES:
        sheet.append([None, *values])
    for row in (4, 5):
        sheet.cell(row, 4).number_format, sheet.cell(row, 5).number_format = "0.0%", '#,##0.00 "€"'
    sheet.append([None, "West", datetime(2024, 3, 3), 0.5, 7])
    sheet.row_dimensions[5].hidden = True
    sheet["E4"].comment = Comment("Counted twice", "A. Miller")
    sheet["H9"] = "A text that stands alone."
    sheet.add_image(Image(io.BytesIO(drawn.chart_png())), "H12")
    costs = book.create_sheet("Costs")
    for line in (
        ("Cost", None, "Secret", "All"),
        ("first", "second", "x", "sum"),
        (1, 2, 3, 6),
        ("=cmd|'/c calc'!A1", True, "y", "#N/A"),
    ):
        costs.append(line)
    costs.merge_cells("A1:B1")
    costs["A4"].data_type = "s"
    costs.column_dimensions["C"].hidden = True
    secret = book.create_sheet("Secret")
    secret.append(["key", "value"])
    secret.append(["a", 1])
    secret.sheet_state = "hidden"
    book.properties.title, book.properties.creator = "The sales", "A. Miller"
    return saved(book)


def saved(book: Any) -> bytes:
    sink = io.BytesIO()
    book.save(sink)
    return sink.getvalue()


def old_workbook() -> bytes:
    """A workbook in the old format: formats, merged cells, a hidden row."""
    import xlwt

    book = xlwt.Workbook()
    sheet = book.add_sheet("Sales")
    sheet.write_merge(0, 0, 0, 3, "Sales by region")
    styles = [xlwt.easyxf(num_format_str=code) for code in ("General", "yyyy-mm-dd", "0.0%", '#,##0.00 "€"')]
    for n, row in enumerate(SALES, 1):
        for m, (value, style) in enumerate(zip(row, styles, strict=True)):
            sheet.write(n, m, value, style if n > 1 else styles[0])
    sheet.row(3).hidden = True
    book.add_sheet("Empty")
    return saved(book)


def open_workbook() -> bytes:
    """A workbook of LibreOffice: repeated and merged cells, a note, a hidden row."""
    names = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text", "style")
    )

    def row(*cells: str, attributes: str = "") -> str:
        shown = "".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in cells)
        return f"<table:table-row {attributes}>{shown}</table:table-row>"

    note = "<office:annotation><text:p>Counted twice</text:p></office:annotation>"
    same = f'<table:table-cell table:number-columns-repeated="2">{note}<text:p>same</text:p></table:table-cell>'
    blank = '<table:table-cell table:number-columns-repeated="16000"/>'
    rows = [
        row("Region", "Share"),
        row("North", "25.6%"),
        row("South", "74.4%", attributes='table:visibility="collapse"'),
        f"<table:table-row>{same}{blank}</table:table-row>",
        f'<table:table-row table:number-rows-repeated="1000000">{blank}</table:table-row>',
    ]
    sheet = f'<table:table table:name="Sales">{"".join(rows)}</table:table>'
    body = f"<office:body><office:spreadsheet>{sheet}</office:spreadsheet></office:body>"
    return packed({"content.xml": f"<office:document-content{names}>{body}</office:document-content>"}, "spreadsheet")


def packed(parts: dict[str, str], kind: str) -> bytes:
    """Return an Open Document file of some parts."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", f"application/vnd.oasis.opendocument.{kind}")
        for name, part in {"meta.xml": "<meta/>", **parts}.items():
            archive.writestr(name, part)
    return sink.getvalue()


CSV = """Flour sold;;
;;
Region;Sold on;"Price; net"
North;2024-03-01;"1,5"
"South, by
the river";2024-03-02;2
=1+1;;3
""".encode("cp1252")
