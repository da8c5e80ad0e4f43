from typing import Any

import pymupdf
import pytest

from tasks.parse.pdf.io import page_text
from tasks.parse.pdf.io.page_text import page_content_of


def page() -> Any:
    return pymupdf.open().new_page(width=500, height=700)


def test_words_have_the_type_of_their_first_character() -> None:
    sheet = page()
    sheet.insert_text((50, 100), "the wheel ", fontname="helv", fontsize=10)
    sheet.insert_text((50, 120), "bold", fontname="hebo", fontsize=10)
    sheet.insert_text((50, 140), "code", fontname="cour", fontsize=12)
    words = page_content_of(sheet).words
    assert [(word.text, word.bold, word.mono) for word in words] == [
        ("the", False, False),
        ("wheel", False, False),
        ("bold", True, False),
        ("code", False, True),
    ]
    assert words[-1].size == 12


def test_words_cut_by_the_engine_are_those_cut_at_white_space(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = page()
    writer = pymupdf.TextWriter(sheet.rect)
    at = writer.append((50, 100), "Slow wat", pymupdf.Font("helv"), 11)[1]
    writer.append(at, "er turns", pymupdf.Font("cour"), 11)
    writer.append((50, 130), "the wheel, and  the mill", pymupdf.Font("tiro"), 9)
    writer.write_text(sheet)
    sheet.insert_text((50, 160), "in m s", fontsize=10)
    sheet.insert_text((50 + pymupdf.get_text_length("in m s", fontsize=10), 156), "-1", fontsize=6)
    quick = page_content_of(sheet).words
    monkeypatch.setattr(page_text, "_typed", lambda *_: [])
    lines = page_text._lines(sheet.get_text("rawdict", flags=pymupdf.TEXT_MEDIABOX_CLIP | pymupdf.TEXT_ACCURATE_BBOXES)["blocks"])
    cut = [word for block, number, line in lines for word in page_text._cut(line, block, number)]
    assert [word[1:] for word in quick] == [word[1:] for word in cut]
    assert [(word.text, word.shifts) for word in quick if word.shifts] == [("s-1", ".^^")]
    assert all(word.box == pytest.approx(other.box, abs=0.01) for word, other in zip(quick, cut, strict=True))


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_words_tell_by_how_much_they_are_turned(rotate: int) -> None:
    sheet = page()
    sheet.insert_text((250, 350), "the wheel", rotate=rotate)
    assert [(word.turn, word.upright) for word in page_content_of(sheet).words] == [(rotate, rotate == 0)] * 2


def test_pictures_and_lines_are_given_by_their_rectangles() -> None:
    sheet = page()
    sheet.insert_text((50, 100), "text")
    sheet.draw_line((50, 200), (400, 200))
    pixmap = pymupdf.Pixmap(pymupdf.csGRAY, (0, 0, 20, 20))
    pixmap.clear_with(128)
    sheet.insert_image((100, 300, 200, 400), pixmap=pixmap)
    content = page_content_of(sheet)
    assert content.images == [(100, 300, 200, 400)]
    assert [(round(box[0]), round(box[2])) for box in content.drawn] == [(50, 400)]


@pytest.mark.parametrize(
    "said", ["9.6. \u05e9\u05dc\u05d5\u05dd inetd (\u05e2\u05d5\u05dc\u05dd) 25% \u05d0.", "\u05e9\u05dc\u05d5\u05dd 1998 (ABC)."]
)
def test_words_from_right_to_left_are_in_the_order_in_which_they_are_read(said: str) -> None:
    sheet = page()
    sheet.insert_htmlbox((50, 50, 450, 300), f'<p dir="rtl">{said}</p>')
    assert [word.text for word in page_content_of(sheet).words] == said.split()


def test_words_tell_the_line_that_they_stand_on_unless_they_are_raised_or_turned() -> None:
    sheet = page()
    sheet.insert_text((50, 100), "gypsy on", fontname="helv", fontsize=10)
    sheet.insert_text((50, 130), "in", fontsize=10)
    sheet.insert_text((50 + pymupdf.get_text_length("in ", fontsize=10), 126), "12", fontsize=6)
    sheet.insert_text((250, 350), "wheel", rotate=90)
    found = {word.text: word.base for word in page_content_of(sheet).words}
    assert [found["gypsy"], found["on"], found["in"]] == pytest.approx([100, 100, 130])
    assert found["12"] is None
    assert found["wheel"] is None


def test_bullets_in_fonts_of_signs_and_the_o_of_word_are_bullets() -> None:
    page = pymupdf.open().new_page()
    for y, letter, font in ((100, "l", "zadb"), (120, "o", "cour"), (140, "o", "helv")):
        page.insert_text((72, y), letter, fontname=font)
        page.insert_text((90, y), "Moor at dusk", fontname="helv")
    page.insert_text((72, 160), "o code", fontname="cour")
    assert [word.text for word in page_content_of(page).words if len(word.text) == 1] == ["\u25cf", "\u25cb", "o", "o"]
