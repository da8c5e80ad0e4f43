from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.tables.cells import Cell, as_html, without_gaps
from tasks.parse.tables.html_cells import cells_of, grid_of

TEXTS = st.text(st.characters(categories=["L", "N", "P", "S"]), max_size=6)


@given(rows=st.integers(1, 4).flatmap(lambda n: st.lists(st.lists(TEXTS, min_size=n, max_size=n), min_size=1, max_size=4)))
def test_cells_come_back_from_html(rows: list[list[str]]) -> None:
    cells = [Cell(r, c, text) for r, row in enumerate(rows) for c, text in enumerate(row)]
    assert cells_of(as_html(cells)) == cells
    assert grid_of(as_html(cells)) == rows


@given(rows=st.integers(1, 3), columns=st.integers(1, 3))
def test_a_spanning_cell_moves_those_beside_it(rows: int, columns: int) -> None:
    cells = without_gaps([Cell(0, 0, "a", rows, columns), Cell(rows, columns, "b")])
    assert cells_of(as_html(cells)) == cells


def test_heads_count_as_rows_and_breaks_as_white_space() -> None:
    html = "<table><thead><tr><th>a<br>b</th></tr></thead><tbody><tr><td>c</td></tr></tbody></table>"
    assert grid_of(html) == [["a\nb"], ["c"]]
