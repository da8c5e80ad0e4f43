from collections import Counter
from collections.abc import Callable
from typing import Any, get_args

import camelot
import pymupdf
import pytest

from schemas.options.sections import ParseOptions, TableReader
from tasks.parse.io.facts import table_reader_facts
from tasks.parse.pdf.io.document import parse_pdf
from tasks.parse.pdf.io.turned import set_upright
from tasks.parse.tables.html_cells import cells_of, grid_of
from tests.tasks import drawn

CAMELOT = [reader for reader in get_args(TableReader) if reader != "pagemill"]
CELLS = {cell for row in drawn.ROWS for cell in row}


def unruled() -> bytes:
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    page.insert_textbox((60, 60, 535, 140), drawn.RIGHT * 3, fontsize=10)
    for n, row in enumerate(drawn.ROWS):
        for m, cell in enumerate(row):
            page.insert_text((80 + 140 * m, 190 + 18 * n), cell, fontsize=10)
    page.insert_textbox((60, 300, 535, 380), drawn.LEFT * 2, fontsize=10)
    return drawn.bytes_of(document)


def sideways(rotate: int) -> bytes:
    """The ruled table alone, printed up or down the page."""
    source, document = pymupdf.open(stream=drawn.ruled_table()), pymupdf.open()
    sheet = document.new_page(width=300, height=842)
    sheet.show_pdf_page(sheet.rect, source, 0, rotate=rotate, clip=pymupdf.Rect(0, 150, 595, 290))
    return drawn.bytes_of(document)


def cropped(turn: int = 0) -> bytes:
    document = pymupdf.open(stream=drawn.ruled_table())
    document[0].set_cropbox(pymupdf.Rect(50, 40, 560, 700))
    document[0].set_rotation(turn)
    return drawn.bytes_of(document)


def read(data: bytes, reader: str, **options: Any) -> dict[str, Any]:
    return dict(parse_pdf(data, ParseOptions.model_validate({"table_reader": reader, **options}), lambda _: None))


def tables(row: dict[str, Any]) -> list[dict[str, Any]]:
    return [element for element in row["elements"] if element["kind"] == "table"]


def words(row: dict[str, Any]) -> Counter[str]:
    texts = [grid_of(e["html"]) if e["html"] else [[e["text"]]] for e in row["elements"]]
    return Counter(word for rows in texts for line in rows for text in line for word in text.split())


@pytest.mark.parametrize("reader", CAMELOT)
@pytest.mark.parametrize("make", [drawn.ruled_table, unruled])
def test_a_table_has_the_cells_that_camelot_itself_finds(make: Callable[[], bytes], reader: str) -> None:
    found = camelot.read_pdf(make(), flavor=reader.removeprefix("camelot-"), suppress_stdout=True)
    grids = [[[str(text) for text in line] for line in table.df.values.tolist()] for table in found]
    assert [grid_of(table["html"]) for table in tables(read(make(), reader))] == grids
    assert grids == ([] if (make, reader) == (unruled, "camelot-lattice") else [drawn.ROWS])


@pytest.mark.parametrize("reader", CAMELOT)
@pytest.mark.parametrize("make", [drawn.ruled_table, unruled])
def test_no_word_is_lost_or_doubled_by_another_reader(make: Callable[[], bytes], reader: str) -> None:
    assert words(read(make(), reader)) == words(read(make(), "pagemill"))


@pytest.mark.parametrize("reader", CAMELOT)
@pytest.mark.parametrize("make", [drawn.ruled_table, cropped, lambda: cropped(90), lambda: sideways(90), lambda: sideways(270)])
def test_the_box_of_a_table_is_around_its_words_on_the_page_as_displayed(make: Callable[[], bytes], reader: str) -> None:
    with pymupdf.open(stream=make()) as document:
        set_upright(document[0])
        width, height = document[0].rect.width, document[0].rect.height
        places = [word[:4] for word in document[0].get_text("words") if word[4] in CELLS]
    [table] = tables(read(make(), reader))
    box = table["bbox"]
    assert [cell.text for cell in cells_of(table["html"])] == [cell for row in drawn.ROWS for cell in row]
    assert 0 <= box["x0"] < box["x1"] <= width
    assert 0 <= box["y0"] < box["y1"] <= height
    for x0, y0, x1, y1 in places:
        assert box["x0"] <= (x0 + x1) / 2 <= box["x1"]
        assert box["y0"] <= (y0 + y1) / 2 <= box["y1"]


def test_places_without_a_rule_between_them_are_one_cell() -> None:
    document = pymupdf.open()
    sheet = document.new_page(width=595, height=842)
    sheet.draw_rect(pymupdf.Rect(80, 100, 500, 172))
    for y in (124, 148):
        sheet.draw_line((80, y), (500, y))
    sheet.draw_line((220, 100), (220, 172))
    sheet.draw_line((360, 124), (360, 172))
    for x, y, text in ((88, 116, "Region"), (320, 116, "Sales"), (88, 140, "North"), (228, 140, "120"), (368, 140, "135"),
                       (88, 164, "South"), (228, 164, "90"), (368, 164, "88")):  # fmt: skip
        sheet.insert_text((x, y), text, fontsize=10)
    [table] = tables(read(drawn.bytes_of(document), "camelot-lattice"))
    assert [(c.row, c.column, c.text, c.columns) for c in cells_of(table["html"])][:3] == [
        (0, 0, "Region", 1), (0, 1, "Sales", 2), (1, 0, "North", 1),
    ]  # fmt: skip


def test_a_page_where_camelot_finds_no_table_has_none_and_keeps_its_words() -> None:
    row = read(unruled(), "camelot-lattice")
    assert tables(row) == []
    assert CELLS <= set(words(row))
    assert row["rejects"] == []


def test_the_tables_of_a_scanned_page_are_pagemills_own() -> None:
    scan = drawn.ruled_scan()
    own, other = (read(scan, reader) for reader in ("pagemill", "camelot-lattice"))
    assert len(tables(own)) == 1
    assert other == own


def test_a_page_that_camelot_cannot_read_keeps_pagemills_tables_and_says_what_to_do() -> None:
    row = read(drawn.ruled_table(), "camelot-lattice", max_page_pixels=1_000_000)
    assert len(tables(row)) == 1
    [reject] = row["rejects"]
    assert (reject["page_number"], reject["error"]) == (1, "TableError")
    assert reject["message"] == (
        "page 1 has its tables from Pagemill's own reader, because camelot-lattice failed: "
        "ValueError: rendered for Camelot, it has 8,697,743 pixels, more than parse.max_page_pixels"
    )
    assert reject["remedy"] == "choose another parse.table_reader, or print it to PDF again"


def test_another_reader_is_a_fact_of_the_recipe_with_the_versions_of_its_libraries() -> None:
    assert table_reader_facts(ParseOptions()) == {}
    assert table_reader_facts(ParseOptions(table_reader="camelot-stream"))["tables"]["camelot-py"] == camelot.__version__
    assert ParseOptions(table_reader="camelot-stream").facts()["table_reader"] == "camelot-stream"
