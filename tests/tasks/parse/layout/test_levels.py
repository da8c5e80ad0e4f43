import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.records import Element
from tasks.parse.elements.from_regions import BOLDER, element
from tasks.parse.layout.levels import MAX_LEVEL, scheme_of, with_levels

KINDS = st.sampled_from(["title", "heading", "heading", "heading", "paragraph", "furniture"])
TEXTS = st.sampled_from(["Sails", "1 Sails", "1.1 Knots", "2.3.4 Bowline", "IV. Wind", "A. Masts", "Chapter 2", "Part I", "x"])


def levelled(*rows: tuple[str, float], start: int = 1) -> list[tuple[str, int | None]]:
    elements = with_levels([(element(start + n // 9, "heading", text), size) for n, (text, size) in enumerate(rows)])
    return [(e["kind"], e["level"]) for e in elements]


def levels(*rows: tuple[str, float]) -> list[int | None]:
    return [level for _, level in levelled(*rows)]


@given(st.lists(st.tuples(KINDS, TEXTS, st.sampled_from([9.0, 12.0, 12.25, 20.0]), st.integers(0, 4)), max_size=12))
def test_every_heading_has_a_level_and_nothing_else_has(rows: list[tuple[str, str, float, int]]) -> None:
    sized = [
        (element(1, kind, text, level=level or None if kind == "heading" else None), size) for kind, text, size, level in rows
    ]
    found = with_levels(sized)
    assert [e["text"] for e in found] == [text for _, text, _, _ in rows]
    for e in found:
        assert e["level"] in range(1, MAX_LEVEL + 1) if e["kind"] in ("title", "heading") else e["level"] is None
        assert e["kind"] != "title" or e["level"] == 1


@given(st.lists(st.integers(1, 4), min_size=1, max_size=8), st.booleans())
def test_a_number_with_more_parts_is_below_one_with_fewer_in_any_type(depths: list[int], smaller: bool) -> None:
    rows = [("1 One", 14.0), *((f"{'.'.join('1' * (depth + 1))} Part", 14.0 - smaller * depth) for depth in depths)]
    assert levels(*rows) == [1, *(depth + 1 for depth in depths)]


def test_larger_and_bolder_type_is_above_other_type() -> None:
    assert levels(("Sails", 14.0), ("Knots", 12.0 + BOLDER), ("Bowline", 12.0), ("Wind", 14.0)) == [1, 2, 3, 1]


def test_the_only_heading_of_the_largest_type_is_the_title() -> None:
    rows = [("A Year at Sea", 24.0), ("1 Sails", 14.0), ("1.1 Knots", 14.0), ("2 Wind", 14.0), ("References", 14.0)]
    assert levelled(*rows) == [("title", 1), ("heading", 2), ("heading", 3), ("heading", 2), ("heading", 2)]
    assert levelled(("1 Sails", 24.0), ("1.1 Knots", 14.0)) == [("heading", 1), ("heading", 2)]


def test_letters_count_within_numerals_and_after_the_last_chapter_at_its_level() -> None:
    assert levels(("I. Sails", 10.0), ("A. Knots", 10.0), ("II. Wind", 10.0), ("A. Storm", 10.0)) == [1, 2, 1, 2]
    assert levels(("1 Sails", 10.0), ("2 Wind", 10.0), ("A. Tables", 10.0)) == [1, 1, 1]
    assert levels(("Part I", 10.0), ("Chapter 1", 10.0), ("1.1 Knots", 10.0), ("Chapter 2", 10.0)) == [1, 2, 3, 2]


@pytest.mark.parametrize(
    ("chapter", "section"),
    [("Глава 4. История", "Раздел 2"), ("Capítulo 4. Velas", "Sección 2"), ("Rozdział IV", "1.1 Węzły"), ("Bölüm 4", "1.1 Düğüm"),
     ("第4章 歴史", "第2節 帆"), ("第 四 章 帆", "第十二条 结"), ("제4장 돛", "제2절 매듭"),
     ("4장. 세부 역사", "4.1. 릴리스"), ("附录 A. 帆", "A. 结")],
)  # fmt: skip
def test_chapters_are_above_sections_in_many_languages(chapter: str, section: str) -> None:
    assert levels((chapter, 10.0), (section, 10.0), (chapter, 10.0)) == [1, 2, 1]


@pytest.mark.parametrize(
    "text", ["Del 5 al 9 de mayo", "3장은 다음과 같다", "Articles of association", "Глава государства", "第一次"]
)
def test_words_that_begin_as_names_of_chapters_do_are_no_numbers(text: str) -> None:
    assert scheme_of(text) == ("", 1)


def test_the_outline_has_priority_over_type_and_is_below_a_title_that_it_lacks() -> None:
    def heading(text: str, size: float, level: int | None) -> tuple[Element, float]:
        return element(1, "heading", text, level=level), size

    rows = [heading("At Sea", 24.0, None), heading("Sails", 12.0, 1), heading("Knots", 12.0, 2), heading("Wind", 12.0, 1)]
    assert [e["level"] for e in with_levels([*rows, heading("Storm", 12.0, None)])] == [1, 2, 3, 2, 2]


def test_a_document_with_only_furniture_becomes_paragraphs() -> None:
    assert [e["kind"] for e in with_levels([(element(1, "furniture", "7"), 9.0)])] == ["paragraph"]
