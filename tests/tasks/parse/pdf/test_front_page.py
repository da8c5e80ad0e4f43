import pytest

from schemas.records import NO_PROPERTIES, Element, Properties
from tasks.parse.elements.from_regions import element
from tasks.parse.pdf.front_page import author_of, date_of, is_title, with_front_page

NOTHING = NO_PROPERTIES
PAGE: list[tuple[Element, float]] = [
    (element(1, "furniture", "ORRIN SOUND"), 30.0),
    (element(1, "heading", "A Year"), 24.0),
    (element(1, "heading", "at Sea"), 24.0),
    (element(1, "paragraph", "By Maren Tolk and Isak Brandvold"), 11.0),
    (element(1, "paragraph", "Published: 3 March 2021"), 11.0),
    (element(1, "paragraph", "By the end of May 2019 all lines were seeded."), 11.0),
    (element(2, "heading", "Sails"), 40.0),
]


def test_what_the_file_does_not_state_is_read_on_its_first_page() -> None:
    found = with_front_page(NOTHING, PAGE)
    assert (found["title"], found["author"], found["created"]) == ("A Year at Sea", "Maren Tolk and Isak Brandvold", "2021-03-03")


def test_what_the_file_states_has_priority_over_its_first_page() -> None:
    stated: Properties = {**NOTHING, "title": "Kelp", "author": "A. Miller", "created": "2020"}
    assert with_front_page(stated, PAGE) == stated


@pytest.mark.parametrize(
    "title",
    [
        "Microsoft Word - kelp.doc",
        "untitled",
        "Untitled-2",
        "PowerPoint Presentation",
        "C:\\work\\kelp",
        "kelp_2024_final",
        "0001",
    ],
)
def test_the_name_of_a_file_or_program_is_not_a_title(title: str) -> None:
    assert with_front_page({**NOTHING, "title": title, "author": "Administrator"}, PAGE)["title"] == "A Year at Sea"
    assert not is_title(title)


@pytest.mark.parametrize("title", ["A Year at Sea", "Documents of the board", "Node.js in practice", "1984, a novel", "海藻"])
def test_titles_are_titles(title: str) -> None:
    assert is_title(title)


def test_a_page_of_one_type_or_that_begins_with_a_section_shows_no_title() -> None:
    assert with_front_page(NOTHING, [(element(1, "paragraph", "Dear all"), 11.0)])["title"] is None
    numbered = [(element(1, "heading", "5.2 Knots"), 14.0), (element(1, "paragraph", "They hold."), 11.0)]
    assert with_front_page(NOTHING, numbered)["title"] is None
    assert with_front_page(NOTHING, []) == NOTHING


def test_sentences_are_neither_authors_nor_dates() -> None:
    assert [author_of(line) for line in ("By the sea", "By 1990 it had", "Author unknown", "Standby Power")] == [None] * 4
    assert [date_of(line) for line in ("31 February 2020", "Room 2020", "May I come in 2020", "12 May")] == [None] * 4
