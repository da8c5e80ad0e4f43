"""A page whose text runs up or down is read as the same page upright, and its boxes are where the text is shown."""

import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.options.sections import RefreshOptions
from tasks.parse.elements.io.page_result import PageResult
from tasks.parse.layout.geometry import box_of, centre, grown, holds
from tasks.parse.pdf.io.page import read_page
from tasks.parse.pdf.io.turned import box_before, turn_of
from tests.tasks.parse.layout.pages import a_row

WIDTH, HEIGHT = 500, 400
LINES = [
    (50, 60, 20, "Mills of the north"),
    *((50, 100 + 14 * n, 10, "The mill grinds by day and by night, whatever the wind may be.") for n in range(4)),
    *(
        (50 + 150 * column, 200 + 16 * row, 10, f"{name} {row}")
        for row in range(5)
        for column, name in enumerate(("Mill", "Year"))
    ),
]


def drawn(turn: int) -> pymupdf.Document:
    """Return a document of one page whose text is turned to the left by 0, 90, 180 or 270 degrees."""
    upright = pymupdf.open()
    page = upright.new_page(width=WIDTH, height=HEIGHT)
    for x, y, size, text in LINES:
        page.insert_text((x, y), text, fontsize=size)
    if not turn:
        return upright
    turned = pymupdf.open()
    other = turned.new_page(width=WIDTH, height=HEIGHT) if turn == 180 else turned.new_page(width=HEIGHT, height=WIDTH)
    other.show_pdf_page(other.rect, upright, 0, rotate=turn)
    return turned


def read(document: pymupdf.Document) -> PageResult:
    return read_page(document[0], RefreshOptions().parse)


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_turned_page_reads_like_the_upright_one(turn: int) -> None:
    upright, turned = read(drawn(0)), read(drawn(turn))
    for name in ("kind", "text"):
        assert [found[name] for found, _ in turned.elements] == [found[name] for found, _ in upright.elements]
    assert (turned.width, turned.height) == ((WIDTH, HEIGHT) if turn == 180 else (HEIGHT, WIDTH))


def test_what_is_said_of_a_line_is_said_where_the_line_is_shown() -> None:
    result = read_page(drawn(90)[0], RefreshOptions().parse, explain=True)
    [remark] = [one for one in result.remarks if one.what.endswith(": Mills of the north")]
    assert holds(box_of(result.elements[0][0]), centre(remark.box))


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_boxes_hold_their_words_on_the_page_as_shown(turn: int) -> None:
    result = read(drawn(turn))
    page = drawn(turn)[0]
    for found, _ in result.elements:
        inside = page.get_text("words", clip=grown(box_of(found), 2, 2))
        assert {word[4] for word in inside} == set(found["text"].replace("|", " ").replace("---", " ").split())


def test_a_note_in_the_margin_turns_no_page() -> None:
    text, margin = [word for n in range(30) for word in a_row(20 * n, "grain", "flour")], a_row(0, "A note in the margin")
    assert turn_of([*text, *(word._replace(turn=90) for word in margin)]) == 0
    assert turn_of(word._replace(turn=270) for word in text) == 270
    assert turn_of(word._replace(turn=180) for word in text) == 180
    assert turn_of(word._replace(turn=180) for word in margin) == 0
    assert turn_of(word._replace(turn=180) for word in [*margin, *margin]) == 180, "few words that all stand on their heads"
    assert turn_of([*margin, *margin, *(word._replace(turn=180) for word in margin)]) == 0, "as an answer below a riddle does"
    assert turn_of(word._replace(turn=90) for word in margin) == 0


BOXES = st.tuples(*[st.integers(0, 150)] * 2, *[st.integers(1, 50)] * 2).map(lambda b: (b[0], b[1], b[0] + b[2], b[1] + b[3]))


@given(BOXES)
def test_a_box_that_is_turned_back_as_often_as_it_was_turned_is_where_it_was(box: tuple[int, int, int, int]) -> None:
    width, height = 220, 210
    assert box_before(box_before(box, 180, width, height), 180, width, height) == box
    assert box_before(box_before(box, 90, width, height), 270, height, width) == box
    assert box_before(box_before(box, 90, width, height), 90, height, width) == box_before(box, 180, width, height)
