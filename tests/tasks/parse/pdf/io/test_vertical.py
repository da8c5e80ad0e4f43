"""Text in columns from right to left reads from top to bottom, and tables of single characters stay tables."""

from collections.abc import Callable
from typing import Any

import pymupdf
import pytest

from schemas.options.sections import ParseOptions
from tasks.parse.pdf.io.document import parse_pdf
from tasks.parse.pdf.io.page_text import words_of
from tasks.parse.pdf.vertical import vertical_regions

TEXT = "港の倉庫は来週から開きます。鍵は窓口にあります。雨の日は休みですが、電話は通じます。"
CHINESE = "港口仓库下周起开放\uff0c钥匙在窗口。雨天休息\uff0c但电话可以接通。请带证件。"
TITLE = "お知らせと案内"


def sheet() -> Any:
    return pymupdf.open().new_page(width=595, height=842)


def columns(
    text: str = TEXT,
    page: Any = None,
    *,
    n: int = 10,
    size: float = 14,
    pitch: float = 1.1,
    gap: float = 1.8,
    right: float = 500,
    top: float = 100,
    font: str = "japan",
) -> Any:
    """Place the characters of a text in columns of `n`; `pitch` and `gap` are distances down and across, in type sizes."""
    page = page or sheet()
    for k, letter in enumerate(text):
        page.insert_text((right - k // n * gap * size, top + k % n * pitch * size), letter, fontsize=size, fontname=font)
    return page


def across(page: Any, y: float, text: str, x: float = 72, size: float = 11, font: str = "japan") -> Any:
    page.insert_text((x, y), text, fontsize=size, fontname=font)
    return page


def by_rows() -> Any:
    """Draw the characters of columns row by row, as some programs do."""
    page = sheet()
    for k in sorted(range(len(TEXT)), key=lambda k: (k % 10, k // 10)):
        page.insert_text((500 - k // 10 * 26, 100 + k % 10 * 16), TEXT[k], fontsize=14, fontname="japan")
    return page


def in_tiers() -> Any:
    return columns(TEXT[24:], columns(TEXT[:24], n=8), n=8, top=400)


def with_heading() -> Any:
    return columns(TEXT, columns(TITLE, size=22, pitch=1.2, right=530), right=480)


def with_figures() -> Any:
    page = columns(TEXT[:9])
    across(page, 100 + 9 * 15.4, "12", x=500, size=12)
    return columns(TEXT[9:], page, right=500 - 25.2)


def with_presentation_forms() -> Any:
    return columns(TEXT.replace("\u3002", "\ufe12"))


WRITTEN: dict[str, tuple[Callable[[], Any], str]] = {
    "columns of ten": (lambda: columns(), TEXT),
    "columns of six": (lambda: columns(n=6), TEXT),
    "long columns": (lambda: columns(n=24), TEXT),
    "close columns": (lambda: columns(pitch=1.0, gap=1.3), TEXT),
    "wide columns": (lambda: columns(pitch=1.25, gap=3), TEXT),
    "small type": (lambda: columns(size=8), TEXT),
    "large type": (lambda: columns(size=24), TEXT),
    "Chinese": (lambda: columns(CHINESE, font="china-s"), CHINESE),
    "a last column of one character": (lambda: columns(TEXT[:31]), TEXT[:31]),
    "drawn row by row": (by_rows, TEXT),
    "two tiers": (in_tiers, TEXT),
    "a heading in larger type": (with_heading, TITLE + TEXT),
    "figures in a column": (with_figures, TEXT[:9] + "12" + TEXT[9:]),
    "marks for vertical writing": (with_presentation_forms, TEXT),
    "a line across above": (lambda: across(columns(), 60, TITLE), TEXT),
    "a page number below": (lambda: across(columns(), 810, "17", x=290), TEXT),
}


@pytest.mark.parametrize("way", WRITTEN)
def test_columns_are_read_from_the_right_and_from_top_to_bottom(way: str) -> None:
    draw, text = WRITTEN[way]
    regions, rest = vertical_regions(words_of(draw()))
    assert "".join(word.text for region in regions for word in region.words) == text
    assert not set(TEXT[:5]) & {word.text for word in rest}


def grid() -> Any:
    """A table of marks, one character a cell."""
    page = across(sheet(), 80, TEXT)
    for row in range(8):
        for column in range(5):
            across(page, 120 + 20 * row, "\u6709\u65e0"[(row * column) % 2], x=100 + 60 * column)
    return page


def spaced() -> Any:
    """Lines across whose characters are set far apart."""
    page = sheet()
    for k, letter in enumerate(TEXT * 3):
        page.insert_text((72 + k % 20 * 18, 100 + k // 20 * 22), letter, fontsize=14, fontname="japan")
    return page


OTHERS: dict[str, Callable[[], Any]] = {
    "lines across": lambda: across(across(sheet(), 100, TEXT), 120, TEXT),
    "lines of spaced characters": spaced,
    "a table of characters": grid,
    "one tall cell": lambda: columns(TEXT[:6], across(sheet(), 80, TEXT)),
    "a calendar": lambda: across(across(sheet(), 100, "\u6708  \u706b  \u6c34  \u6728  \u91d1"), 116, "1  2  3  4  5"),
    "Latin letters": lambda: columns("The wheel turns slowly in spring".replace(" ", ""), font="helv"),
    "figures": lambda: columns("1234567890" * 4, font="helv"),
    "nothing": sheet,
}


@pytest.mark.parametrize("way", OTHERS)
def test_other_pages_have_no_vertical_text(way: str) -> None:
    words = words_of(OTHERS[way]())
    assert vertical_regions(words) == ([], words)


def upright_font(page: Any) -> Any:
    """Set the page's font for vertical writing, in which lines run down."""
    for xref, *_ in page.get_fonts():
        page.parent.xref_set_key(xref, "Encoding", "/UniJIS-UTF16-V")
    return page.parent.reload_page(page)


def read(page: Any) -> list[tuple[str, str]]:
    row = parse_pdf(page.parent.tobytes(), ParseOptions(), lambda _: None)
    return [(found["kind"], found["text"]) for found in row["elements"]]


def test_a_vertical_page_has_its_title_and_its_paragraphs() -> None:
    elements = read(across(columns(), 60, TITLE, size=24))
    assert elements[0][1] == TITLE
    assert "".join(text for _, text in elements[1:]) == TEXT
    assert "table" not in [kind for kind, _ in elements]


def test_lines_in_a_font_for_vertical_writing_are_columns() -> None:
    page = sheet()
    for k in range(0, len(TEXT), 10):
        across(page, 100, TEXT[k : k + 10], x=500 - 2.6 * k, size=14)
    page = upright_font(page)
    assert {line["wmode"] for block in page.get_text("dict")["blocks"] for line in block["lines"]} == {1}
    elements = read(page)
    assert "".join(text for _, text in elements) == TEXT
