from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.regions import Region
from tasks.parse.layout.words import Word
from tasks.parse.tables.cells import Cell, extent
from tasks.parse.tables.settled import EdgedCell, FoundLine, FoundTable, apart, lines_told, settled, spanned_cells, without_tables


@st.composite
def grids(draw: st.DrawFn) -> list[list[EdgedCell]]:
    n_rows, n_columns = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    cell = st.builds(EdgedCell, st.sampled_from(["", "a", "b\nc"]), st.booleans(), st.booleans())
    return draw(st.lists(st.lists(cell, min_size=n_columns, max_size=n_columns), min_size=n_rows, max_size=n_rows))


@given(grid=grids())
def test_every_place_of_a_grid_is_in_one_cell_and_no_text_is_lost(grid: list[list[EdgedCell]]) -> None:
    cells = spanned_cells(grid, range(len(grid)), range(len(grid[0])))
    covered = [
        (row, column)
        for cell in cells
        for row in range(cell.row, cell.row + cell.rows)
        for column in range(cell.column, cell.column + cell.columns)
    ]
    assert sorted(covered) == [(row, column) for row in range(len(grid)) for column in range(len(grid[0]))]
    assert sorted("".join(cell.text for cell in cells).replace(" ", "")) == sorted(
        "".join(cell.text for line in grid for cell in line).replace("\n", "")
    )


@given(grid=grids(), data=st.data())
def test_rows_and_columns_that_are_left_out_make_room(grid: list[list[EdgedCell]], data: st.DataObject) -> None:
    rows = sorted(data.draw(st.sets(st.sampled_from(range(len(grid))), min_size=1)))
    columns = sorted(data.draw(st.sets(st.sampled_from(range(len(grid[0]))), min_size=1)))
    cells = spanned_cells(grid, rows, columns)
    assert extent(cells) == (len(rows), len(columns))
    assert sum(cell.rows * cell.columns for cell in cells) == len(rows) * len(columns)


def found(top: float, *texts: str) -> FoundTable:
    lines = [FoundLine((0, top + 10 * n, 50, top + 10 * n + 8), text) for n, text in enumerate(texts)]
    return FoundTable((0, top, 50, top + 10 * len(texts)), [Cell(n, 0, text) for n, text in enumerate(texts)], lines)


def test_of_two_tables_with_the_same_lines_one_remains() -> None:
    larger, smaller = found(0, "a", "b", "c"), found(0, "a", "b")
    assert apart([smaller, larger]) == [larger]


def test_a_line_at_the_edge_of_two_tables_is_in_one_of_them() -> None:
    upper, lower = found(0, "a", "b", "an edge", "c"), found(20, "an edge", "c", "d", "e", "f")
    kept = apart([upper, lower])
    assert [[cell.text for cell in table.cells] for table in kept] == [["a", "b", "", ""], ["an edge", "c", "d", "e", "f"]]
    assert [len(table.lines) for table in kept] == [2, 5]


def test_a_line_that_no_cell_tells_stays_on_the_page() -> None:
    lines = [FoundLine((0, 0, 50, 8), "told \ufb01rst"), FoundLine((0, 10, 50, 18), "untold")]
    assert lines_told(lines, [Cell(0, 0, "told first")]) == lines[:1]


def test_words_go_to_the_first_table_whose_line_holds_them() -> None:
    words = [Word((5, 1, 15, 7), "a", 0, 0), Word((5, 101, 15, 107), "else", 0, 1)]
    [region], rest = settled(words, [found(0, "a")])
    assert region.words == words[:1]
    assert rest == words[1:]


def test_beside_other_tables_the_models_are_paragraphs_and_its_picture_of_one_is_gone() -> None:
    table = Region((0, 0, 50, 50), "table")
    regions = [Region((0, 0, 50, 48), "figure"), Region((0, 60, 50, 90), "table"), Region((0, 100, 50, 120), "figure")]
    assert [region.kind for region in without_tables(regions, [table])] == ["paragraph", "figure"]
