"""Segments of text pages are those that MuPDF finds, and a page is as it was when it has been cut."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.geometry import Box
from tasks.parse.layout.io import layout_model, segments, text_pages
from tasks.parse.layout.io.layout_inputs import page_inputs
from tasks.parse.layout.io.text_memory import content_of, is_as_declared
from tasks.parse.layout.io.text_pages import text_page

coordinates = st.integers(0, 30)
boxes = st.lists(
    st.tuples(coordinates, coordinates, st.integers(0, 8), st.integers(0, 8)).map(
        lambda given: (given[0], given[1], given[0] + given[2], given[1] + given[3])
    ),
    max_size=25,
)


def gaps(of: Sequence[Box], low: int, high: int) -> set[tuple[float, float]]:
    """Return the strips between the boxes, across or down."""
    ends, found = sorted((box[low], box[high]) for box in of), set()
    reached = ends[0][1] if ends else 0
    for start, end in ends:
        if start > reached:
            found.add((reached, start))
        reached = max(reached, end)
    return found


@given(boxes)
def test_boxes_are_cut_at_the_same_strips_when_overlapping_ones_are_merged(given_boxes: list[Box]) -> None:
    found = segments.merged(given_boxes)
    for low, high in ((0, 2), (1, 3)):
        assert gaps(found, low, high) == gaps(given_boxes, low, high)
    for number, one in enumerate(found):
        for other in found[number + 1 :]:
            assert one[0] > other[2] or other[0] > one[2] or one[1] > other[3] or other[1] > one[3]


def columns(page: Any) -> None:
    for x in (50, 330):
        for n in range(12):
            page.insert_text((x, 100 + 13 * n + 20 * (n // 5)), f"Line {n} of a text in two columns")


def ruled_table(page: Any) -> None:
    for row in range(6):
        page.draw_line((50, 90 + 30 * row), (450, 90 + 30 * row))
        for column in range(4):
            page.insert_text((55 + 100 * column, 110 + 30 * row), f"{row}{column},5 %")
    page.insert_text((50, 400), "A text below the table")


def other_spaces(page: Any) -> None:
    for n in range(4):
        page.insert_text((50, 100 + 40 * n), f"Sales\u00a0 \u00a0 \u00a0 \u00a0 {n}00 \u00a0  $")


def in_two_sizes(page: Any) -> None:
    page.insert_text((50, 60), "Heading", fontsize=28)
    columns(page)
    page.draw_rect((40, 300, 500, 420), color=None, fill=(0.8, 0.9, 1))
    page.insert_text((60, 340), "in a frame", fontsize=7)


PAGES = (columns, ruled_table, other_spaces, in_two_sizes)


@pytest.fixture(params=PAGES, ids=lambda page: str(page.__name__))
def page(request: pytest.FixtureRequest) -> Iterator[Any]:
    with pymupdf.open() as document:
        document.new_page()
        request.param(document[0])
        yield document[0]


def seen(page: Any) -> Any:
    layout_model.load()
    return page_inputs(page, layout_model._model().cfg["data"]["rf_names"])


def structure(blocks: Any) -> list[Any]:
    """Return the kinds of structures as nested lists, with the boxes of lines in them."""
    return [
        (block["std"], structure(block["blocks"])) if block["type"] == 2 else [line["bbox"] for line in block.get("lines", ())]
        for block in blocks
    ]


def test_a_page_is_cut_as_mupdf_cuts_it(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, my_structure = seen(page), structure(text_page(page).extractDICT()["blocks"])
    monkeypatch.setattr(text_pages, "is_as_declared", lambda: False)
    theirs, their_structure = seen(page), structure(text_page(page).extractDICT()["blocks"])
    assert {one[0] for one in their_structure} & {"Div", "Table"}
    assert my_structure == their_structure
    assert mine.boxes == theirs.boxes
    np.testing.assert_array_equal(mine.features, theirs.features)


def test_all_text_is_still_on_a_page_that_has_been_cut(page: Any) -> None:
    uncut, cut = page.get_textpage(flags=text_pages._flags()), text_page(page, doubled=False)
    assert sorted(cut.extractTEXT().split()) == sorted(uncut.extractTEXT().split())


def test_a_page_is_restored_when_mupdf_fails(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from pymupdf import mupdf

    def fail(_: Any) -> None:
        raise RuntimeError("no memory")

    read = page.get_textpage(flags=text_pages._flags())
    text, vectors = read.extractTEXT(), len(content_of(read.this.m_internal).vectors)
    monkeypatch.setattr(mupdf, "ll_fz_segment_stext_page", fail)
    with pytest.raises(RuntimeError):
        segments.segment(read)
    assert read.extractTEXT() == text
    assert len(content_of(read.this.m_internal).vectors) == vectors


def test_this_mupdf_keeps_pages_as_declared() -> None:
    assert is_as_declared()


def test_a_page_of_spaces_alone_is_read() -> None:
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_text((50, 100), "   ")
        assert content_of(page.get_textpage(flags=text_pages._flags()).this.m_internal).lines
        assert not text_page(page).extractTEXT().strip()
