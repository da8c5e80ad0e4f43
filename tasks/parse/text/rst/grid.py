"""Grids: cells between walls of `-` and `|`, which meet in `+`. A cell without a wall to the next one is one with it."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from tasks.parse.tables.cells import Cell

Place = tuple[int, int]


class Grid(NamedTuple):
    """The cells of a grid and the number of its header rows."""

    cells: list[Cell]
    n_head: int


def grid_cells(rows: Sequence[str], head: int) -> Grid | None:
    """Return the cells; None if the rows differ in length, or the walls bound something else than rectangles.

    `head` is the line below the header rows, 0 without any.
    """
    if len(rows) < 3 or len({len(row) for row in rows}) > 1 or set(rows[-1]) - set("+-"):
        return None
    ys = [y for y, row in enumerate(rows) if "+-" in row or "-+" in row]
    xs = sorted({x for y in ys for x, letter in enumerate(rows[y]) if letter == "+"})
    if xs[0] != 0 or xs[-1] != len(rows[0]) - 1:
        return None
    groups = _groups(rows, xs, ys)
    boxes = [_box(places) for places in groups]
    if any(len(places) != (b - t + 1) * (r - le + 1) for places, (t, le, b, r) in zip(groups, boxes, strict=True)):
        return None
    nth_row, nth_column = _ranks((box[0] for box in boxes), len(ys)), _ranks((box[1] for box in boxes), len(xs))
    cells = []
    for top, left, bottom, right in boxes:
        inner = rows[ys[top] + 1 : ys[bottom + 1]]
        text = " ".join(row[xs[left] + 1 : xs[right + 1]].strip() for row in inner)
        n_rows, n_columns = nth_row[bottom + 1] - nth_row[top], nth_column[right + 1] - nth_column[left]
        cells.append(Cell(nth_row[top], nth_column[left], text, n_rows, n_columns))
    return Grid(sorted(cells), nth_row[bisect_left(ys, head)])


def _groups(rows: Sequence[str], xs: Sequence[int], ys: Sequence[int]) -> list[list[Place]]:
    """Return the smallest places, by row and column, put together where no wall parts them."""
    found: dict[Place, list[Place]] = {}
    for r, (top, bottom) in enumerate(pairwise(ys)):
        for c, (left, right) in enumerate(pairwise(xs)):
            found[r, c] = [(r, c)]
            if c and any(row[left] not in "|+" for row in rows[top + 1 : bottom]):
                _join(found, (r, c), (r, c - 1))
            if r and set(rows[top][left + 1 : right]) - set("-+"):
                _join(found, (r, c), (r - 1, c))
    return list({id(group): group for group in found.values()}.values())


def _join(found: dict[Place, list[Place]], a: Place, b: Place) -> None:
    """Make two groups one: the smaller goes into the larger."""
    small, large = sorted((found[a], found[b]), key=len)
    if small is not large:
        large.extend(small)
        found.update(dict.fromkeys(small, large))


def _box(places: Sequence[Place]) -> tuple[int, int, int, int]:
    rows, columns = [r for r, _ in places], [c for _, c in places]
    return min(rows), min(columns), max(rows), max(columns)


def _ranks(starts: Iterable[int], n: int) -> list[int]:
    """Return, for each place up to and including `n`, how many of the different `starts` are before it."""
    known = set(starts)
    return [0, *accumulate(place in known for place in range(n))]
