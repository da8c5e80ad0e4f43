from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.geometry import union
from tasks.parse.layout.rules import NO_RULES, Rule, Rules
from tasks.parse.layout.words import Word
from tasks.parse.tables.spaced.stacked import below_each_other
from tests.tasks.parse.layout.pages import a_row, tables_in
from tests.tasks.parse.tables.spaced.test_apart import BOX, a_table
from tests.tasks.parse.tables.spaced.test_reader import letters

ALL = (-5.0, -5.0, 460.0, 300.0)


def plain(words: list[Word]) -> list[Word]:
    return [word._replace(bold=False) for word in words]


def test_a_heading_and_a_new_head_part_tables_below_each_other() -> None:
    words = [*a_table(0, 20, 4), *letters("Other parts", 0, 120, bold=True), *a_table(0, 150, 4)]
    boxes = below_each_other(words, NO_RULES, BOX)
    assert len(boxes) == 2
    assert boxes[0][3] < 113 and boxes[1][1] > 120


def test_lines_between_rules_that_part_all_rows_are_sub_headings() -> None:
    words = plain([*a_table(0, 20, 3), *letters("Other parts", 0, 84), *a_table(0, 100, 3)])
    rules = Rules(tuple(Rule(8.0 + 16 * n, 0, 390) for n in range(11)))
    assert below_each_other(words, rules, BOX) == [BOX]


@given(st.integers(2, 8), st.integers(2, 8))
def test_a_line_above_a_second_bold_head_parts_tables(above: int, below: int) -> None:
    end = 20 + 16 * above
    words = [*a_table(0, 20, above), *letters("Other parts", 0, end + 16), *a_table(0, end + 32, below)]
    assert len(below_each_other(words, NO_RULES, BOX)) == 2


def keys(y: float, count: int, colon: str = ":") -> list[Word]:
    return [w for n in range(count) for w in a_row(y + 15 * n, f"Model{colon}", "exact", f"Size{colon}", str(30 + n), width=120)]


def test_keys_and_values_beside_others_are_one_table() -> None:
    words = [*keys(0, 4), *a_row(68, "Owner:", "none", width=120)]
    assert tables_in(words, NO_RULES, ALL) == [ALL]
    assert union(word.box for word in words)[2] < ALL[2]
