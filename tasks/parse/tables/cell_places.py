"""Boxes of a table's cells on its page, found by the words in the cells."""

from bisect import bisect
from collections import Counter
from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import groupby, pairwise
from typing import NamedTuple

from tasks.parse.layout.geometry import Box, union
from tasks.parse.tables.cells import Cell, extent

MAX_ASTRAY = 0.05
"""Largest share of words on the wrong side of an edge. Dots and dashes occur in many cells."""


class WordExtent(NamedTuple):
    """The extent of a word along one axis, and its row or column."""

    low: float
    high: float
    line: int


def places_of(cells: Sequence[Cell], words: Sequence[tuple[Box, str]], box: Box) -> list[Box]:
    """Return the rectangle of each cell of the table in `box`, given the words in it. Together they fill `box`.

    Returns an empty list if the words do not show where rows and columns are.
    """
    homes = [(words[n][0], cell) for n, cell in _homes(cells, words).items()]
    rows = [WordExtent(place[1], place[3], cell.row) for place, cell in homes if cell.rows == 1]
    columns = [WordExtent(place[0], place[2], cell.column) for place, cell in homes if cell.columns == 1]
    n_rows, n_columns = extent(cells)
    ys, xs = _edges(rows, n_rows, (box[1], box[3])), _edges(columns, n_columns, (box[0], box[2]))
    if not ys or not xs:
        return []
    return [(xs[c.column], ys[c.row], xs[c.column + c.columns], ys[c.row + c.rows]) for c in cells]


def _homes(cells: Sequence[Cell], words: Sequence[tuple[Box, str]]) -> dict[int, Cell]:
    """Return the cell of each word: first of words that only one cell contains, then of the others, nearest first."""
    left = [Counter(cell.text.split()) for cell in cells]
    able = {n: [c for c, texts in enumerate(left) if text in texts] for n, (_, text) in enumerate(words)}
    homes: dict[int, int] = {n: found[0] for n, found in able.items() if len(found) == 1}
    boxes = _first_boxes(cells, words, homes)
    heap = [(_gap(words[n][0], boxes[c]), n, c) for n, found in able.items() if n not in homes for c in found if c in boxes]
    heapify(heap)
    while heap:
        _, n, c = heappop(heap)
        text = words[n][1]
        if n in homes or not left[c][text]:
            continue
        homes[n] = c
        left[c][text] -= 1
        boxes[c] = union([boxes[c], words[n][0]])
        for m, found in able.items():
            if m not in homes and c in found and left[c][words[m][1]]:
                heappush(heap, (_gap(words[m][0], boxes[c]), m, c))
    return {n: cells[c] for n, c in homes.items()}


def _first_boxes(cells: Sequence[Cell], words: Sequence[tuple[Box, str]], homes: Mapping[int, int]) -> dict[int, Box]:
    """Return the box of each cell from its own words or, if it has none, from those of its row and column."""
    own: dict[int, list[Box]] = {}
    rows: dict[int, list[Box]] = {}
    columns: dict[int, list[Box]] = {}
    for n, c in homes.items():
        for places, index in ((own, c), (rows, cells[c].row), (columns, cells[c].column)):
            places.setdefault(index, []).append(words[n][0])
    boxes = {c: union(found) for c, found in own.items()}
    for c, cell in enumerate(cells):
        if c not in boxes and cell.row in rows and cell.column in columns:
            across, down = union(rows[cell.row]), union(columns[cell.column])
            boxes[c] = down[0], across[1], down[2], across[3]
    return boxes


def _gap(a: Box, b: Box) -> float:
    return max(a[0] - b[2], b[0] - a[2], 0.0) + max(a[1] - b[3], b[1] - a[3], 0.0)


def _edges(pieces: Sequence[WordExtent], count: int, outer: tuple[float, float]) -> list[float]:
    """Return the edges of `count` rows or columns, ends included; empty if the words are not between them."""
    points = sorted({*outer, *(p.low for p in pieces), *(p.high for p in pieces)})
    gaps = [gap for line in range(count - 1) if (gap := _gap_after(line, pieces, points))]
    if len(gaps) < count - 1 or gaps != sorted(gaps):
        return []
    inner: list[float] = []
    for gap, same in groupby(gaps):
        n_lines = len(list(same))
        inner += [gap[0] + (gap[1] - gap[0]) * n / (n_lines + 1) for n in range(1, n_lines + 1)]
    return [outer[0], *inner, outer[1]]


def _gap_after(line: int, pieces: Sequence[WordExtent], points: Sequence[float]) -> tuple[float, float] | None:
    """Return the gap after row or column `line` with the fewest words on its wrong side, the widest of these."""
    ends = sorted(piece.high for piece in pieces if piece.line <= line)
    starts = sorted(piece.low for piece in pieces if piece.line > line)
    able = [(len(ends) - bisect(ends, (a + b) / 2) + bisect(starts, (a + b) / 2), a - b, (a, b)) for a, b in pairwise(points)]
    astray, _, gap = min(able, default=(len(pieces) + 1, 0.0, (0.0, 0.0)))
    return gap if astray <= MAX_ASTRAY * len(pieces) else None
