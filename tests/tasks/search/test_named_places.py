import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.search.named_places import MOST_PAGES, Part, named_places


@pytest.mark.parametrize(
    ("question", "pages", "parts"),
    [
        ("What does page 12 say?", {12}, set()),
        ("See pp. 3-5 and 9", {3, 4, 5, 9}, set()),
        ("What is in Item 7A and Note 5?", set(), {("section", "7A"), ("section", "5")}),
        ("Was zeigt Tabelle 3.1 auf Seite 12?", {12}, {("table", "3.1")}),
        ("таблица 3 на стр. 15", {15}, {("table", "3")}),
        ("Rysunek 3.1 na stronie 44", {44}, {("figure", "3.1")}),
        ("3. táblázat", set(), {("table", "3")}),
        ("见第12页的表3-2", {12}, {("table", "3-2")}),
        ("第4章说了什么", set(), {("section", "4")}),
        ("12ページの図3", {12}, {("figure", "3")}),
        ("표 3, 제2장", set(), {("table", "3"), ("section", "2")}),
        ("الجدول ٣ صفحة ١٢", {12}, {("table", "3")}),
        ("§ 12a and Part II", set(), {("section", "12A"), ("section", "II")}),
        ("In part I found 3 pages of tables for 2019", set(), set()),
        ("Is the U.S. 10-K of PlayStation 3 long?", set(), set()),
    ],
)
def test_places_are_told_in_many_languages(question: str, pages: set[int], parts: set[tuple[str, str]]) -> None:
    named = named_places(question)
    assert named.pages == pages
    assert {(part.kind, part.number) for part in named.parts} == parts
    assert named.any == bool(pages or parts)


@given(st.integers(1, 9999), st.integers(0, MOST_PAGES - 1))
def test_a_range_of_pages_names_each_of_them(first: int, more: int) -> None:
    assert named_places(f"pages {first}\u2013{first + more}").pages == set(range(first, first + more + 1))


@given(st.text(st.characters(exclude_categories=["N"])))
def test_a_question_without_numbers_stays_as_it_is(question: str) -> None:
    named = named_places(question)
    assert named.rest == question
    assert not named.pages
    assert all(part.number.isalpha() for part in named.parts)


@given(st.integers(1, 9999))
def test_the_number_of_a_page_is_left_out_of_what_remains(page: int) -> None:
    assert named_places(f"Revenue on page {page} of Table 3").rest == "Revenue on of Table 3"
    assert named_places(f"page {page}").rest == f"page {page}"


def test_what_a_section_is_called_is_kept() -> None:
    assert named_places("Note 5").parts == {Part("section", "note", "5")}
