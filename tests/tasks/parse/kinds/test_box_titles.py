from collections.abc import Sequence

import pytest

from tasks.parse.kinds.box_titles import without_box_titles
from tasks.parse.layout.geometry import Box, union
from tasks.parse.layout.regions import Region
from tests.tasks.parse.layout.pages import a_sentence

BOX: Box = (-5.0, 195.0, 700.0, 235.0)


def region(kind: str, text: str, y: float, size: float = 10.0) -> Region:
    words = [word._replace(size=size) for word in a_sentence(text, 0, y)]
    return Region(union(word.box for word in words), kind, words=words)


def a_page(title: str = "Going further", size: float = 10.0) -> list[Region]:
    text = [region("paragraph", "The mill grinds by day and by night, whatever the wind may be, and nobody sleeps. " * 2, 100)]
    return [*text, region("heading", title, 200, size), region("paragraph", "Other mills are driven by water.", 215), *text]


def kind_of_title(regions: Sequence[Region], frames: Sequence[Box]) -> str:
    return without_box_titles(regions, frames)[1].kind


def test_a_heading_over_the_text_in_a_box_is_its_title() -> None:
    assert kind_of_title(a_page(), [BOX]) == "paragraph"


@pytest.mark.parametrize(
    ("regions", "frames"),
    [
        (a_page(), []),
        (a_page(), [(-5.0, 198.0, 700.0, 212.0)]),
        (a_page(), [(-5.0, 90.0, 3000.0, 240.0)]),
        (a_page(size=14.0), [BOX]),
        (a_page("2.1 Going further"), [BOX]),
    ],
    ids=["no box", "a band behind the heading alone", "around most of the page", "in large type", "numbered"],
)
def test_other_headings_stay_headings(regions: list[Region], frames: list[Box]) -> None:
    assert kind_of_title(regions, frames) == "heading"


def test_a_heading_below_other_text_in_a_box_stays_one() -> None:
    page = a_page()
    assert kind_of_title([*page, region("paragraph", "A line above", 185)], [(-5.0, 180.0, 700.0, 235.0)]) == "heading"


def test_a_title_in_the_type_of_headings_outside_boxes_is_a_heading() -> None:
    page = a_page()
    assert kind_of_title([*page, region("heading", "The mill", 80)], [BOX]) == "heading"
    assert kind_of_title([*page, region("heading", "The mill", 80, 14.0)], [BOX]) == "paragraph"


def test_titles_of_cards_which_hold_most_of_the_text_are_headings() -> None:
    page = [
        part
        for n in range(3)
        for part in (region("heading", "Going further", 100 * n), region("paragraph", "By day " * 40, 100 * n + 15))
    ]
    cards = [(-5.0, 100.0 * n - 5, 3000.0, 100.0 * n + 40) for n in range(3)]
    assert [part.kind for part in without_box_titles(page, cards)] == ["heading", "paragraph"] * 3
