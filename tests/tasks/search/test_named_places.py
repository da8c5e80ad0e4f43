import time
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.options.search import QUESTION_CHARS
from tasks.search.named_places import (
    LEAST_PRINTED,
    MOST_PAGES,
    Part,
    compute_location_shares,
    estimate_printed_page_offset,
    find_chunks_at_all_places,
    find_named_places,
    find_places_of_chunk,
)


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
def test_places_are_found_in_many_languages(question: str, pages: set[int], parts: set[tuple[str, str]]) -> None:
    named = find_named_places(question)
    assert named.pages == pages
    assert {(part.kind, part.number) for part in named.parts} == parts
    assert named.names_any == bool(pages or parts)


@given(st.integers(1, 9999), st.integers(0, MOST_PAGES - 1))
def test_a_range_of_pages_names_each_of_them(first: int, more: int) -> None:
    assert find_named_places(f"pages {first}\u2013{first + more}").pages == set(range(first, first + more + 1))


@given(st.text(st.characters(exclude_categories=["N"])))
def test_a_question_without_numbers_stays_as_it_is(question: str) -> None:
    named = find_named_places(question)
    assert named.rest == question
    assert not named.pages
    assert all(part.number.isalpha() for part in named.parts)


@given(st.integers(1, 9999))
def test_the_number_of_a_page_is_left_out_of_what_remains(page: int) -> None:
    assert find_named_places(f"Revenue on page {page} of Table 3").rest == "Revenue on of Table 3"
    assert find_named_places(f"page {page}").rest == f"page {page}"


def test_what_a_section_is_called_is_kept() -> None:
    assert find_named_places("Note 5").parts == {Part("section", "note", "5")}


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Table 3", "Table 3: Exports by year"),
        ("table 3", "a row\n**Table 3.** Exports"),
        ("Figure 2-1", "Fig. 2-1 A weir"),
        ("表3", "表 3 出口"),
        ("3. táblázat", "3. táblázat: Kivitel"),
        ("Table A.1", "Tabelle A.1 \u2013 Ausfuhr"),
    ],
)
def test_a_chunk_with_the_caption_is_located_there(question: str, text: str) -> None:
    assert len(find_places_of_chunk(find_named_places(question), [], [], text)) == 1


@pytest.mark.parametrize("text", ["as Table 3 shows", "Table 31", "Table 3.1 Exports", "Figure 3", "Table 13", "3 tons"])
def test_a_chunk_that_mentions_or_has_another_caption_does_not(text: str) -> None:
    assert find_places_of_chunk(find_named_places("Table 3"), [], [], text) == frozenset()


@pytest.mark.parametrize(
    ("question", "heading", "lies"),
    [
        ("section 4.2", "4.2 Weirs", True),
        ("section 4.2", "4.2.1 Low weirs", True),
        ("section 4.2", "4.21 Locks", False),
        ("Item 7", "Item 7. Discussion", True),
        ("Item 7", "Item 7A. Risk", False),
        ("Note 5", "Item 5. Market", False),
        ("Note 5", "5. Revenue", True),
        ("chapter 3", "Windows 3 and later", False),
        ("第4章", "第4章 安装", True),
        ("Appendix B", "Appendix B: Terms", True),
    ],
)
def test_a_chunk_below_the_heading_is_located_there(question: str, heading: str, lies: bool) -> None:
    assert bool(find_places_of_chunk(find_named_places(question), [], ["Manual", heading], "Text.")) == lies


def test_a_page_is_meant_by_its_number_and_by_the_printed_one() -> None:
    named = find_named_places("page 12")
    assert [bool(find_places_of_chunk(named, [page], [], "", page_offset=8)) for page in (12, 20, 13)] == [True, True, False]


@given(st.integers(-5, 40), st.integers(LEAST_PRINTED, 30))
def test_printed_numbers_tell_their_offset(off: int, n: int) -> None:
    pages = range(max(1, off + 1), max(1, off + 1) + n)
    assert estimate_printed_page_offset([(page, f"Annual report | {page - off}") for page in pages]) == off
    assert estimate_printed_page_offset([(page, "Annual report") for page in pages]) == 0


@given(st.dictionaries(st.text(max_size=3), st.frozensets(st.integers(1, 4))))
def test_shares_are_those_of_the_places_that_were_found(found: Mapping[str, frozenset[object]]) -> None:
    made = compute_location_shares(found)
    assert find_chunks_at_all_places(found) <= made.keys()
    assert made.keys() == {name for name, places in found.items() if places}
    assert all(0 < share <= 1 for share in made.values())


@pytest.mark.parametrize("part", ["§", "1,", "pages 1-2, ", "1.", "第 ", "A-1."])
def test_a_question_without_an_end_keeps_nobody_waiting(part: str) -> None:
    """A pattern that looks at a list again from each of its places holds Python's lock, and with it the whole server."""
    began = time.process_time()
    find_named_places(f"page {part * (QUESTION_CHARS // len(part))}")
    assert time.process_time() - began < 0.5
