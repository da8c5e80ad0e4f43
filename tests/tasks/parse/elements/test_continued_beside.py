"""Continued: parts of tables beside each other, and heads that columns break."""

import pytest

from schemas.records import Element
from tests.tasks.parse.elements.test_continued import HIGH, LOW, cells_of, joined, table


def test_a_head_whose_words_a_column_breaks_in_one_part_only_is_repeated() -> None:
    first, second = table(1, [["Item", "Total cost"], ["a", "1"]], LOW), table(2, [["Item", "Tot al cost"], ["b", "2"]], HIGH)
    assert cells_of(joined(first, second)) == ["Item", "Total cost", "a", "1", "Item", "Tot al cost", "b", "2"]
    assert joined(first, second)[1]["text"] == "| b | 2 |"


def test_two_tables_beside_each_other_each_go_on_on_the_next_page() -> None:
    def beside(page: int, top: float, *rows: list[list[str]]) -> list[Element]:
        return [table(page, one, (60.0 + 250 * n, top, 260.0 + 250 * n, top + 200)) for n, one in enumerate(rows)]

    left, right = [["Item", "Cost"], ["oil", "1"]], [["Name", "Load"], ["gas", "2"]]
    more = [["Item", "Cost"], ["tar", "3"]], [["Name", "Load"], ["coal", "4"]]
    found = joined(*beside(1, 500.0, left, right), *beside(2, 80.0, *more))
    assert [one["text"].split("\n")[-1] for one in found] == ["| oil | 1 |", "| tar | 3 |", "| gas | 2 |", "| coal | 4 |"]
    assert [one["joined_by"] for one in found] == [None, "\n", None, "\n"]


@pytest.mark.parametrize("is_second", [True, False])
def test_a_table_that_goes_on_from_the_page_before_goes_on_in_the_next_column_at_the_same_height(is_second: bool) -> None:
    head, top = ["Item", "Cost"], 80.0
    parts = [
        *([table(1, [head, ["oil", "1"]], LOW)] if is_second else []),
        table(2, [head, ["gas", "2"]], (60.0, top, 260.0, 200.0)),
        table(2, [head, ["tar", "3"]], (310.0, top, 510.0, 200.0)),
    ]
    assert [one["joined_by"] for one in joined(*parts)] == ([None, "\n", "\n"] if is_second else [None, None])
