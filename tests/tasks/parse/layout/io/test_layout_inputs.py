"""The inputs of the layout model are those that PyMuPDF prepares for it, value for value."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymupdf import mupdf

from tasks.parse.layout.features import DIGITAL_FEATURES
from tasks.parse.layout.io import layout_model
from tasks.parse.layout.io.layout_inputs import page_inputs, pattern_of, text_page
from tests.flows.corpora import draw_source


@pytest.fixture(scope="module")
def theirs() -> Any:
    """PyMuPDF's own preparation, from a page to what the model takes."""
    from pymupdf.layout.onnx.BoxRFDGNN import get_nn_input_from_datadict
    from pymupdf.layout.pymupdf_util import create_input_data_from_page

    def prepare(page: Any) -> tuple[list[list[float]], Any]:
        data = create_input_data_from_page(page, options={"input_type": ("text",), "feature_set_name": DIGITAL_FEATURES})
        return data["bboxes"], get_nn_input_from_datadict(data, layout_model._model().options)

    return prepare


def pages(folder: Path) -> Iterator[Any]:
    draw_source(folder)
    for path in folder.rglob("*.pdf"):
        with pymupdf.open(path) as document:
            yield from document
    with pymupdf.open() as document:
        page = document.new_page(width=200, height=150)
        page.insert_text((20, 30), "Shown 12 (3) \u2022 twice")
        page.insert_text((20, 60), "hidden", render_mode=3)
        page.insert_text((180, 90), "over the edge of the page")
        field = pymupdf.Widget()
        field.field_type, field.field_name, field.rect = (
            mupdf.PDF_WIDGET_TYPE_CHECKBOX,
            "box",
            pymupdf.Rect(20, 100, 30, 110),
        )
        page.add_widget(field)
        yield page
        alone = document.new_page()
        alone.insert_text((20, 60), "alone")
        yield alone


def test_a_page_is_seen_as_pymupdf_sees_it(theirs: Any, tmp_path: Path) -> None:
    names = layout_model._model().names
    n = 0
    for page in pages(tmp_path / "source"):
        boxes, (x, edge_index, edge_attr, _, _, features, patterns, _, _) = theirs(page)
        mine = page_inputs(page, names)
        assert mine.boxes == boxes
        np.testing.assert_array_equal(mine.features, features)
        np.testing.assert_array_equal(mine.patterns, patterns)
        graph = layout_model._as_graph(mine)
        for name, expected in (("x", x), ("edge_index", edge_index), ("edge_attr", edge_attr)):
            np.testing.assert_array_equal(graph[name], expected)
        n += 1
    assert n > 2


def prose(page: Any, y: float, x: float = 40) -> None:
    for n in range(4):
        page.insert_text((x, y + 14 * n), f"Line {n} of a text (set in {n + 7} points)")


def test_styles_matter_only_where_text_is_drawn_over_or_printed_twice() -> None:
    names = layout_model._model().names
    at = names.index("num_underlines")
    with pymupdf.open() as document:
        for _ in range(3):
            document.new_page()
        plain, underlined, doubled = document
        for page in (plain, underlined, doubled):
            prose(page, 80)
        plain.draw_line((40, 400), (300, 400))
        underlined.draw_line((40, 82), (180, 82))
        prose(doubled, 80, x=40.3)
        (seen, unstyled), (ruled, _), (bold, twice) = (
            (page_inputs(page, names), page_inputs(page, names, styled=False)) for page in (plain, underlined, doubled)
        )
    np.testing.assert_array_equal(seen.features, unstyled.features)
    assert seen.boxes == unstyled.boxes
    assert ruled.features[:, at].any()
    assert len(bold.boxes) < len(twice.boxes)


def tagged(page: Any) -> None:
    """Mark what is on the page as a paragraph, as programs do that write tagged PDFs."""
    document, content = page.parent, page.read_contents()
    document.update_stream(page.get_contents()[0], b"/P <</MCID 0>> BDC " + content + b" EMC")
    for xref in page.get_contents()[1:]:
        document.update_stream(xref, b" ")
    root, item = document.get_new_xref(), document.get_new_xref()
    document.update_object(item, f"<</Type/StructElem/S/P/P {root} 0 R/Pg {page.xref} 0 R/K 0>>")
    tree = f"<</Nums[0 [{item} 0 R]]>>"
    document.update_object(root, f"<</Type/StructTreeRoot/K {item} 0 R/ParentTree {tree}>>")
    document.xref_set_key(document.pdf_catalog(), "StructTreeRoot", f"{root} 0 R")
    document.xref_set_key(page.xref, "StructParents", "0")


@pytest.mark.parametrize("structured", [False, True])
def test_a_page_is_cut_into_the_parts_that_it_names_or_those_that_white_space_shows(structured: bool) -> None:
    with pymupdf.open() as document:
        page = document.new_page()
        prose(page, 80)
        prose(page, 80, x=320)
        page.draw_rect((36, 300, 560, 302), fill=(0, 0, 0))
        if structured:
            tagged(page)
        kinds = {block.get("std") for block in text_page(document.reload_page(page)).extractDICT()["blocks"]}
    assert ("P" in kinds, "Div" in kinds) == (structured, not structured)


def test_a_page_of_spaces_alone_is_read() -> None:
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_text((50, 100), "   ")
        assert not text_page(page).extractTEXT().strip()
        assert layout_model.regions_of(page) == []


@given(text=st.text(st.sampled_from("ab1 \t(\u2022:,\u00b2\u4e00\u3000") | st.characters(), max_size=60))
def test_a_pattern_is_that_of_pymupdf(text: str) -> None:
    from pymupdf.layout.common_util import get_text_pattern

    assert pattern_of(text) == get_text_pattern(text)
