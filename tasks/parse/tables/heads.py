"""Heads of tables: makes cells from the runs of words in each row, with headings over all their columns."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from tasks.parse.layout.geometry import Box, union
from tasks.parse.layout.rules import Rules
from tasks.parse.layout.words import Word
from tasks.parse.tables.cells import FIGURE, Cell, text_of

FLUSH = 1.5
"""Largest distance of a word from the edge at which it starts, in points."""


class WordRun(NamedTuple):
    """Adjacent words of one row, with their first and last column."""

    words: tuple[Word, ...]
    first: int
    last: int

    @property
    def text(self) -> str:
        """Return the words with a space between them."""
        return " ".join(word.text for word in self.words)

    @property
    def box(self) -> Box:
        """Return the smallest rectangle around the words."""
        return union(word.box for word in self.words)

    def is_figure(self) -> bool:
        """Tell whether it is a number, perhaps with signs around it."""
        return bool(FIGURE.match(self.text))


RunLine = list[WordRun]


def uncrowded(lines: Sequence[RunLine]) -> list[RunLine]:
    """Cut runs over at least three columns if a word starts at the left edge of each: these are headings close together.

    With two columns that may be a coincidence.
    """
    starts: dict[int, list[float]] = defaultdict(list)
    for line in lines:
        for run in line:
            if run.first == run.last:
                starts[run.first].append(run.box[0])
    lefts = {n: min(found) for n, found in starts.items() if len(found) > 1 and max(found) - min(found) < FLUSH}
    return [[piece for run in line for piece in (_cut(run, lefts) if run.last > run.first + 1 else [run])] for line in lines]


def _cut(run: WordRun, lefts: dict[int, float]) -> list[WordRun]:
    ordered = sorted(run.words, key=lambda word: word.box[0])
    cuts = [0]
    for column in range(run.first + 1, run.last + 1):
        at = [n for n, word in enumerate(ordered) if column in lefts and abs(word.box[0] - lefts[column]) < FLUSH]
        if not at or at[0] <= cuts[-1]:
            return [run]
        cuts.append(at[0])
    ends = [*cuts[1:], len(ordered)]
    columns = range(run.first, run.last + 1)
    return [WordRun(tuple(ordered[a:b]), column, column) for column, a, b in zip(columns, cuts, ends, strict=True)]


def spread(lines: Sequence[RunLine], head: int, n_columns: int, rules: Rules) -> list[Cell]:
    """Return the rows' cells, the first `head` of them headings.

    Headings are extended over the columns below them. A heading with no other heading above fills the height of the head.
    """
    columns = _extents(lines, n_columns)
    wide: list[Cell] = []
    for n, line in enumerate(lines):
        row = _cells(n, line)
        spanning = n < head - 1 or (n < head and any(run.last > run.first for run in line)) or _is_banner(line, n_columns)
        wide += _widened(row, line, columns, rules) if spanning else row
    return _heightened(wide, head, n_columns)


def _extents(lines: Sequence[RunLine], n_columns: int) -> list[tuple[float, float]]:
    found: list[list[Box]] = [[] for _ in range(n_columns)]
    for line in lines:
        for run in line:
            if run.first == run.last:
                found[run.first].append(run.box)
    return [(min(b[0] for b in boxes), max(b[2] for b in boxes)) if boxes else (0.0, 0.0) for boxes in found]


def _is_banner(line: RunLine, n_columns: int) -> bool:
    """Tell whether a row is a heading within a table, over all columns except the first."""
    return len(line) == 1 and line[0].first > 0 and n_columns > 2 and not line[0].is_figure()


def _widened(row: list[Cell], line: RunLine, columns: list[tuple[float, float]], rules: Rules) -> list[Cell]:
    """Extend each heading over free columns beside it if it is above their middle or within the same rules."""
    taken = {c for cell in row for c in range(cell.column, cell.column + cell.columns)}
    found = []
    for cell, run in zip(row, line, strict=True):
        first, last = run.first, run.last
        if first > 0:
            first, last = _span(run, taken, columns, rules)
        taken |= set(range(first, last + 1))
        found.append(cell._replace(column=first, columns=last - first + 1))
    return found


def _span(run: WordRun, taken: set[int], columns: list[tuple[float, float]], rules: Rules) -> tuple[int, int]:
    left, right = run.first, run.last
    while left - 1 > 0 and left - 1 not in taken:
        left -= 1
    while right + 1 < len(columns) and right + 1 not in taken:
        right += 1
    x0, _, x1, y1 = run.box
    walls = _walls(run.box, rules)
    if walls:
        between = [n for n in range(left, right + 1) if walls[0] < sum(columns[n]) / 2 < walls[1]]
        return min([run.first, *between]), max([run.last, *between])
    for rule in rules.horizontals:
        if -2 < rule.at - y1 < 1.2 * run.words[0].size and rule.start <= x0 + 3 and rule.end >= x1 - 3:
            under = [n for n in range(left, right + 1) if rule.start - 3 <= sum(columns[n]) / 2 <= rule.end + 3]
            if under:
                return min(run.first, *under), max(run.last, *under)
    middle = (x0 + x1) / 2
    spans = [(a, b) for a in range(left, run.first + 1) for b in range(run.last, right + 1)]
    off = {(a, b): abs((columns[a][0] + columns[b][1]) / 2 - middle) for a, b in spans}
    least = min(off.values())
    near = [span for span in spans if off[span] <= least + 0.5 * run.words[0].size]
    return max(near, key=lambda span: span[1] - span[0])


def _walls(box: Box, rules: Rules) -> tuple[float, float] | None:
    """Return the nearest vertical rules on both sides of a heading."""
    x0, y0, x1, y1 = box
    beside = [rule.at for rule in rules.verticals if rule.start < (y0 + y1) / 2 < rule.end]
    left, right = [at for at in beside if at <= x0 + 1], [at for at in beside if at >= x1 - 1]
    return (max(left), min(right)) if left and right else None


def _heightened(cells: list[Cell], head: int, n_columns: int) -> list[Cell]:
    if head < 2:
        return cells
    body = [cell for cell in cells if cell.row >= head]
    found = [cell for cell in cells if cell.row < head and cell.columns > 1]
    for column in range(n_columns):
        over = max((c.row + 1 for c in found if c.column <= column < c.column + c.columns), default=0)
        mine = sorted(cell for cell in cells if cell.row < head and cell.columns == 1 and cell.column == column)
        above = [cell for cell in mine if cell.row < over]
        below = [cell for cell in mine if cell.row >= over]
        found += above
        beside_spans = over == 0 and any(cell.columns > 1 for cell in found)
        if below and (len(below) == 1 or column == 0 or beside_spans):
            found.append(Cell(over, column, " ".join(cell.text for cell in below), head - over))
        else:
            found += below
    return sorted(found + body)


def _cells(row: int, line: RunLine) -> list[Cell]:
    return [Cell(row, run.first, text_of(run.words), 1, run.last - run.first + 1) for run in line]
