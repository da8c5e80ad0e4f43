"""Scanned pages through the parser."""

import io
from typing import Any, NoReturn

import numpy as np
import pymupdf
import pytest
from PIL import Image

from schemas.errors import EmptyDocument
from schemas.options.sections import ParseOptions
from tasks.parse.scans.io import tesseract
from tasks.parse.scans.io.ocr import may_show_letters
from tasks.parse.scans.io.upright import view_of
from tests.tasks import drawn
from tests.tasks.drawn_glyphs import unnamed
from tests.tasks.parse.scans.io.scanned import parsed, text_of


def boxes_lie_on_the_page(row: dict[str, Any]) -> bool:
    (page,) = row["pages"]
    boxes = [element["bbox"] for element in row["elements"]]
    return all(0 <= b["x0"] < b["x1"] <= page["width"] and 0 <= b["y0"] < b["y1"] <= page["height"] for b in boxes)


@pytest.mark.parametrize("turn", [0, 90, 180, 267, 6, -4])
def test_a_scan_reads_the_same_however_it_lies(turn: int) -> None:
    row = parsed(drawn.sheet(turn))
    assert "Harbour Board" in text_of(row)
    assert "stones that the winter storms displaced were counted twice, and both counts agree." in text_of(row)
    assert row["pages"][0]["ocr"]
    assert all(element["confidence"] > 0.8 for element in row["elements"])
    assert boxes_lie_on_the_page(row)


def test_boxes_of_a_turned_scan_are_where_the_page_shows_them() -> None:
    (heading, *_) = parsed(drawn.sheet(180))["elements"]
    assert heading["text"] == "Harbour Board"
    assert (heading["bbox"]["x0"] + heading["bbox"]["x1"]) / 2 > 210
    assert heading["bbox"]["y0"] > 220


def test_a_scan_light_on_dark_is_read() -> None:
    assert "both counts agree" in text_of(parsed(drawn.sheet(dark=True)))


def test_a_heading_of_a_scan_is_one() -> None:
    kinds = {element["text"]: element["kind"] for element in parsed(drawn.sheet())["elements"]}
    assert kinds["Harbour Board"] in ("heading", "title")


def test_a_ruled_table_of_a_scan_has_its_cells() -> None:
    (table,) = [element for element in parsed(drawn.ruled_scan())["elements"] if element["kind"] == "table"]
    assert "<tr><td>North</td><td>120</td><td>135</td></tr>" in table["html"]


def test_bold_and_fixed_width_type_and_light_rules_are_seen() -> None:
    elements = parsed(drawn.typed_scan())["elements"]
    kinds = {element["text"]: element["kind"] for element in elements}
    assert kinds["Harbour dues"] in ("heading", "title")
    (code,) = [element["text"] for element in elements if element["kind"] == "code"]
    assert code.splitlines()[1] == "search harbour for stones"
    (table,) = [element for element in elements if element["kind"] == "table"]
    assert "<tr><td>West</td><td>0.0</td><td>7.5</td></tr>" in table["html"]


def test_a_garbage_layer_gives_way_to_what_is_seen() -> None:
    row = parsed(drawn.with_layer(drawn.shifted(drawn.LETTER)))
    assert "both counts agree" in text_of(row)
    assert drawn.shifted("counts") not in text_of(row)
    assert not row["rejects"]


def test_a_layer_on_a_blank_page_is_text_that_nobody_sees() -> None:
    row = parsed(drawn.with_layer(drawn.shifted(drawn.LETTER), picture=False))
    assert drawn.shifted("counts agree") in text_of(row)
    assert {element["kind"] for element in row["elements"]} == {"hidden"}
    assert not row["rejects"]
    assert not row["pages"][0]["ocr"]


def test_a_good_layer_below_a_scan_is_taken_without_ocr() -> None:
    row = parsed(drawn.with_layer(drawn.LETTER))
    assert "both counts agree" in text_of(row)
    assert not row["pages"][0]["ocr"]


def test_a_stamp_on_a_scan_is_kept_beside_what_is_seen() -> None:
    document = pymupdf.open("pdf", drawn.sheet())
    document[0].insert_text((50, 285), "Received 4417-XQ", fontsize=9, render_mode=3)
    assert "both counts agree" in text_of(row := parsed(drawn.bytes_of(document)))
    assert text_of(row).count("Received 4417-XQ") == 1


def with_second_page(picture: Any) -> bytes:
    """A page that can be read, and the scan of another one."""
    document = pymupdf.open("pdf", drawn.sheet())
    sink = io.BytesIO()
    Image.fromarray(picture).save(sink, "PNG")
    page = document.new_page(width=200, height=200)
    page.insert_image(page.rect, stream=sink.getvalue())
    return drawn.bytes_of(document)


GRAIN = np.random.default_rng(0)
PAPER = GRAIN.normal(240, 4, (500, 500)).clip(0, 255).astype(np.uint8)
STAIN = np.where(np.hypot(*np.mgrid[-250:250, -250:250]) < 120, PAPER // 2, PAPER)
NOISE = GRAIN.choice(np.array([0, 255], np.uint8), (500, 500))


def test_the_scan_of_a_blank_page_is_not_a_reject() -> None:
    row = parsed(with_second_page(PAPER))
    assert row["rejects"] == []
    assert [page["page_number"] for page in row["pages"]] == [1, 2]
    assert {element["page_number"] for element in row["elements"]} == {1}


@pytest.mark.parametrize("ocr", [True, False])
def test_a_blank_page_is_not_a_reject_whether_ocr_is_on_or_off(ocr: bool) -> None:
    document = pymupdf.open()
    document.new_page().insert_text((50, 50), "The last page is blank.")
    document.new_page()
    assert parsed(drawn.bytes_of(document), ParseOptions(ocr=ocr))["rejects"] == []


def test_a_document_of_blank_pages_is_not_told_to_switch_ocr_on() -> None:
    document = pymupdf.open()
    document.new_page()
    with pytest.raises(EmptyDocument, match="all pages are blank") as caught:
        parsed(drawn.bytes_of(document))
    assert "ocr" not in " ".join(caught.value.__notes__)


@pytest.mark.parametrize("picture", [STAIN, NOISE], ids=["a stain", "noise"])
def test_a_page_on_which_something_is_seen_but_not_read_is_recorded(picture: Any) -> None:
    row = parsed(with_second_page(picture))
    assert [(r["page_number"], r["error"]) for r in row["rejects"]] == [(2, "EmptyPage")]


@pytest.mark.parametrize("degrees", [0, 90, 181.5, -7])
def test_a_view_finds_the_way_back_to_the_page(degrees: float) -> None:
    page = pymupdf.open().new_page(width=300, height=500)
    view = view_of(page, degrees)
    box = view.on_page(view.on_view((100, 200, 150, 230)))
    assert box[0] <= 100.01 and box[1] <= 200.01 and box[2] >= 149.99 and box[3] >= 229.99
    assert view.picture(0.5).size == pytest.approx((view.width / 2, view.height / 2), abs=1.01)


def test_a_page_of_frames_alone_is_not_read_by_ocr_and_one_of_drawn_letters_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("OCR was asked")

    frames, letters = pymupdf.open(), pymupdf.open()
    frames.new_page().draw_rect((50, 50, 500, 80), fill=(0.9, 0.9, 0.9))
    frames[0].draw_line((50, 120), (500, 120))
    letters.new_page().draw_bezier((50, 50), (60, 90), (70, 20), (90, 50))
    assert not may_show_letters(frames[0])
    assert may_show_letters(letters[0])
    monkeypatch.setattr(tesseract, "read_words", refuse)
    with pytest.raises(EmptyDocument):
        parsed(frames.tobytes())


@pytest.mark.parametrize(
    "glyphs", [{"\ufb01": None, "\ufb03": None}, {"\ufb01": "\uf001", "\ufb03": "\uf003"}, {"e": None, "7": None}]
)
def test_letters_that_the_font_does_not_name_are_read(glyphs: dict[str, str | None]) -> None:
    row = parsed(unnamed(glyphs))
    assert text_of(row) == "The chief financial officer confirmed 7 figures of the first quarter, and the office grew by 3."
    assert not row["pages"][0]["ocr"]
    assert "chi\ufffdf" in text_of(parsed(unnamed({"e": None}), ParseOptions(ocr=False)))


def test_a_page_whose_letters_cannot_be_read_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> NoReturn:
        raise ValueError("no picture")

    monkeypatch.setattr(tesseract, "read_words", fails)
    row = parsed(unnamed({"e": None}))
    (reject,) = row["rejects"]
    assert "page 1 has letters without characters, which were not read" in reject["message"]
    assert "Th\ufffd chi\ufffdf" in text_of(row)
