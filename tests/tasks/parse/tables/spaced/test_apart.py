from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.rules import NO_RULES, Rule, Rules
from tasks.parse.layout.words import Word, words_in
from tasks.parse.tables.spaced.apart import side_by_side
from tests.tasks.parse.layout.pages import tables_in
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


def names_and_texts(x: float, y: float, pitch: float = 16, n_rows: int = 6) -> list[Word]:
    rows = ((text, at, y + pitch * n) for n in range(n_rows) for text, at in (("name", x), ("what it is", x + 80)))
    return [word for text, at, height in rows for word in letters(text, at, height)]


@given(st.integers(3, 13))
def test_tables_in_columns_of_a_page_are_apart_where_their_rows_stand_at_heights_of_their_own(off: int) -> None:
    box = (0.0, 0.0, 560.0, 300.0)
    columns = [names_and_texts(0, 20), names_and_texts(210, 20 + off), names_and_texts(420, 26 + off, pitch=19)]
    words = [word for column in columns for word in column]
    assert len(side_by_side([*columns[0], *columns[1]], NO_RULES, (0.0, 0.0, 342.0, 300.0))) == 2
    assert [len(words_in(words, part)) for part in side_by_side(words, NO_RULES, box)] == [len(column) for column in columns]


def test_rows_of_a_scan_whose_heights_are_measured_two_points_apart_are_of_one_table() -> None:
    box = (0.0, 0.0, 342.0, 300.0)
    words = [*names_and_texts(0, 20), *names_and_texts(210, 22)]
    assert side_by_side(words, NO_RULES, box) == [box]
    assert len(side_by_side([word._replace(font="Serif") for word in words], NO_RULES, box)) == 2


def test_rows_over_two_halves_or_a_rule_over_them_show_one_table() -> None:
    box = (0.0, 0.0, 342.0, 300.0)
    left, level, off = names_and_texts(0, 20), names_and_texts(210, 20), names_and_texts(210, 28)
    assert side_by_side([*left, *level], NO_RULES, box) == [box]
    assert side_by_side([*left, *off], Rules((Rule(14.0, 0.0, 342.0),)), box) == [box]


def test_lines_in_the_middle_of_high_cells_are_no_table_of_their_own() -> None:
    left = [*names_and_texts(0, 20, 48), *(word for n in range(6) for word in letters("goes on", 80, 32 + 48 * n))]
    right = [word for n in range(6) for x in (210, 290) for word in letters("12 of 20", x, 26 + 48 * n)]
    over = (0.0, 0.0, 342.0, 300.0)
    middle = [word for n in range(6) for word in letters("name", 0, 26 + 48 * n)]
    assert side_by_side([*middle, *(word for word in left if word.box[0] >= 80), *right], NO_RULES, over) == [over]


def test_years_in_bold_type_are_a_head_of_one_of_two_tables() -> None:
    years = [word._replace(text="2024") if word.text in ("Cost", "Load") else word for word in a_table(200, 20, 5)]
    assert len(side_by_side([*a_table(0, 20, 5), *years], NO_RULES, BOX)) == 2
    assert side_by_side([*a_table(0, 20, 5), *(word._replace(bold=False) for word in years)], NO_RULES, BOX) == [BOX]
