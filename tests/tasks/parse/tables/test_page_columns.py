from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.geometry import Box, union
from tasks.parse.layout.regions import Region
from tasks.parse.layout.rules import NO_RULES, Rule, Rules
from tasks.parse.layout.words import Word
from tasks.parse.tables.page_columns import in_page_columns
from tests.tasks.parse.tables.spaced.test_reader import letters

PROSE = ("this text goes on from the left", *["to far beyond the place of cells"] * 3, "and ends there")


def rows(x: float, y: float, count: int) -> list[Word]:
    """Rows of a name and a text beside it, 130 points wide."""
    return [word for n in range(count) for word in (*line(x, y, n, "name"), *line(x + 60, y, n, "some other text"))]


def line(x: float, y: float, n: int, text: str) -> list[Word]:
    return letters(text, x, y + 14 * n)


def prose(x: float, y: float) -> list[Word]:
    return [word for n, text in enumerate(PROSE) for word in line(x, y, n, text)]


def box_of(words: list[Word]) -> Box:
    return union(word.box for word in words)


def parts(words: list[Word], texts: list[Box], rules: Rules = NO_RULES) -> list[Box]:
    region = Region(box_of(words), "table", spaced=True)
    return [part.box for part in in_page_columns(region, words, texts, rules)]


@given(st.integers(2, 9), st.integers(2, 9))
def test_a_table_over_two_columns_is_parted_where_a_paragraph_in_one_reaches_over_its_cells(above: int, beside: int) -> None:
    text = prose(0, 20)
    left, right = rows(0, 98, above), rows(200, 20, beside)
    assert parts([*text, *left, *right], [box_of(text)]) == [box_of([*text, *left]), box_of(right)]


def test_a_column_of_text_alone_is_no_table() -> None:
    text, right = prose(200, 20), rows(200, 98, 3)
    left = [word for n in range(6) for word in line(0, 20, n, "one text here")]
    assert parts([*text, *left, *right], [box_of(text)]) == [box_of([*text, *right])]


def test_a_text_of_few_lines_may_be_what_an_option_does_and_parts_nothing() -> None:
    few = [word for n, text in enumerate(PROSE[1:]) for word in line(0, 20, n, text)]
    words = [*few, *rows(0, 84, 3), *rows(200, 20, 5)]
    assert parts(words, [box_of(few)]) == [box_of(words)]


def test_a_long_cell_that_reaches_over_no_others_parts_nothing() -> None:
    words = [*rows(0, 20, 4), *prose(200, 20)]
    assert parts(words, [box_of(prose(200, 20))]) == [box_of(words)]


def test_rules_over_each_side_part_two_columns_unless_one_goes_over_both() -> None:
    left, right = rows(0, 20, 4), rows(200, 20, 4)
    across = tuple(Rule(10.0, x, x + 140) for x in (0.0, 200.0))
    assert parts([*left, *right], [], Rules(across)) == [box_of(left), box_of(right)]
    assert parts([*left, *right], [], Rules((*across, Rule(66.0, 0.0, 340.0)))) == [box_of([*left, *right])]


def test_rules_under_single_heads_part_nothing() -> None:
    words = [*rows(0, 20, 4), *rows(200, 20, 4)]
    across = tuple(Rule(24.0, x, x + 40) for x in (0.0, 60.0, 200.0, 260.0))
    assert parts(words, [], Rules(across)) == [box_of(words)]
