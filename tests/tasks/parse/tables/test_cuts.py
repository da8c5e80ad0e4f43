from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.regions import Region
from tasks.parse.layout.rules import NO_RULES, Rule, Rules
from tasks.parse.layout.words import Word, words_in
from tasks.parse.tables.cuts import (
    apart_from_title,
    cut_at_prose,
    run_starts,
    without_headings,
    without_tail,
)
from tests.tasks.parse.layout.pages import a_row, a_sentence, a_word

TABLE = Region((0, 0, 420, 140), "table")
TEXT = "the components of these amounts, and what became of them in both of the years, were as follows:"


@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 130)), max_size=25))
def test_parts_are_as_wide_as_the_region_and_lie_below_each_other(places: list[tuple[int, int]]) -> None:
    parts = cut_at_prose(TABLE, [a_word("w", x, y) for x, y in places], [])
    assert all(part[::2] == (0, 420) for part in parts)
    assert all(above[3] <= below[1] + 5 for above, below in pairwise(parts))


def rows(y: float) -> list[Word]:
    return [*a_row(y, "Name", "", "", "Count"), *a_row(y + 20, "a", "", "", "1")]


def test_a_line_that_the_model_saw_as_a_paragraph_cuts_and_another_does_not() -> None:
    words = [*rows(0), *a_sentence("amounts were as follows:", 0, 50), *rows(80)]
    seen = [Region((0, 48, 200, 62), "paragraph")]
    assert len(cut_at_prose(TABLE, words, seen)) == 2
    assert cut_at_prose(TABLE, words, []) == [TABLE.box]


def test_lines_of_one_column_are_not_a_paragraph() -> None:
    terms = [*a_row(0, "Term", TEXT), *a_row(12, "", TEXT), *a_row(24, "Other", TEXT), *a_row(36, "", TEXT)]
    assert cut_at_prose(Region((0, 0, 700, 60), "table"), terms, []) == [(0, 0, 700, 60)]


def test_what_follows_the_last_table_is_left_out() -> None:
    words = [*rows(0), *a_sentence(TEXT, 0, 50), *a_sentence(TEXT, 0, 62), *a_sentence("The end.", 0, 74)]
    assert cut_at_prose(TABLE, words, []) == [(0, 0, 420, 30)]


def test_leading_dots_and_wide_gaps_end_a_run() -> None:
    assert run_starts([a_word("Men", 0, 0), a_word(".....", 18, 0), a_word("5", 46, 0), a_word("6", 90, 0)]) == [0, 46, 90]


def test_lines_over_the_columns_below_the_last_row_are_no_rows() -> None:
    tail = [*a_sentence("the mill turns in spring and in autumn", 0, 50), *a_sentence("and rests", 0, 62)]
    words = [*a_row(0, "Name", "Count"), *a_row(20, "oak", "1"), *tail]
    box = (0, 0, 420, 74)
    assert without_tail(box, words, NO_RULES) == (0, 0, 420, 30.5)
    assert without_tail(box, words, Rules((Rule(74, 0, 420),))) == box


def test_a_stub_that_wraps_and_a_single_note_stay() -> None:
    rows = [*a_row(0, "Name", "Count"), *a_row(20, "oak of the", "1")]
    for tail in ([("old", 32), ("mill", 44)], [("a note on what the mill has ground", 40)]):
        words = [*rows, *(word for text, y in tail for word in a_sentence(text, 0, y))]
        assert without_tail((0, 0, 420, 60), words, NO_RULES) == (0, 0, 420, 60)


def test_long_names_that_nearly_reach_the_texts_of_the_second_column_are_rows() -> None:
    texts = "a text of some words that goes on to the end of the row"
    words = [word for n, name in enumerate(("one", "two", "six")) for word in a_row(20 * n, name, texts, width=120)]
    words += [word for n in (3, 4) for word in a_row(20 * n, "name_of_more_letters_x", texts, width=120)]
    assert cut_at_prose(Region((0, 0, 420, 100), "table"), words, []) == [(0, 0, 420, 100)]


def test_lines_that_the_model_sees_as_headings_are_none_of_the_table_they_touch() -> None:
    words = [
        *a_sentence("Built in", 0, 0),
        *a_row(28, "oak", "a tree"),
        *a_row(45, "ivy", "a plant"),
        *a_sentence("Others", 0, 75),
    ]
    box = (0, 0, 420, 85)
    assert without_headings(box, words, [(0, 0, 60, 10), (0, 75, 60, 85)]) == (0, 27.5, 420, 55.5)
    assert without_headings(box, words, [(0, 28, 60, 38)]) == box


def test_a_heading_in_much_larger_type_is_no_row_of_the_table_below_it() -> None:
    below = [*a_row(30, "Name", "Count"), *a_row(50, "oak", "1"), *a_row(70, "elm", "2")]
    title = a_sentence("The trees of a park", 0, 0)
    large = [word._replace(size=14.0) for word in title]
    heading, table = apart_from_title(TABLE, [*large, *below], [])
    assert (heading.kind, table.kind) == ("heading", "table")
    assert words_in([*large, *below], heading.box) == large
    assert words_in([*large, *below], table.box) == below
    assert apart_from_title(TABLE, [*large, *below], [Region(heading.box, "heading")]) == [TABLE]
    assert apart_from_title(TABLE, [*title, *below], []) == [TABLE]
    columns = [word._replace(size=14.0) for word in a_row(0, "Trees", "Sum")]
    assert apart_from_title(TABLE, [*columns, *below], []) == [TABLE]
