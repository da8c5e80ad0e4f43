from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.tables.column_edges import columns_of, missing_edges
from tests.tasks.parse.layout.pages import a_row, a_word

LINES = [a_row(20 * n, "Name of it", "1", "2") for n in range(4)]


def test_a_gap_in_most_rows_is_an_edge_unless_the_grid_has_one() -> None:
    assert [100 < edge < 200 for edge in missing_edges(LINES, [80.0])] == [True]
    assert missing_edges(LINES, [80.0, 150.0]) == []


def test_a_gap_in_few_rows_is_not_an_edge() -> None:
    assert missing_edges([LINES[0], *(a_row(20 * n, "Name of it") for n in range(1, 5))], [80.0]) == []


def test_the_sign_of_a_currency_is_in_the_column_of_its_figure() -> None:
    assert columns_of([a_word("Rent", 0, 0), a_word("$", 60, 0), a_word("12", 120, 0)], [50.0, 100.0]) == [0, 2, 2]


@given(st.lists(st.integers(0, 300), max_size=12), st.lists(st.floats(0, 300), max_size=5))
def test_columns_are_those_between_the_edges(xs: list[int], edges: list[float]) -> None:
    found = columns_of([a_word("w", x, 0) for x in sorted(xs)], edges)
    assert found == sorted(found)
    assert all(0 <= column <= len(edges) for column in found)
