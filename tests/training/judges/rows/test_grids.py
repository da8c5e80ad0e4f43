from random import Random

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.roundtrip.drawn.pen import Pen
from training.judges.rows.coded import Place, code_cells
from training.judges.rows.drawn import draw_table
from training.judges.rows.grids import Grid, Label, cut, row_of, visible
from training.judges.rows.looks import set_page


def test_a_row_of_a_head_that_only_cells_of_several_rows_stand_in_is_left_out() -> None:
    grid = Grid(2, [{0: Label("a", 2), 1: Label("b", 2)}, {}], [row_of(["x", "1"])])
    assert visible(grid).head == [{0: Label("a"), 1: Label("b")}]
    kept = Grid(2, [{0: Label("a", 2), 1: Label("b")}, {1: Label("c")}], [row_of(["x", "1"])])
    assert visible(kept).head == kept.head


def test_cells_are_coded_with_their_rows_and_whatever_colour_they_had() -> None:
    html = '<table><tr><td rowspan="2" style="color:red">a</td><td>b</td></tr><tr><td>c</td></tr></table>'
    html += "<table><tr><th>d</th></tr></table>"
    coded, places = code_cells(html)
    assert [*places.values()] == [Place(0, 0, 2), Place(0, 0, 1), Place(0, 1, 1), Place(1, 0, 1)]
    assert '<td rowspan="2" style="color:#000001 !important;color:red">a' in coded


@given(st.integers(0, 10_000))
def test_a_drawn_table_is_set_with_all_of_its_cells(seed: int) -> None:
    pen = Pen("train", f"{seed}")
    grid = visible(cut(draw_table(pen), Random(seed)))
    coded, places = code_cells(set_page([grid], pen, 0)[1])
    assert coded.count("<tr>") == len(grid.head) + len(grid.body)
    assert max(place.row for place in places.values()) == len(grid.head) + len(grid.body) - 1
    labels = [label for row in grid.head for label in row.values()]
    assert all(1 <= label.rows <= len(grid.head) and label.columns <= grid.n_columns for label in labels)
