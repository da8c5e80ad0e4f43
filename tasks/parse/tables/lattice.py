"""Lattice: the cells of a table whose rules enclose them."""

from collections.abc import Sequence
from statistics import median

from tasks.parse.layout.geometry import Box, centre, union
from tasks.parse.layout.rules import NARROWEST, Rules, covers, places, rules_in, without_underlines
from tasks.parse.layout.words import Word, WordRow, rows_of, word_space
from tasks.parse.tables.cells import Cell
from tasks.parse.tables.torn import texts_of

MAX_FLAWED = 0.1
"""Largest share of cells that look like several cells. With more, the rules are incomplete."""
MAX_PLACES = 5000
"""Rules that form more places are the grid of a chart or a map, not a table."""
MARGIN = 6.0
"""Largest free space at a table's edge without a closing rule, in points."""

NARROW = 12.0
"""Largest width of a cell, in type sizes, whose justified lines may have spaces as wide as those between columns."""


class _Lattice:
    """The edges of rows and columns, and the walls between neighbouring cells."""

    def __init__(self, rules: Rules, box: Box) -> None:
        self.ys = _closed(places(rules.horizontals), box[1], box[3])
        self.xs = _closed(places(rules.verticals), box[0], box[2])
        self.rules = rules

    def spans(self) -> list[Box] | None:
        """Return cells as (row, column, row after, column after); None if the rules enclose areas that are not rectangles."""
        groups = {(r, c): [(r, c)] for r in range(len(self.ys) - 1) for c in range(len(self.xs) - 1)}
        for r, c in list(groups):
            for other in ((r, c + 1), (r + 1, c)):
                if other in groups and groups[other] is not groups[r, c] and not self._walled((r, c), other):
                    groups[r, c] += groups[other]
                    groups.update(dict.fromkeys(groups[other], groups[r, c]))
        distinct = list({id(group): group for group in groups.values()}.values())
        boxes = [union((r, c, r + 1, c + 1) for r, c in group) for group in distinct]
        whole = all((b[2] - b[0]) * (b[3] - b[1]) == len(group) for b, group in zip(boxes, distinct, strict=True))
        return sorted(boxes) if whole else None

    def _walled(self, a: tuple[int, int], b: tuple[int, int]) -> bool:
        if a[0] == b[0]:
            return covers(self.rules.verticals, self.xs[b[1]], self.ys[a[0]], self.ys[a[0] + 1])
        return covers(self.rules.horizontals, self.ys[b[0]], self.xs[a[1]], self.xs[a[1] + 1])


def _closed(found: list[float], start: float, end: float) -> list[float]:
    """Add the edges of the words on sides where no rule closes the table."""
    first = [start - 1] if not found or found[0] > start + MARGIN else []
    last = [end + 1] if not found or found[-1] < end - MARGIN else []
    return first + found + last


def ruled_cells(words: Sequence[Word], rules: Rules) -> list[Cell] | None:
    """Return the cells that `rules` enclose, each word in one; None if the rules do not separate all that is apart."""
    if not words:
        return None
    box = union(word.box for word in words)
    lattice = _Lattice(without_underlines(rules_in(rules, box), box), box)
    if len(lattice.ys) < 3 or len(lattice.xs) < 2 or len(lattice.ys) * len(lattice.xs) > MAX_PLACES:
        return None
    spans = lattice.spans()
    if spans is None or len(spans) < 2:
        return None
    held = _shared_out(words, lattice, spans)
    parted = [_parted(span, found, lattice.xs) for span, found in zip(spans, held, strict=True)]
    spans = [span for pieces in parted for span, _ in pieces]
    held = [found for pieces in parted for _, found in pieces]
    filled = [rows_of(found) for found in held if found]
    if sum(map(_is_flawed, filled)) > MAX_FLAWED * len(filled):
        return None
    type_size = max(word.size for word in words)
    rows = _within_text(
        spans, held, _kept(lattice.ys, type_size, [(int(b[0]), int(b[2])) for b, found in zip(spans, held, strict=True) if found])
    )
    columns = _kept(lattice.xs, type_size, [(int(b[1]), int(b[3])) for b, found in zip(spans, held, strict=True) if found])
    texts = texts_of(held, [int(b[1]) if b[3] - b[1] == 1 else None for b in spans])
    return [cell for box, text in zip(spans, texts, strict=True) if (cell := _cell(box, text, rows, columns))]


def _within_text(spans: Sequence[Box], held: Sequence[Sequence[Word]], rows: Sequence[int]) -> list[int]:
    """Drop rows above the first and below the last text, which are free space in the frame."""
    filled = [span for span, found in zip(spans, held, strict=True) if found]
    return [n for n in rows if min(b[0] for b in filled) <= n < max(b[2] for b in filled)]


def _kept(edges: Sequence[float], type_size: float, filled: Sequence[tuple[int, int]]) -> list[int]:
    """Return the numbers of strips with room for text, or with a cell that contains text.

    The space between the shading of a cell and its border is not a row or column.
    """
    own = {first for first, after in filled if after - first == 1}
    usual = median([edges[n + 1] - edges[n] for n in own]) if own else 0.0
    least = max(1.5 * type_size, 0.6 * usual)
    return [n for n in range(len(edges) - 1) if n in own or edges[n + 1] - edges[n] > least]


def _cell(box: Box, text: str, rows: Sequence[int], columns: Sequence[int]) -> Cell | None:
    row, row_after = (sum(n < edge for n in rows) for edge in (box[0], box[2]))
    column, column_after = (sum(n < edge for n in columns) for edge in (box[1], box[3]))
    if row == row_after or column == column_after:
        return None
    return Cell(row, column, text, row_after - row, column_after - column)


def _shared_out(words: Sequence[Word], lattice: _Lattice, spans: Sequence[Box]) -> list[list[Word]]:
    homes = {
        (r, c): n for n, (r0, c0, r1, c1) in enumerate(spans) for r in range(int(r0), int(r1)) for c in range(int(c0), int(c1))
    }
    held: list[list[Word]] = [[] for _ in spans]
    for word in words:
        x, y = centre(word.box)
        held[homes[_place(lattice.ys, y), _place(lattice.xs, x)]].append(word)
    return held


def _parted(span: Box, words: list[Word], xs: Sequence[float]) -> list[tuple[Box, list[Word]]]:
    """Cut a cell over several columns if each has words, with more than a word space at each edge between them.

    A cell without words is cut too, because nothing shows that its places are one cell.
    """
    r0, c0, r1, c1 = span
    if not words:
        return [((r, c, r + 1, c + 1), words) for r in range(int(r0), int(r1)) for c in range(int(c0), int(c1))]
    columns: dict[int, list[Word]] = {}
    for word in words:
        columns.setdefault(_place(xs, centre(word.box)[0]), []).append(word)
    if len(columns) < 2 or len(columns) < c1 - c0:
        return [(span, words)]
    for n, found in columns.items():
        right = max(word.box[2] for word in found)
        after = min((word.box[0] for word in columns.get(n + 1, ())), default=float("inf"))
        if after - right < word_space(found[0]):
            return [(span, words)]
    return [((r0, n, r1, n + 1), columns[n]) for n in sorted(columns)]


def _place(edges: Sequence[float], at: float) -> int:
    return max(0, min(sum(edge <= at for edge in edges), len(edges) - 1) - 1)


def _is_flawed(rows: Sequence[WordRow]) -> bool:
    """Return whether a cell has figures below each other, or pieces far apart on a line, so that a rule is missing.

    In a narrow cell with several lines, a few lines with wide spaces are justified text.
    """
    figures = sum(len(row.text) < 3 or (any(c.isdigit() for c in row.text) and len(row.text) < 12) for row in rows)
    torn = sum(row.widest_gap > 2.5 * max(row.size, NARROWEST) for row in rows)
    x0, _, x1, _ = union(row.box for row in rows)
    narrow = x1 - x0 < NARROW * rows[0].size
    return (len(rows) > 2 and figures * 2 > len(rows)) or torn > (len(rows) / 2 if narrow else 0)
