"""Apart: tables that the layout model takes for one, side by side or below each other."""

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from tasks.parse.layout.geometry import Box, gaps_across
from tasks.parse.layout.rules import Rule, Rules, edges_of
from tasks.parse.layout.words import Word, words_in
from tasks.parse.tables.spaced.breaks import LEVEL as SAME_LINE
from tasks.parse.tables.spaced.breaks import baseline
from tasks.parse.tables.spaced.columns import in_columns
from tasks.parse.tables.spaced.pieces import Line, pieces_of
from tasks.parse.tables.text_lines import text_lines

MARGIN = 6.0
"""How far a rule of a table may be above or below its words, in points."""
GUTTER = 1.2
"""Smallest white space between tables side by side, in type sizes."""
OFF = 0.25
"""Smallest distance between the baselines of different rows of a scan, in type sizes."""
MANY = 4
"""Fewest rows of each of two columns of a page that share a table."""
ONE, OTHER = 0.8, 0.5
"""Least share of the names of a side that have a text at their height, and the largest that has one of the other side there."""


class _Side(NamedTuple):
    """The lines on one side of a gutter, and their number of columns."""

    lines: list[Line]
    n_columns: int


def side_by_side(words: Sequence[Word], rules: Rules, box: Box) -> list[Box]:
    """Return the boxes of two tables beside each other, `box` if rules and rows show no two."""
    inside = [word for word in words_in(words, box) if word.upright]
    for start, end in gutters_in(inside):
        ruled = _have_rules(rules, box, (start, end))
        right = _side(inside, rules, end, box[2])
        own = not _is_crossed(rules, box, (start, end)) and _has_rows(right)
        if not (ruled or own):
            continue
        left = _side(inside, rules, box[0], start)
        if min(len(left.lines), len(right.lines), left.n_columns, right.n_columns) < 2:
            continue
        halves = (box[0], box[1], start, box[3]), (end, box[1], box[2], box[3])
        if own and _has_rows(left) and not _share_rows(left, right):
            return [part for half in halves for part in side_by_side(words, rules, half)]
        if ruled:
            return list(halves)
    return [box]


def _is_crossed(rules: Rules, box: Box, gutter: tuple[float, float]) -> bool:
    """Return whether a rule or a coloured row goes over a gutter."""
    return any(rule.start < sum(gutter) / 2 < rule.end for rule in rules_at(rules, box))


def rules_at(rules: Rules, box: Box) -> list[Rule]:
    """Return the horizontal rules and edges of coloured rows in the height of a table's words, or close to them."""
    return [rule for rule in (*rules.horizontals, *edges_of(rules.bands)) if box[1] - MARGIN <= rule.at <= box[3] + MARGIN]


def _has_rows(side: _Side) -> bool:
    """Return whether nearly all names of a side have something beside them at their height."""
    names, others = _heights(side, stub=True), _heights(side, stub=False)
    return len(names) >= MANY and _n_level(names, others, side) >= ONE * len(names)


def _share_rows(left: _Side, right: _Side) -> bool:
    """Return whether as many names of one side as of one table have something at their height on the other side."""
    pairs = ((left, right), (right, left))
    return any(
        _n_level(_heights(one, stub=True), _heights(other, stub=True), one) > OTHER * len(_heights(one, stub=True))
        for one, other in pairs
    )


def _heights(side: _Side, stub: bool) -> list[float]:
    """Return the baselines of the pieces in the first column of a side, or of those in its other columns."""
    return [baseline(piece.words) for line in side.lines for piece in line if (piece.first == 0) == stub]


def _n_level(heights: Sequence[float], others: Sequence[float], side: _Side) -> int:
    first = side.lines[0][0]
    far = (SAME_LINE if first.words[0].font else OFF) * first.size
    return sum(any(abs(y - other) <= far for other in others) for y in heights)


def gutters_in(words: Sequence[Word]) -> list[tuple[float, float]]:
    """Return the white space that goes through all lines, the widest first."""
    if not words:
        return []
    least = GUTTER * median(word.size for word in words)
    wide = [(start + 0.5, end - 0.5) for start, end in gaps_across(word.box for word in words) if end - start > least]
    return sorted(wide, key=lambda gap: gap[0] - gap[1])


def _side(words: Sequence[Word], rules: Rules, start: float, end: float) -> _Side:
    own = [word for word in words if start <= (word.box[0] + word.box[2]) / 2 <= end]
    lines = [pieces_of(line, rules.verticals) for line in text_lines(own)]
    if not lines:
        return _Side([], 0)
    placed, columns = in_columns(lines)
    return _Side(placed, len(columns))


def _have_rules(rules: Rules, box: Box, gutter: tuple[float, float]) -> bool:
    """Return whether each side has rules or coloured rows of its own, and none goes over the gutter."""
    across = rules_at(rules, box)
    across = [rule for rule in across if rule.end > box[0] and rule.start < box[2]]
    middle = sum(gutter) / 2
    left, right = ([rule for rule in across if _is_beside(rule, middle, way)] for way in (-1, 1))
    return len(left) + len(right) == len(across) and min(len(left), len(right)) > 1


def _is_beside(rule: Rule, x: float, way: int) -> bool:
    return rule.end <= x if way < 0 else rule.start >= x
