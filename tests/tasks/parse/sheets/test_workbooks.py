import html
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import xlwt
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont

from schemas.options.chunking import ChunkOptions
from schemas.options.sections import DescribeOptions, ParseOptions
from tasks.chunk.chunk import chunk_content
from tasks.describe.io.describe import describe_content
from tasks.describe.io.examine import OcrSettings
from tasks.parse.io.parse import parse_staged
from tests.tasks import drawn, files_drawn, golden, office_drawn, sheets_drawn

SAMPLES: dict[str, Callable[[], bytes]] = {
    "sales.xlsx": sheets_drawn.workbook,
    "sales.xls": sheets_drawn.old_workbook,
    "sales.ods": sheets_drawn.open_workbook,
    "sales.csv": lambda: sheets_drawn.CSV,
}


def parsed(path: Path, data: bytes) -> dict[str, Any]:
    row: dict[str, Any] = parse_staged(drawn.content_of(path, data), ParseOptions(), lambda _: None).to_pylist()[0]
    return row


def places(row: dict[str, Any], kind: str) -> list[str]:
    return [element["place"] for element in row["elements"] if element["kind"] == kind]


@pytest.mark.parametrize("name", SAMPLES)
def test_a_workbook_reads_as_its_golden_file(name: str, tmp_path: Path) -> None:
    row = parsed(tmp_path / name, SAMPLES[name]())
    golden.check(row, name.replace(".", "_"))
    assert row["rejects"] == []


def test_tables_texts_and_notes_have_their_places(tmp_path: Path) -> None:
    row = parsed(tmp_path / "a.xlsx", sheets_drawn.workbook())
    assert places(row, "caption") == ["'Sales 2024'!B2"]
    assert places(row, "table") == ["'Sales 2024'!B3:E4,B6:E6", "Costs!A1:D4"]
    assert places(row, "note") == ["'Sales 2024'!E4"]
    assert places(row, "hidden") == ["'Sales 2024'!B5:E5", "Costs!A1:D4", None, "Secret!A1:B2"]
    assert places(row, "paragraph") == ["'Sales 2024'!H9"]
    assert (row["properties"]["title"], row["properties"]["author"]) == ("The sales", "A. Miller")
    assert len(row["figures"]) == 1


def test_chunks_of_a_long_table_repeat_its_header_and_cite_their_rows(tmp_path: Path) -> None:
    lines = "".join(f"{n},mill number {n},{n * 7}\n" for n in range(2, 3000))
    row = parsed(tmp_path / "mills.csv", f"id,name,tons\n{lines}".encode())
    described = describe_content(row, OcrSettings(DescribeOptions(), ParseOptions(ocr_languages="eng"))).to_pylist()[0]
    count = lambda texts: [len(text.split()) for text in texts]  # noqa: E731
    chunks = chunk_content(described, ChunkOptions(size_tokens=128), count).to_pylist()[0]["chunks"]
    assert len(row["elements"]) == 3 and len(chunks) > 100
    for chunk in chunks[1:]:
        first, last = (line.split("|")[1].strip() for line in (chunk["text"].split("\n")[0], chunk["text"].split("\n")[-1]))
        assert chunk["embedding_text"].startswith("| id | name | tons |\n| --- |")
        assert chunk["places"] == [f"A{first}:C{last}"]


def test_a_workbook_is_told_by_its_content(tmp_path: Path) -> None:
    for name, data, kind in (
        ("a.csv", sheets_drawn.workbook(), "an Excel workbook"),
        ("a.xlsx", sheets_drawn.old_workbook(), "an old Excel workbook"),
        ("a.xls", sheets_drawn.open_workbook(), "an Open Document workbook"),
        ("b.xls", b"<html><body><table><tr><th>a<th>b<tr><td>1<td>2<tr><td>3<td>4</table>", "HTML"),
        ("c.XLS", b"a\tb\n1\t2\n", "CSV"),
    ):
        row = parsed(tmp_path / name, data)
        assert f"the content is {kind}, not" in row["rejects"][0]["message"]
        assert "table" in {element["kind"] for element in row["elements"]}


@pytest.mark.parametrize("name", ["a.xlsx", "a.xls", "a.ods", "a.csv"])
@pytest.mark.parametrize("data", [b"", b"  \n"])
def test_an_empty_file_is_a_reject(name: str, data: bytes, tmp_path: Path) -> None:
    [reject] = parsed(tmp_path / name, data)["rejects"]
    assert (reject["page_number"], reject["final"]) == (0, True)
    assert reject["remedy"]


@pytest.mark.parametrize("name", ["a.xlsx", "a.xls", "a.ods"])
def test_a_truncated_workbook_is_a_reject(name: str, tmp_path: Path) -> None:
    data = SAMPLES[name.replace("a.", "sales.")]()
    for part in (0.3, 0.9):
        [reject] = parsed(tmp_path / name, data[: int(len(data) * part)])["rejects"]
        assert reject["page_number"] == 0 and reject["remedy"]


def test_an_empty_workbook_has_no_text(tmp_path: Path) -> None:
    [reject] = parsed(tmp_path / "a.xlsx", sheets_drawn.saved(openpyxl.Workbook()))["rejects"]
    assert reject["error"] == "EmptyDocument"


BOMB = "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'>" + "".join(
    f"<!ENTITY {name} '{10 * f'&{before};'}'>" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


def test_entities_and_relations_to_outside_are_not_resolved(tmp_path: Path) -> None:
    def change(parts: dict[str, bytes]) -> None:
        sheet = parts["xl/worksheets/sheet2.xml"].decode()
        outside = f"{BOMB}<!ENTITY file SYSTEM 'file:///etc/hostname'>]>"
        text = '<c r="D9" t="inlineStr"><is><t>x&i;&file;y</t></is></c>'
        parts["xl/worksheets/sheet2.xml"] = (
            outside + sheet.replace("</sheetData>", f'<row r="9">{text}</row></sheetData>')
        ).encode()

    row = parsed(tmp_path / "a.xlsx", office_drawn.changed(sheets_drawn.workbook(), change))
    assert "x" in " ".join(element["text"] for element in row["elements"])
    assert len(str(row["elements"])) < 10_000


def test_a_bomb_and_an_encrypted_workbook_are_rejects_with_a_remedy(tmp_path: Path) -> None:
    stated = bytearray(sheets_drawn.workbook())
    size = stated.index(b"PK\x01\x02") + 24
    stated[size : size + 4] = (600 * 2**20).to_bytes(4, "little")
    [reject] = parsed(tmp_path / "a.xlsx", bytes(stated))["rejects"]
    assert "ZIP bomb" in reject["message"]
    locked = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "EncryptedPackage".encode("utf-16-le")
    [reject] = parsed(tmp_path / "b.xlsx", locked)["rejects"]
    assert "password" in reject["message"]


def test_cells_at_the_far_ends_of_a_sheet_cost_nothing(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active["A1"], book.active["XFD1048576"] = "first", "last"

    def change(parts: dict[str, bytes]) -> None:
        merged = b'</sheetData><mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells>'
        parts["xl/worksheets/sheet1.xml"] = parts["xl/worksheets/sheet1.xml"].replace(b"</sheetData>", merged)

    row = parsed(tmp_path / "a.xlsx", office_drawn.changed(sheets_drawn.saved(book), change))
    assert "first" in " ".join(element["text"] for element in row["elements"])


def test_formulas_without_values_are_read_as_formulas_and_named(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for line in (["a", "b"], [1, "=SUM(A1:A2)"]):
        book.active.append(line)
    row = parsed(tmp_path / "a.xlsx", sheets_drawn.saved(book))
    assert "=SUM(A1:A2)" in row["elements"][1]["text"]
    assert "1 formulas have no values" in row["rejects"][0]["message"]


def test_a_quotation_mark_that_nothing_closes_swallows_no_rows(tmp_path: Path) -> None:
    lines = "".join(f"{n},{'some words of a row that is not short at all ' * 12}\n" for n in range(2_500))
    row = parsed(tmp_path / "a.csv", f'id,text\n1,"open\n{lines}'.encode())
    assert "never closed" in row["rejects"][0]["message"]
    assert sum(element["text"].count("\n") for element in row["elements"]) > 2_490


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_are_told_by_the_rows(delimiter: str, tmp_path: Path) -> None:
    lines = [["name", "what it is", "tons"], ["mill, the old", "a; b", "1"], ["weir", "c", "2"]]
    data = "\n".join(delimiter.join(f'"{value}"' for value in line) for line in lines).encode()
    [table] = parsed(tmp_path / "a.csv", data)["elements"]
    assert table["text"].split("\n")[2] == "| mill, the old | a; b | 1 |"
    assert table["place"] == "A1:C3"


def test_a_line_that_names_the_delimiter_is_no_row(tmp_path: Path) -> None:
    [table] = parsed(tmp_path / "a.csv", b"sep=;\r\nname;of,it\r\nmill;1,5\r\n")["elements"]
    assert table["text"].split("\n")[2] == "| mill | 1,5 |"
    assert table["place"] == "A2:B3"


def raised_in_xlsx() -> bytes:
    book, sink = openpyxl.Workbook(), io.BytesIO()
    raised, struck = TextBlock(InlineFont(vertAlign="superscript"), "6"), TextBlock(InlineFont(strike=True), "30")
    book.active["A1"] = CellRichText("10", raised, " kg, ", struck, "45")
    book.save(sink)
    return sink.getvalue()


def raised_in_xls() -> bytes:
    book, sink = xlwt.Workbook(), io.BytesIO()
    plain, raised, struck = xlwt.Font(), xlwt.Font(), xlwt.Font()
    raised.escapement, struck.struck_out = xlwt.Font.ESCAPEMENT_SUPERSCRIPT, True
    runs = [("10", plain), ("6", raised), (" kg, ", plain), ("30", struck), ("45", plain)]
    book.add_sheet("a").write_rich_text(0, 0, runs)
    book.save(sink)
    return sink.getvalue()


def raised_in_ods() -> bytes:
    cell = f"<table:table-cell><text:p>{files_drawn.RAISED}</text:p></table:table-cell>"
    return files_drawn.open_document("spreadsheet", f"<table:table><table:table-row>{cell}</table:table-row></table:table>")


@pytest.mark.parametrize("kind", ["xlsx", "xls", "ods", "odt"])
def test_raised_and_struck_text_is_apart_from_what_it_follows(kind: str, tmp_path: Path) -> None:
    odt = files_drawn.open_document("text", f"<text:p>{files_drawn.RAISED}</text:p>")
    data = {"xlsx": raised_in_xlsx, "xls": raised_in_xls, "ods": raised_in_ods, "odt": lambda: odt}[kind]()  # type: ignore[no-untyped-call]
    assert "10^6 kg, ~~30~~45" in parsed(tmp_path / f"a.{kind}", data)["elements"][-1]["text"]


DELIMITED = {
    "a,b\r\n1,x\n2,y\r3,z\r\n": [["a", "b"], ["1", "x"], ["2", "y"], ["3", "z"]],
    'id,text\n1,"a \\"b\\" c, d"\n2,e\n': [["id", "text"], ["1", 'a "b" c, d'], ["2", "e"]],
    'id,path\n1,"C:\\new\\"\n2,D:\\\n': [["id", "path"], ["1", "C:\\new\\"], ["2", "D:\\"]],
    "Report\nMade,2024\n\nPort,Tons,Ships\nOslo,12,3\n": [["Port", "Tons", "Ships"], ["Oslo", "12", "3"]],
}


@pytest.mark.parametrize(("text", "rows"), DELIMITED.items())
def test_lines_marks_and_what_stands_above_a_table_are_read_as_programs_write_them(
    text: str, rows: list[list[str]], tmp_path: Path
) -> None:
    row = parsed(tmp_path / "a.csv", text.encode())
    [shown] = [element["html"] for element in row["elements"] if element["kind"] == "table"]
    assert [re.findall("<td>(.*?)</td>", line) for line in html.unescape(shown).split("<tr>")[1:]] == rows
    assert row["rejects"] == []
