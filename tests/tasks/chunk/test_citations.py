from hypothesis import given
from hypothesis import strategies as st

from schemas.records import Citation, PlacedElement
from tasks.chunk.citations import ElementIndex
from tests.tasks.described import element

BOX = {"x0": 1.0, "y0": 2.0, "x1": 3.0, "y1": 4.0}


@given(
    spans=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 10)), max_size=8),
    start=st.integers(0, 40),
    length=st.integers(1, 10),
)
def test_a_span_touches_the_elements_that_share_a_character_with_it(
    spans: list[tuple[int, int]], start: int, length: int
) -> None:
    elements = [element("paragraph", low, low + n) for low, n in spans]
    expected = {i for i, (low, n) in enumerate(spans) if set(range(low, low + n)) & set(range(start, start + length))}
    assert set(ElementIndex(elements).find_touched_elements(start, start + length)) == expected


def test_a_span_has_the_section_of_its_first_element_that_is_not_a_heading() -> None:
    elements: list[PlacedElement] = [
        element("heading", 0, 5, section=["Old"], page_number=2),
        element("furniture", None, None, page_number=2),
        element("paragraph", 7, 20, section=["New"], page_number=3, bbox=BOX),
        element("paragraph", 22, 30, section=["New", "Sub"], page_number=3, bbox=BOX),
    ]
    assert ElementIndex(elements).cite_span(0, 25) == {
        "section": ["New"],
        "pages": [2, 3],
        "boxes": [{"page_number": 3, "bbox": BOX}] * 2,
        "element_positions": [0, 2, 3],
        "places": None,
    }
    assert ElementIndex(elements).cite_span(0, 5)["section"] == ["Old"]


def test_a_span_between_elements_has_the_page_and_section_of_the_one_before() -> None:
    elements = [element("paragraph", 0, 3, section=["A"], page_number=4, bbox=BOX), element("paragraph", 9, 12, page_number=5)]
    nothing: Citation = {"section": [], "pages": [1], "boxes": [], "element_positions": [], "places": None}
    assert ElementIndex(elements).cite_span(4, 8) == {**nothing, "section": ["A"], "pages": [4]}
    assert ElementIndex([]).cite_span(0, 3) == nothing
