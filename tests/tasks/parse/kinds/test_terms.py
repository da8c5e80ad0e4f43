from collections.abc import Sequence

import pytest

from tasks.parse.kinds.terms import without_terms
from tasks.parse.layout.geometry import union
from tasks.parse.layout.regions import Region
from tasks.parse.layout.words import Word
from tests.tasks.parse.layout.pages import a_sentence

BODY = "which turns the wheel of the mill by day and by night"


def region(kind: str, words: Sequence[Word]) -> Region:
    return Region(union(word.box for word in words), kind, words=list(words))


def entries(*names: str, indent: float = 20, gap: float = 4) -> list[Region]:
    found = []
    for n, name in enumerate(names):
        found.append(region("heading", a_sentence(name, 0, 60 * n)))
        found.append(region("paragraph", a_sentence(BODY, indent, 60 * n + 10 + gap)))
    return found


def kinds(regions: Sequence[Region], body: float | None = 10.0) -> list[str]:
    return [found.kind for found in without_terms(regions, body)][::2]


def test_names_with_an_indented_text_close_below_are_terms() -> None:
    assert kinds(entries("Sluice", "Water wheel")) == ["paragraph", "paragraph"]


@pytest.mark.parametrize(
    "regions",
    [
        entries("Sluice", "Water wheel", indent=0),
        entries("Sluice", "Water wheel", gap=15),
        entries("SLUICE", "WATER WHEEL"),
        entries("1.1 Sluice", "1.2 Water wheel"),
        entries("As a miller:", "As a farmer:"),
        entries("Sluice"),
    ],
    ids=["not indented", "far above", "capitals", "numbered", "with a colon", "alone"],
)
def test_other_headings_stay_headings(regions: list[Region]) -> None:
    assert set(kinds(regions)) == {"heading"}


def test_one_indented_text_below_many_headings_makes_no_term() -> None:
    found = [*entries("Sluice", "Wheel"), *entries("Mill", "Weir", "Dam", indent=0)]
    assert set(kinds(found)) == {"heading"}


def test_headings_with_a_number_in_the_same_type_do_not_hide_terms() -> None:
    numbered = entries("1 Mill", "1.1 Weir", "1.2 Dam", indent=0)
    assert kinds([*numbered, *entries("Sluice", "Wheel")]) == [*["heading"] * 3, *["paragraph"] * 2]


def test_capitals_between_letters_that_have_no_small_ones_are_a_name() -> None:
    assert kinds(entries("CGI 与动态内容", "水车与磨坊的动态内容")) == ["paragraph", "paragraph"]


def test_one_name_whose_text_is_indented_below_other_text_is_a_term() -> None:
    text = region("paragraph", a_sentence(BODY, 0, 200))
    assert kinds([*entries("Sluice", gap=2), text]) == ["paragraph", "paragraph"]
    assert kinds([*entries("Sluice", indent=12, gap=2), text]) == ["heading", "paragraph"]
    assert kinds([*entries("Sluice", gap=7.5), text]) == ["heading", "paragraph"]


def test_names_of_variables_are_terms_although_in_capitals() -> None:
    assert kinds(entries("GIT_EDITOR", "RAID0")) == ["paragraph", "paragraph"]


def test_a_name_in_capitals_that_is_set_as_other_terms_are_is_one() -> None:
    assert kinds(entries("RAIDO", "RAID1", "Sluice")) == ["paragraph"] * 3
    assert kinds([*entries("SLUICE", indent=20), *entries("Mill", "Weir", indent=0)]) == ["heading"] * 3


def test_a_page_without_enough_text_to_compare_with_keeps_its_headings() -> None:
    assert set(kinds(entries("Sluice", "Water wheel"), None)) == {"heading"}


def test_a_term_whose_definition_begins_with_a_term_is_one() -> None:
    inner = [region("heading", a_sentence("Wheel", 20, 14)), region("paragraph", a_sentence(BODY, 40, 28))]
    nested = [region("heading", a_sentence("Parts", 0, 0)), *inner]
    assert [found.kind for found in without_terms(nested, 10.0)] == ["paragraph"] * 3
    larger = [region("heading", [word._replace(size=11.5) for word in a_sentence("Parts", 0, 0)]), *inner]
    assert without_terms(larger, 10.0)[0].kind == "heading"


def test_headings_that_can_be_no_terms_do_not_hide_those_of_their_type() -> None:
    others = entries("As a miller:", "As a farmer:", "MILLS", indent=0)
    assert kinds([*others, *entries("Sluice", "Wheel")]) == [*["heading"] * 3, *["paragraph"] * 2]
