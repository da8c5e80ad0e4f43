from hypothesis import given
from hypothesis import strategies as st

from schemas.records import Element
from schemas.tables.elements import KINDS, OUT_OF_TEXT
from tasks.parse.elements.assembly import assemble, captions_of
from tasks.parse.elements.from_regions import element


@st.composite
def elements(draw: st.DrawFn) -> list[Element]:
    kinds = draw(st.lists(st.sampled_from(KINDS), max_size=12))
    return [
        element(1, kind, draw(st.text(max_size=12)), level=draw(st.integers(1, 6)) if kind in ("title", "heading") else None)
        for kind in kinds
    ]


@given(elements())
def test_every_offset_points_at_the_elements_text(given_elements: list[Element]) -> None:
    text, placed = assemble(given_elements)
    spans = [(found["start_char"], found["end_char"]) for found in placed if found["start_char"] is not None]
    assert all(text[e["start_char"] : e["end_char"]] == e["text"] for e in placed if e["start_char"] is not None)
    assert spans == sorted(spans)
    assert [(e["kind"], e["text"]) for e in placed] == [(e["kind"], e["text"]) for e in given_elements]


@given(elements())
def test_only_furniture_hidden_text_and_blanks_have_no_place(given_elements: list[Element]) -> None:
    text, placed = assemble(given_elements)
    assert all((e["start_char"] is None) == (e["kind"] in OUT_OF_TEXT or not e["text"].strip()) for e in placed)
    assert len("".join(text.split())) == sum(len("".join(e["text"].split())) for e in placed if e["start_char"] is not None)


@given(elements())
def test_hidden_text_has_a_place_where_it_is_asked_for(given_elements: list[Element]) -> None:
    text, placed = assemble(given_elements, hidden=True)
    assert all((e["start_char"] is None) == (e["kind"] == "furniture" or not e["text"].strip()) for e in placed)
    assert all(text[e["start_char"] : e["end_char"]] == e["text"] for e in placed if e["start_char"] is not None)


@given(elements(), st.text())
def test_a_text_that_is_given_stays_as_it_is(given_elements: list[Element], text: str) -> None:
    assembled = assemble(given_elements, text)
    assert assembled.text == text
    assert [e["start_char"] for e in assembled.elements] == [e["start_char"] for e in given_elements]


def test_a_heading_ends_the_sections_of_its_level_and_below() -> None:
    outline = [("title", 1, "T"), ("heading", 2, "A"), ("heading", 3, "a"), ("heading", 2, "## B ##"), ("paragraph", None, "p")]
    placed = assemble([element(1, kind, text, level=level) for kind, level, text in outline]).elements
    assert [e["section"] for e in placed] == [[], ["T"], ["T", "A"], ["T"], ["T", "B"]]


def test_a_caption_belongs_to_the_nearest_figure_on_its_page() -> None:
    def boxed(page: int, kind: str, top: float) -> Element:
        return element(page, kind, f"{kind} {top}", bbox={"x0": 0.0, "y0": top, "x1": 100.0, "y1": top + 50})

    found = captions_of([boxed(1, "figure", 0), boxed(1, "figure", 200), boxed(1, "caption", 260), boxed(2, "caption", 60)])
    assert found == {1: "caption 260"}
