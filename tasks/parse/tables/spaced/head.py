"""Heads: how many lines are the head of a table, which of them are rows, and over which columns its labels stand."""

from collections.abc import Sequence
from itertools import pairwise

from tasks.parse.layout.rules import Rules
from tasks.parse.tables.cells import Cell, figures_of
from tasks.parse.tables.spaced.breaks import SAME, TOUCHING, baseline
from tasks.parse.tables.spaced.columns import Extent
from tasks.parse.tables.spaced.pieces import Line, Piece, is_bold
from tasks.parse.tables.spaced.spans import ruled_spans, spans_of

SLACK = 1.2
"""How much farther apart than rows of the body the lines of one label may be."""
FEWEST, KEYED = 2, 0.6
"""Fewest lines with a key and a value, and the least share of lines that have them."""
CLOSE = 1.45
"""Largest distance between the lines of one label, in type sizes, where nothing else is known."""


def head_lines(lines: Sequence[Line], parted: Sequence[bool], distances: Sequence[float]) -> int:
    """Return how many lines are the head: above the first figures, and by bold type or by the first rule if they tell.

    `parted` says of each line whether a rule over the whole table is above it, `distances` how far it is from the line above it,
    in type sizes.
    """
    if _are_keyed(lines):
        return 0
    figures = next((n for n, line in enumerate(lines) if _has_figures(line)), len(lines))
    while 0 < figures < len(lines) and distances[figures] < TOUCHING:
        figures -= 1
    most = min(figures, len(lines) - 1)
    if most < 1:
        return 0
    bold = next((n for n, line in enumerate(lines) if not is_bold(line)), len(lines))
    rule = next((n for n in range(1, len(lines)) if parted[n]), len(lines))
    if 0 < bold <= most:
        ruled = rule if rule <= most else 0
        if ruled and _goes_below(lines, ruled, bold):
            return ruled
        return ruled if ruled >= bold else _without_sub_heading(lines, distances, bold)
    if rule <= most:
        return rule
    return figures if figures < len(lines) and figures < 6 else 0


def _are_keyed(lines: Sequence[Line]) -> bool:
    """Return whether keys and their values stand beside each other from the first line on: keys are bold."""
    pairs = [line for line in lines if len(line) > 1]
    if len(pairs) < FEWEST or pairs[0] is not lines[0]:
        return False
    return _has_bold_key(pairs[0]) and KEYED * len(pairs) < sum(map(_has_bold_key, pairs))


def _has_bold_key(line: Line) -> bool:
    return line[0].first == 0 and is_bold(line[:1]) and not any(word.bold for word in line[1].words)


def _goes_below(lines: Sequence[Line], rule: int, bold: int) -> bool:
    """Return whether all bold lines after a rule are sub-headings: they stand in the first column alone."""
    return rule < bold and all(len(line) == 1 and line[0].first == 0 for line in lines[rule:bold])


def _without_sub_heading(lines: Sequence[Line], distances: Sequence[float], bold: int) -> int:
    """Return how many bold lines are the head: the last is none that stands in the first column alone, as far as rows do."""
    alone = bold > 1 and len(lines[bold - 1]) == 1 and lines[bold - 1][0].first == 0 and not lines[bold - 1][0].wide
    far = bold < len(lines) and distances[bold - 1] > distances[bold] - SAME
    return bold - 1 if alone and far and len(lines[bold - 2]) > 1 else bold


def _has_figures(line: Line) -> bool:
    beyond = [piece.text for piece in line if piece.first > 0]
    return bool(beyond) and len(figures_of(beyond)) * 2 >= len(beyond)


def head_starts(
    lines: Sequence[Line], distances: Sequence[float], forced: Sequence[bool], near: float | None, columns: Sequence[Extent]
) -> list[int]:
    """Return the first line of each row of a head. Lines nearer than `near` are one row; None says that it is not known."""
    starts = [0]
    for n in range(1, len(lines)):
        if forced[n] or not _goes_on(lines, n, distances[n], near, columns):
            starts.append(n)
    return starts


def _goes_on(lines: Sequence[Line], n: int, distance: float, near: float | None, columns: Sequence[Extent]) -> bool:
    above, below = lines[n - 1], lines[n]
    if any(count_within(piece, below) > 1 for piece in above) or any(count_within(piece, above) > 1 for piece in below):
        return False
    if near is not None and distance < near:
        return True
    if spans_of(above, below, columns):
        return False
    shared = any(a.first <= b.last and b.first <= a.last for a in above for b in below)
    return shared and distance < max(CLOSE, SLACK * (near or 0.0)) and not any(piece.wide for piece in [*above, *below])


def label_pitch(lines: Sequence[Line], distances: Sequence[float]) -> float:
    """Return how far lines of one label are apart: a line of fewer labels goes on with those above it. 0 where there is none."""
    for n in range(1, len(lines)):
        over = {piece.first for piece in lines[n - 1] if not piece.wide}
        if len(lines[n]) < len(lines[n - 1]) and all(piece.first in over and not piece.wide for piece in lines[n]):
            return distances[n]
    return 0.0


def count_within(piece: Piece, line: Line) -> int:
    """Return how many pieces of a line are wholly within the columns of `piece`."""
    return sum(piece.first <= other.first and other.last <= piece.last for other in line)


def near_limit(distances: Sequence[float], starts: Sequence[int], same: float) -> float | None:
    """Return the distance below which lines are of one row, from the rows of the body; None if it has a single line."""
    begins = set(starts)
    within = [d for n, d in enumerate(distances) if n and n not in begins]
    between = [d for n, d in enumerate(distances) if n and n in begins]
    if within:
        far = [d for d in between if d > max(within)]
        return (max(within) + min(far)) / 2 if far else max(within) + same
    return min(between) - same if between else None


def all_spans(rows: Sequence[Line], columns: Sequence[Extent], rules: Rules) -> list[Line]:
    """Return the rows of a head, and the first row of the body, with each label over all columns that it stands for.

    The last row of a head has labels over several columns only if it has few.
    """
    found = list(rows)
    for n, (above, below) in enumerate(pairwise(rows)):
        if n == len(rows) - 2 and 2 * len(above) > len(below):
            continue
        spans = ruled_spans(above, below, columns, rules) or spans_of(above, below, columns, _pitch(above, below) >= CLOSE)
        labels = [piece for piece in above if piece.first > 0]
        if spans:
            new = {id(piece): span for piece, span in zip(labels, spans, strict=True)}
            found[n] = [
                piece._replace(first=new[id(piece)][0], last=new[id(piece)][1]) if id(piece) in new else piece for piece in above
            ]
    return found


def _pitch(above: Line, below: Line) -> float:
    """Return the distance from the last words of a row to the first of the next, in type sizes."""
    last, first = (max(p.box[3] for p in above), min(p.box[1] for p in below))
    upper = [word for p in above for word in p.words if word.box[3] > last - 0.5 * word.size]
    lower = [word for p in below for word in p.words if word.box[1] < first + 0.5 * word.size]
    return (baseline(lower) - baseline(upper)) / below[0].size


def heightened(cells: Sequence[Cell], head: int, n_columns: int) -> list[Cell]:
    """Return cells with each label of the head as high as nothing else stands above or below it.

    A label that stands in the last row of the head, with nothing above it, stays there.
    """
    wide = [cell for cell in cells if cell.row < head and cell.columns > 1]
    if head < 2 or not wide:
        return list(cells)
    found = [cell for cell in cells if cell.row >= head] + wide
    for column in range(n_columns):
        over = max((c.row + 1 for c in wide if c.column <= column < c.column + c.columns), default=0)
        mine = sorted(cell for cell in cells if cell.row < head and cell.columns == 1 and cell.column == column)
        above, below = ([cell for cell in mine if (cell.row >= over) == under] for under in (False, True))
        found += above
        if below and below[0].row < head - 1 and (over == 0 or len(below) == 1):
            found.append(Cell(over, column, " ".join(cell.text for cell in below), head - over))
        else:
            found += below
    return sorted(found)
