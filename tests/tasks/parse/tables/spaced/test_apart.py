from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.rules import NO_RULES, Rule, Rules
from tasks.parse.layout.words import Word
from tasks.parse.tables.spaced.apart import side_by_side, tables_in
from tests.tasks.parse.tables.spaced.test_reader import letters

BOX = (-5.0, 0.0, 400.0, 300.0)


def a_table(x: float, y: float, n_rows: int, pitch: float = 16) -> list[Word]:
    words = [*letters("Item", x, y, bold=True), *letters("Cost", x + 60, y, bold=True), *letters("Load", x + 110, y, bold=True)]
    for n in range(1, n_rows + 1):
        words += [
            *letters("pump", x, y + pitch * n),
            *letters("12", x + 60, y + pitch * n),
            *letters("9", x + 110, y + pitch * n),
        ]
    return words


def test_names_and_figures_twice_are_two_tables() -> None:
    boxes = side_by_side([*a_table(0, 20, 5), *a_table(200, 20, 6)], NO_RULES, BOX)
    assert [box[0] < 200 < box[2] for box in boxes] == [False, True]
    assert len(boxes) == 2


def test_rules_that_end_at_the_gutter_part_two_tables() -> None:
    words = [
        *a_table(0, 20, 3),
        *letters("Item of", 200, 20),
        *letters("words", 260, 20),
        *letters("more", 200, 36),
        *letters("x", 260, 36),
    ]
    across = tuple(Rule(y, x, x + 140) for x in (0.0, 200.0) for y in (10.0, 24.0, 80.0))
    assert len(side_by_side(words, Rules(across), BOX)) == 2
    assert side_by_side(words, Rules((*across, Rule(90.0, 0.0, 340.0))), BOX) == [BOX]


def test_pairs_of_keys_and_values_in_four_columns_are_one_table() -> None:
    rows = [[("cost", 0), ("12", 60), ("load", 200), ("9", 260)]] * 4 + [[("more", 0), ("7", 60)]]
    words = [word for n, row in enumerate(rows) for text, x in row for word in letters(text, x, 20 + 16 * n)]
    assert side_by_side(words, NO_RULES, BOX) == [BOX]


def test_a_sub_heading_above_figures_is_a_row() -> None:
    words = [*a_table(0, 20, 4), *letters("Other parts", 0, 120, bold=True)]
    words += [word for word in a_table(0, 134, 4) if not word.bold]
    assert tables_in(words, NO_RULES, BOX) == [BOX]


@given(st.integers(1, 9), st.integers(12, 24))
def test_one_table_stays_whole(n_rows: int, pitch: int) -> None:
    assert tables_in(a_table(0, 20, n_rows, pitch), NO_RULES, BOX) == [BOX]


def test_the_gutter_of_a_page_parts_tables_whose_rows_are_beside_each_other() -> None:
    left = [word for n in range(4) for x in (0, 60) for word in letters("some text", x, 20 + 16 * n)]
    right = [word for n in range(4) for x in (200, 260) for word in letters("some text", x, 21 + 16 * n)]
    level = [word._replace(box=(word.box[0], word.box[1] - 1, word.box[2], word.box[3] - 1)) for word in right]
    assert len(side_by_side([*left, *right], NO_RULES, BOX, [160.0])) == 2
    assert side_by_side([*left, *right], NO_RULES, BOX) == [BOX]
    assert side_by_side([*left, *level], NO_RULES, BOX, [160.0]) == [BOX]
