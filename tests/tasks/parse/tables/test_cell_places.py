from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.geometry import Box, area, centre, holds
from tasks.parse.tables.cell_places import places_of
from tasks.parse.tables.cells import Cell

GRIDS = st.tuples(st.integers(1, 5), st.integers(1, 5))
STEP = 50.0


def word(row: int, column: int, text: str) -> tuple[Box, str]:
    x, y = column * STEP, row * STEP
    return (x + 5, y + 5, x + 40, y + 15), text


@given(shape=GRIDS, texts=st.lists(st.sampled_from(["0", "-", "own"]), min_size=25, max_size=25))
def test_cells_hold_their_words_and_fill_the_table(shape: tuple[int, int], texts: list[str]) -> None:
    n_rows, n_columns = shape
    names = {(r, c): texts[r * 5 + c].replace("own", f"{r},{c}") for r in range(n_rows) for c in range(n_columns)}
    names |= {(r, 0): f"row{r}" for r in range(n_rows)} | {(0, c): f"column{c}" for c in range(n_columns)}
    cells = [Cell(r, c, text) for (r, c), text in sorted(names.items())]
    words = [word(cell.row, cell.column, cell.text) for cell in cells]
    whole = 0.0, 0.0, n_columns * STEP, n_rows * STEP
    places = places_of(cells, words, whole)
    assert all(holds(place, centre(box)) for place, (box, _) in zip(places, words, strict=True))
    assert abs(sum(map(area, places)) - area(whole)) < 1e-6


def test_a_row_and_a_column_without_words_share_the_gap() -> None:
    cells = [Cell(0, 0, "a"), Cell(0, 1, ""), Cell(0, 2, "b"), Cell(1, 0, "c"), Cell(1, 1, ""), Cell(1, 2, "d")]
    words = [word(0, 0, "a"), word(0, 2, "b"), word(1, 0, "c"), word(1, 2, "d")]
    places = places_of(cells, words, (0, 0, 150, 100))
    assert places[0][2] < places[1][2] < places[2][2]
    assert all(area(place) for place in places)


def test_a_spanning_cell_covers_what_it_spans() -> None:
    cells = [Cell(0, 0, "head", columns=2), Cell(1, 0, "a"), Cell(1, 1, "b")]
    words = [word(0, 0, "head"), word(1, 0, "a"), word(1, 1, "b")]
    head, left, right = places_of(cells, words, (0, 0, 100, 100))
    assert (head[0], head[2]) == (left[0], right[2]) == (0, 100)
    assert head[3] == left[1] == right[1]


def test_words_from_elsewhere_give_no_boxes() -> None:
    cells = [Cell(0, 0, "a"), Cell(0, 1, "b")]
    assert places_of(cells, [word(0, 1, "a"), word(0, 0, "b")], (0, 0, 100, 50)) == []
