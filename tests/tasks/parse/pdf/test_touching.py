"""Names that touch the texts beside them."""

from typing import Any

import pymupdf
import pytest

from tasks.parse.layout.raw_page import TextLine
from tasks.parse.pdf.io.page_text import words_of
from tasks.parse.pdf.touching import begins_at, line_starts

EDGE = 150.0


def page_of(name: str, text: str, font: str = "helv", edge: float = EDGE) -> Any:
    """A page with a name that reaches the edge at which its text and the two lines below it begin."""
    page = pymupdf.open().new_page(width=500, height=700)
    page.insert_text((edge - pymupdf.get_text_length(name, font, 10), 100), name, fontname=font, fontsize=10)
    for n, line in enumerate((text, "of a text that", "goes on below")):
        page.insert_text((edge, 100 + 12 * n), line, fontname="helv", fontsize=10)
    return page


@pytest.mark.parametrize(("name", "font"), [("order(all)", "helv"), ("ordered", "cour")])
def test_a_text_that_touches_its_name_begins_a_word(name: str, font: str) -> None:
    assert [word.text for word in words_of(page_of(name, "Returns lines", font))][:3] == [name, "Returns", "lines"]


def test_letters_in_one_type_and_those_where_no_line_begins_are_one_word() -> None:
    assert words_of(page_of("ordered", "Returns lines"))[0].text == "orderedReturns"
    page = pymupdf.open().new_page(width=500, height=700)
    page.insert_text((50, 100), "order(all)Returns lines", fontsize=10)
    page.insert_text((50, 112), "of a text", fontsize=10)
    assert words_of(page)[0].text == "order(all)Returns"


def line(x: float, top: float) -> TextLine:
    return {"bbox": (x, top, x + 100, top + 10), "dir": (1.0, 0.0), "spans": [], "wmode": 0}


def test_lines_begin_at_one_place_with_others_of_which_one_is_near() -> None:
    starts = line_starts([line(50, 20), line(50, 120), line(80, 40)])
    assert [start.x for start in starts] == [50, 50]
    assert begins_at(50.2, 40, 50, starts) and not begins_at(80, 40, 50, starts)
    assert not begins_at(50, 300, 310, starts)
    assert line_starts([]) == []
