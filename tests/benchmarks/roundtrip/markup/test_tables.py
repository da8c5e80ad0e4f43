"""Tables as cells with places, and how wide their columns are."""

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.roundtrip.markup.tree import cell_at, grid_of, holes, parse_body
from benchmarks.roundtrip.markup.widths import GAP, fit_widths, scale_for, widths_needed, widths_wanted

words = st.text("abc ", min_size=1, max_size=40)
tables = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(words, min_size=width, max_size=width), min_size=1, max_size=5)
)


def table_of(rows: list[list[str]]) -> str:
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><tbody>{body}</tbody></table>"


def test_a_cell_goes_to_the_first_free_place_of_its_row() -> None:
    body = '<table><thead><tr><th rowspan="2">a</th><th colspan="2">b</th></tr><tr><th>c</th><th>d</th></tr></thead></table>'
    grid = grid_of(parse_body(body)[0])
    assert [(cell.row, cell.column, cell.rows, cell.columns) for cell in grid.cells] == [
        (0, 0, 2, 1),
        (0, 1, 1, 2),
        (1, 1, 1, 1),
        (1, 2, 1, 1),
    ]
    assert (grid.rows, grid.columns, grid.head_rows) == (2, 3, 2)


def test_a_short_row_leaves_holes() -> None:
    grid = grid_of(parse_body("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>")[0])
    assert list(holes(grid)) == [(1, 1)]
    assert cell_at(grid, 1, 1) is None


@given(rows=tables, room=st.floats(20, 200))
def test_columns_never_want_more_than_the_room_and_get_what_they_need_where_it_is_there(
    rows: list[list[str]], room: float
) -> None:
    grid = grid_of(parse_body(table_of(rows))[0])
    widths = fit_widths(grid, room)
    if room > GAP * grid.columns:
        assert sum(widths) + GAP * grid.columns <= room + 1e-6
    if scale_for(grid, room) == 1:
        assert all(wide >= least - 1e-6 for wide, least in zip(widths, widths_needed(grid), strict=True))


@given(rows=tables)
def test_no_column_needs_more_than_it_wants(rows: list[list[str]]) -> None:
    grid = grid_of(parse_body(table_of(rows))[0])
    assert all(least <= most + 1e-6 for least, most in zip(widths_needed(grid), widths_wanted(grid), strict=True))
