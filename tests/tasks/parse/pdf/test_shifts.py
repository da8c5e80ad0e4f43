"""Raised and lowered characters stand apart from what they follow, and names keep their letters."""

from typing import Any

import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.options.sections import ParseOptions
from tasks.parse.layout.words import as_written
from tasks.parse.pdf.io.document import parse_pdf
from tasks.parse.pdf.io.page_text import words_of
from tasks.parse.pdf.shifts import shifts_of

UP, DOWN = -3.6, 2.0

Part = tuple[str, float, float]
"""Text, its distance below the line in points, and its size in points; the text of the line has 11."""


def up(text: str, size: float = 7) -> Part:
    return text, UP, size


def down(text: str, size: float = 7) -> Part:
    return text, DOWN, size


def on(text: str, size: float = 11) -> Part:
    return text, 0, size


def drawn(parts: list[Part], page: Any = None, y: float = 100) -> Any:
    page = page or pymupdf.open().new_page()
    x = 72.0
    for text, below, size in parts:
        page.insert_text((x, y + below), text, fontsize=size)
        x += pymupdf.get_text_length(text, fontsize=size)
    return page


CASES: dict[str, tuple[list[Part], str]] = {
    "an exponent": ([on("about 10"), up("6"), on(" kg")], "about 10^6 kg"),
    "a negative exponent": ([on("some 10"), up("-3"), on(" m")], "some 10^(-3) m"),
    "a unit": ([on("of 250 km"), up("2"), on(", as said")], "of 250 km², as said"),
    "a formula": ([on("so CO"), down("2"), on(" and H"), down("2"), on("O")], "so CO₂ and H₂O"),
    "an ion": ([on("SO"), down("4"), up("2-"), on(" falls")], "SO₄²⁻ falls"),
    "a mark of a note": ([on("cost 45.6"), up("1"), on(" in May")], "cost 45.6^1 in May"),
    "a mark after a stop": ([on("in May."), up("12"), on(" It rained")], "in May.¹² It rained"),
    "marks of two notes": ([on("in May"), up("1,2"), on(" it")], "in May^(1,2) it"),
    "a mark with a space before it": ([on("in 2019 "), up("3"), on(" it")], "in 2019 ³ it"),
    "a note": ([up("1"), on(" Estimated.")], "¹ Estimated."),
    "a note without a space": ([up("1"), on("Estimated.")], "¹Estimated."),
    "a letter": ([on("the 99"), up("b"), on(" ships")], "the 99^b ships"),
    "an index": ([on("of V"), down("max"), on(" is")], "of V_max is"),
    "an ordinal": ([on("the 19"), up("th"), on(" of May")], "the 19th of May"),
    "a short title": ([on("with M"), up("me"), on(" Curie")], "with Mme Curie"),
    "a logo": ([on("in L"), up("A", 8), on("T"), ("E", 2.4, 11), on("X it")], "in LATEX it"),
    "an initial": ([("T", 12, 26), on("he wheel turns")], "T he wheel turns"),
    "small capitals": ([on("by S"), on("MITH", 8), on(" it")], "by SMITH it"),
    "no smaller, but high": ([on("about 10"), ("6", -4, 11), on(" kg")], "about 10^6 kg"),
    "a dancing line": ([on("the wa"), ("ter", -0.6, 11), on(" of"), (" the", 0.7, 10.6), on(" pond")], "the water of the pond"),
    "a word of a text layer": ([on("in the year "), ("2019", -1.6, 9.9), on(" it")], "in the year 2019 it"),
    "a fraction": ([on("some 3"), up("1"), on("/"), down("2"), on(" miles")], "some 3 1/2 miles"),
    "a numerator of one size": ([on("of d"), ("(ab)", -4, 11), on(" is")], "of d(ab) is"),
    "a sum": ([on("of 3+"), up("5.6"), on(" is")], "of 3+5.6 is"),
    "an amount": ([on("of |x|"), up("2"), on(" is")], "of |x|² is"),
    "a star": ([on("cost 45.6"), up("*"), on(" now")], "cost 45.6* now"),
}


@pytest.mark.parametrize("case", CASES)
def test_shifted_characters_are_written_apart(case: str) -> None:
    parts, written = CASES[case]
    assert " ".join(as_written(word).text for word in words_of(drawn(parts))) == written


def test_paragraphs_tables_and_links_have_them() -> None:
    page = pymupdf.open().new_page()
    for n in range(4):
        drawn(
            [on("The plant emits 10"), up("6"), on(" kg of it a year, the largest share of the county, and more.")],
            page,
            80 + 14 * n,
        )
    for row, (name, value, mark) in enumerate([("Port", "Income", ""), ("Askvoll", "45.6", "1"), ("Floro", "120", "2")]):
        page.insert_text((72, 200 + 20 * row), name)
        page.insert_text((200, 200 + 20 * row), value)
        page.insert_text((200 + pymupdf.get_text_length(value), 196 + 20 * row), mark, fontsize=7)
    for x in (66, 190, 320):
        page.draw_line((x, 186), (x, 246))
    for y in (186, 206, 226, 246):
        page.draw_line((66, y), (320, y))
    page.insert_link({"kind": pymupdf.LINK_URI, "from": pymupdf.Rect(140, 68, 190, 84), "uri": "https://kelp.org"})
    elements = parse_pdf(page.parent.tobytes(), ParseOptions(), lambda _: None)["elements"]
    text = "\n".join(found["text"] for found in elements)
    assert text.count("10^6 kg") == 4 and "| Askvoll | 45.6^1 |" in text and "| Floro | 120^2 |" in text
    assert [link["text"] for found in elements for link in found["links"] or ()] == ["10^6 kg of"]


SPANS = st.fixed_dictionaries(
    {"size": st.floats(1, 40), "origin": st.tuples(st.just(0.0), st.floats(-20, 20)), "alpha": st.sampled_from([0, 255])},
)


@given(st.lists(st.lists(st.tuples(st.text("ab12", min_size=1, max_size=3), SPANS), min_size=1, max_size=3), max_size=4))
def test_shifts_have_one_sign_a_character_or_none(words: list[list[tuple[str, Any]]]) -> None:
    for pieces, shifts in zip(words, shifts_of(words), strict=True):
        assert len(shifts) in (0, sum(len(text) for text, _ in pieces))
        assert set(shifts) <= set("^_.") and set(shifts) != {"."}
