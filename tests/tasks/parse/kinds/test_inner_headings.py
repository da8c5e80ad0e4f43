from dataclasses import replace
from typing import Any

import pytest

from tasks.parse.kinds.inner_headings import with_inner_headings
from tasks.parse.layout.geometry import union
from tasks.parse.layout.regions import Region
from tasks.parse.layout.words import Word

TEXT = "The mill grinds by day and by night, and the miller sleeps when there is no wind to turn its sails at all. " * 3
Line = tuple[str, dict[str, Any]]
PLAIN: dict[str, Any] = {}
BOLD: dict[str, Any] = {"bold": True, "font": "Serif-Bold"}
LARGE: dict[str, Any] = {"size": 14.0, **BOLD}


def a_region(kind: str, y: float, *lines: Line) -> Region:
    words = []
    for n, (text, style) in enumerate(lines):
        x, top = 0.0, y + 15 * n
        for part in text.split():
            size = style.get("size", 10.0)
            words.append(Word((x, top, x + 5 * len(part), top + size), part, 0, round(top), **{"font": "Serif", **style}))
            x += 5 * len(part) + 3
    return Region(union(word.box for word in words), kind, words=words)


PAGE = [a_region("paragraph", 900, (TEXT, PLAIN))]


def parts(*regions: Region) -> list[tuple[str, str]]:
    found = with_inner_headings([*regions, *PAGE])[:-1]
    return [(region.kind, " ".join(word.text for word in region.words)) for region in found]


@pytest.mark.parametrize("style", [LARGE, BOLD], ids=["large", "bold"])
def test_a_numbered_line_that_stands_out_from_its_paragraph_is_a_heading(style: dict[str, Any]) -> None:
    mixed = a_region("paragraph", 100, ("It was built in May.", PLAIN), ("4.2 Wind and sails", style), ("It turns.", PLAIN))
    assert parts(mixed) == [("paragraph", "It was built in May."), ("heading", "4.2 Wind and sails"), ("paragraph", "It turns.")]


def test_a_paragraph_that_is_a_numbered_line_in_large_type_is_a_heading() -> None:
    assert parts(a_region("paragraph", 100, ("4.2 Wind and", LARGE), ("its sails", LARGE))) == [
        ("heading", "4.2 Wind and its sails")
    ]


ITALIC: dict[str, Any] = {"font": "Serif-Italic"}


@pytest.mark.parametrize(
    ("text", "style"), [("4.2 Wind and sails", ITALIC), ("4.2 WIND AND SAILS", PLAIN)], ids=["italic", "capitals"]
)
def test_a_line_with_a_number_of_two_parts_is_a_heading_in_another_font_or_in_capitals(text: str, style: dict[str, Any]) -> None:
    assert parts(a_region("list_item", 100, (text, style))) == [("heading", text)]
    assert parts(a_region("list_item", 100, (f"{text};", style))) == [("list_item", f"{text};")]


def test_a_gap_behind_the_number_of_a_heading_parts_no_cells() -> None:
    head = a_region("paragraph", 100, ("4.2 Wind", BOLD))
    number, name = head.words
    head = replace(head, words=[number, name._replace(box=(40, name.box[1], 70, name.box[3]))])
    assert parts(head) == [("heading", "4.2 Wind")]


@pytest.mark.parametrize(
    ("text", "style"),
    [("Wind and sails", LARGE), ("4.2 Wind and sails", PLAIN), ("4. Wind", BOLD), ("4.2 " + "wind and sails " * 12, LARGE)],
    ids=["no number", "as the text", "bold with a plain number", "too long"],
)
def test_other_lines_stay_in_their_paragraph(text: str, style: dict[str, Any]) -> None:
    mixed = a_region("paragraph", 100, ("It was built in May.", PLAIN), (text, style), ("It turns.", PLAIN))
    assert [kind for kind, _ in parts(mixed)] == ["paragraph"]


def test_a_plain_number_is_enough_where_another_heading_looks_so() -> None:
    head = a_region("heading", 50, ("3. Water", BOLD))
    mixed = a_region("paragraph", 100, ("It was built.", PLAIN), ("4. Wind", BOLD), ("It turns.", PLAIN))
    assert ("heading", "4. Wind") in parts(head, mixed)


def test_a_line_much_larger_than_the_text_is_a_heading_where_another_heading_looks_so() -> None:
    head = a_region("heading", 50, ("Water", LARGE))
    mixed = a_region("paragraph", 100, ("It was built.", PLAIN), ("Wind", LARGE), ("It turns.", PLAIN))
    assert parts(head, mixed)[1:] == [("paragraph", "It was built."), ("heading", "Wind"), ("paragraph", "It turns.")]
    assert [kind for kind, _ in parts(head, a_region("paragraph", 100, ("Wind", LARGE)))] == ["heading", "heading"]
    motto = a_region("paragraph", 100, ("Wind and", LARGE), ("weather", LARGE))
    assert [kind for kind, _ in parts(head, motto)] == ["heading", "paragraph"]
    assert [kind for kind, _ in parts(a_region("paragraph", 100, ("Wind", LARGE)))] == ["paragraph"]
    slightly = a_region("paragraph", 100, ("It was built.", PLAIN), ("Wind", {**LARGE, "size": 12.5}), ("It turns.", PLAIN))
    assert len(parts(a_region("heading", 50, ("Water", {**LARGE, "size": 12.5})), slightly)) == 2


def test_lines_of_a_heading_that_are_set_as_the_text_is_are_a_paragraph() -> None:
    mixed = a_region("heading", 100, ("Wind and sails", BOLD), ("It turns the wheel.", PLAIN))
    assert parts(mixed) == [("heading", "Wind and sails"), ("paragraph", "It turns the wheel.")]
    whole = a_region("heading", 100, ("Wind and sails", PLAIN))
    assert parts(whole) == [("heading", "Wind and sails")]


def test_scans_keep_their_regions() -> None:
    page = [a_region("paragraph", 900, (TEXT, {"font": ""})), a_region("paragraph", 100, ("4.2 Wind", {**LARGE, "font": ""}))]
    assert with_inner_headings(page) == page


def test_numbers_part_headings_that_follow_each_other() -> None:
    heads = a_region("heading", 100, ("4.2 Wind and", LARGE), ("its sails", LARGE), ("4.3 Water", LARGE))
    assert parts(heads) == [("heading", "4.2 Wind and its sails"), ("heading", "4.3 Water")]
    for first, second in (("4.2 Wind and", "2 sails"), ("Wind and", "4.2 sails")):
        assert len(parts(a_region("heading", 100, (first, LARGE), (second, LARGE)))) == 1
