"""Text in other scripts and directions reads on as its readers would have it."""

from pathlib import Path
from typing import Any

import pymupdf
import pytest

from schemas.options.sections import ParseOptions
from tasks.parse.io.parse import parse_staged
from tests.tasks.drawn import LEFT, RIGHT, bytes_of, content_of

HEBREW = "הטחנה הופכת תיקיות של מסמכים לאוסף שניתן לחפש בו. בכל לילה היא קוראת את מה שהשתנה בשנת 2024 ולא יותר מכך. "
JAPANESE = "海藻は冷たい海で育つ。春には長さが三メートルになり、漁師たちは船でそれを集める。"
CHINESE = "海带在冷水中生长。到了春天，它的长度达到三米，渔民用船收集它。"  # noqa: RUF001
KOREAN = "다시마는 차가운 바다에서 자란다. 봄에는 길이가 삼 미터가 되고 어부들은 배로 그것을 모은다. "


def texts(path: Path, document: Any) -> list[str]:
    row = parse_staged(content_of(path / "a.pdf", bytes_of(document)), ParseOptions(ocr=False), lambda _: None).to_pylist()[0]
    return [element["text"] for element in row["elements"]]


def test_right_to_left_text_is_in_logical_order(tmp_path: Path) -> None:
    document = pymupdf.open()
    document.new_page().insert_htmlbox((60, 60, 535, 250), f'<p dir="rtl" style="text-align:right">{HEBREW * 4}</p>')
    assert texts(tmp_path, document) == [(HEBREW * 4).strip()]


FONTS = {"japan": JAPANESE, "china-s": CHINESE, "korea": KOREAN}


@pytest.mark.parametrize("font", FONTS)
def test_lines_are_joined_without_spaces_in_scripts_that_have_none(font: str, tmp_path: Path) -> None:
    text = FONTS[font]
    document = pymupdf.open()
    document.new_page().insert_textbox((60, 60, 535, 300), text * 5, fontname=font, fontsize=12)
    assert texts(tmp_path, document) == [(text * 5).strip()]


def test_ligatures_and_soft_hyphens_are_spelled_out(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    writer = pymupdf.TextWriter(page.rect)
    writer.fill_textbox(
        (60, 60, 535, 200), "The o\ufb03ce \ufb01nds the co\u00adoperative. " * 6, font=pymupdf.Font("cjk"), fontsize=12
    )
    writer.write_text(page)
    assert texts(tmp_path, document) == [("The office finds the cooperative. " * 6).strip()]


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_turned_text_is_not_scrambled(rotation: int, tmp_path: Path) -> None:
    document = pymupdf.open()
    document.new_page().insert_textbox((60, 60, 250, 780), RIGHT * 8, fontsize=11, rotate=rotation)
    assert texts(tmp_path, document) == [(RIGHT * 8).strip()]


def test_a_stamp_along_the_margin_leaves_the_text_whole(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_textbox((80, 60, 535, 250), RIGHT * 8, fontsize=11)
    page.insert_text((30, 600), "Preprint 2401.01234, 3 January 2024", fontsize=14, rotate=90)
    page.insert_textbox((80, 300, 535, 500), LEFT.replace("noth-\ning", "nothing") * 6, fontsize=11)
    assert sorted(texts(tmp_path, document), key=len) == [
        "Preprint 2401.01234, 3 January 2024",
        (LEFT.replace("noth-\ning", "nothing") * 6).strip(),
        (RIGHT * 8).strip(),
    ]
