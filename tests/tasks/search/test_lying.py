from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.search.lying import LEAST_PRINTED, at_all, lying, printed_off, shares
from tasks.search.named_places import named_places


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
def test_a_chunk_with_the_caption_lies_there(question: str, text: str) -> None:
    assert len(lying(named_places(question), [], [], text)) == 1


@pytest.mark.parametrize("text", ["as Table 3 shows", "Table 31", "Table 3.1 Exports", "Figure 3", "Table 13", "3 tons"])
def test_a_chunk_that_mentions_or_has_another_caption_does_not(text: str) -> None:
    assert lying(named_places("Table 3"), [], [], text) == frozenset()


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
def test_a_chunk_below_the_heading_lies_there(question: str, heading: str, lies: bool) -> None:
    assert bool(lying(named_places(question), [], ["Manual", heading], "Text.")) == lies


def test_a_page_is_meant_by_its_number_and_by_the_printed_one() -> None:
    named = named_places("page 12")
    assert [bool(lying(named, [page], [], "", off=8)) for page in (12, 20, 13)] == [True, True, False]


@given(st.integers(-5, 40), st.integers(LEAST_PRINTED, 30))
def test_printed_numbers_tell_how_far_they_are_off(off: int, n: int) -> None:
    pages = range(max(1, off + 1), max(1, off + 1) + n)
    assert printed_off([(page, f"Annual report | {page - off}") for page in pages]) == off
    assert printed_off([(page, "Annual report") for page in pages]) == 0


@given(st.dictionaries(st.text(max_size=3), st.frozensets(st.integers(1, 4))))
def test_shares_are_those_of_the_places_that_were_found(found: Mapping[str, frozenset[object]]) -> None:
    made = shares(found)
    assert at_all(found) <= made.keys()
    assert made.keys() == {name for name, places in found.items() if places}
    assert all(0 < share <= 1 for share in made.values())
