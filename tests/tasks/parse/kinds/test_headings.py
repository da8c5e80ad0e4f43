from dataclasses import replace

import pytest

from tasks.parse.kinds import headings
from tasks.parse.kinds.headings import body_size, table_size
from tasks.parse.layout.page_model import BodyStyle
from tasks.parse.layout.regions import Region
from tasks.parse.layout.words import Word

RULES = (
    headings.labelled_heading,
    headings.bulleted_heading,
    headings.large_heading,
)


def kind_of(region: Region, size: float | None, table_size: float | None = None) -> str:
    for rule in RULES:
        region = replace(region, kind=rule(region, BodyStyle(size, table_size)))
    return region.kind


def a_region(kind: str, text: str, size: float = 10.0, role: str = "") -> Region:
    words = [Word((0, 0, 10, size), part, 0, 0, size) for part in text.split()]
    return Region((0, 0, 100, size), kind, role=role, words=words)


def test_the_size_of_most_characters_is_the_texts() -> None:
    regions = [
        a_region("paragraph", "word " * 60, 9.0),
        a_region("heading", "word " * 90, 20.0),
        a_region("paragraph", "a b", 14.0),
    ]
    assert body_size(regions) == 9.0


def test_code_does_not_set_the_size_of_a_page_with_other_text() -> None:
    code = a_region("paragraph", "word " * 300, 8.0)
    code = replace(code, words=[word._replace(mono=True) for word in code.words])
    assert body_size([code, a_region("paragraph", "word " * 60, 10.0)]) == 10.0
    assert body_size([code, a_region("paragraph", "a b", 10.0)]) == 8.0


def test_a_page_with_little_text_has_no_size_of_text() -> None:
    assert body_size([a_region("paragraph", "A title page")]) is None


@pytest.mark.parametrize(
    ("region", "kind"),
    [
        (a_region("heading", "Table 13.2. Effect of cations"), "caption"),
        (a_region("title", "FIGURE 7: Wood pellets"), "caption"),
        (a_region("heading", "Tabelle 10.6. Werkzeuge"), "caption"),
        (a_region("heading", "\u88684.7 \u30ea\u30b9\u30c8"), "caption"),
        (a_region("heading", "Table manners"), "heading"),
        (a_region("heading", "\u2022 TITLE string"), "list_item"),
        (a_region("heading", "\u2022 A large title", 16.0), "heading"),
        (a_region("caption", "Earth and Moon", 16.0), "heading"),
        (a_region("caption", "Figure 1. Earth", 16.0), "caption"),
        (a_region("furniture", "4", 24.0, "page-header"), "heading"),
        (a_region("furniture", "Chapter 4", 12.0, "page-header"), "furniture"),
        (a_region("furniture", "78", 24.0, "page-footer"), "furniture"),
        (a_region("paragraph", "June 2023", 16.0), "paragraph"),
    ],
)
def test_label_and_size_correct_the_kind(region: Region, kind: str) -> None:
    assert kind_of(region, 10.0) == kind


def test_a_bold_caption_a_little_larger_than_the_text_is_a_heading_and_others_are_not() -> None:
    for size, bold, kind in ((13.0, True, "heading"), (13.0, False, "caption"), (11.0, True, "caption")):
        words = [word._replace(bold=bold) for word in a_region("caption", "Part 1. Sealed filter", size).words]
        assert kind_of(Region((0, 0, 100, 20), "caption", words=words), 10.0) == kind


def test_beside_a_table_and_little_text_a_caption_is_large_by_the_type_of_the_table() -> None:
    page = [a_region("table", "Coolant 12.5", 9.0), a_region("paragraph", "Each pump.", 12.0)]
    head = a_region("caption", "Part 1. Sealed filter", 14.0)
    assert (body_size(page), table_size(page), table_size(page[1:])) == (None, 9.0, None)
    assert [kind_of(head, None, size) for size in (9.0, 12.0, None)] == ["heading", "caption", "caption"]
