import pytest

from tasks.parse.kinds.page_numbers import with_page_numbers
from tasks.parse.layout.geometry import Box, union
from tasks.parse.layout.regions import Region
from tests.tasks.parse.layout.pages import a_sentence

PAGE: Box = (0.0, 0.0, 400.0, 600.0)
TEXT = "A mill on the river"


def region(kind: str, text: str, y: float, x: float = 40) -> Region:
    words = a_sentence(text, x, y)
    return Region(union(word.box for word in words), kind, words=words)


@pytest.mark.parametrize("kind", ["paragraph", "table", "list_item", "heading"])
@pytest.mark.parametrize(("text", "y"), [("Page 3 of 10", 570), ("- 4 -", 575), ("xii", 20)])
def test_a_number_of_pages_at_the_edge_is_furniture_whatever_it_was_taken_for(kind: str, text: str, y: float) -> None:
    found = with_page_numbers([region("paragraph", TEXT, 300), region(kind, text, y)], PAGE)
    assert [part.kind for part in found] == ["paragraph", "furniture"]


def test_a_running_title_at_the_same_height_does_not_hide_it() -> None:
    parts = [region("paragraph", TEXT, 300), region("furniture", "The mills", 570), region("paragraph", "12", 571, 350)]
    assert with_page_numbers(parts, PAGE)[2].kind == "furniture"


@pytest.mark.parametrize(
    "parts",
    [
        [region("paragraph", TEXT, 300), region("paragraph", "12", 400)],
        [region("paragraph", TEXT, 585), region("paragraph", "12", 570)],
        [region("paragraph", TEXT, 300), region("paragraph", "12 wheels", 570)],
        [region("paragraph", "12", 570)],
    ],
    ids=["amid the page", "above other text", "with other words", "the page's only text"],
)
def test_other_numbers_stay_what_they_are(parts: list[Region]) -> None:
    assert with_page_numbers(parts, PAGE) == parts
