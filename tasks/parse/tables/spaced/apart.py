"""Apart: tables that the layout model takes for one, side by side or below each other."""

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from tasks.parse.layout.geometry import Box, gaps_across
from tasks.parse.layout.rules import Rule, Rules, edges_of
from tasks.parse.layout.words import Word, words_in
from tasks.parse.tables.cells import FIGURE
from tasks.parse.tables.spaced.breaks import LEVEL as SAME_LINE
from tasks.parse.tables.spaced.breaks import baseline
from tasks.parse.tables.spaced.columns import in_columns
from tasks.parse.tables.spaced.pieces import Line, is_bold, pieces_of
from tasks.parse.tables.text_lines import text_lines

MARGIN = 6.0
"""How far a rule of a table may be above or below its words, in points."""
GUTTER = 1.2
"""Smallest white space between tables side by side, in type sizes."""
OFF = 0.25
"""Smallest distance between the baselines of different rows, in type sizes."""
MANY = 4
"""Fewest rows of each of two columns of a page that share a table."""
ONE, OTHER = 0.8, 0.5
"""Least share of the names of a side that have a text at their height, and the largest that has one of the other side there."""


class _Side(NamedTuple):
    """The lines on one side of a gutter, and their number of columns."""

    lines: list[Line]
    n_columns: int
    figures: bool
    """Whether the first column is words and the others are figures."""


def side_by_side(words: Sequence[Word], rules: Rules, box: Box) -> list[Box]:
    """Return the boxes of two tables beside each other, `box` if rules, rows and columns show no two."""
    inside = [word for word in words_in(words, box) if word.upright]
    for start, end in gutters_in(inside):
        ruled = _have_rules(rules, box, (start, end))
        right = _side(inside, rules, end, box[2])
        own = not _is_crossed(rules, box, (start, end)) and _has_rows(right)
        if not (ruled or own or right.figures):
            continue
        left = _side(inside, rules, box[0], start)
        if min(len(left.lines), len(right.lines), left.n_columns, right.n_columns) < 2:
            continue
        halves = (box[0], box[1], start, box[3]), (end, box[1], box[2], box[3])
        if own and _has_rows(left) and not _share_rows(left, right):
            return [part for half in halves for part in side_by_side(words, rules, half)]
        if ruled or _are_apart(left, right):
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
        return _Side([], 0, False)
    placed, columns = in_columns(lines)
    pieces = [piece for line in placed[1:] for piece in line if not piece.wide]
    stub = [bool(FIGURE.match(piece.text)) for piece in pieces if piece.first == 0]
    others = [bool(FIGURE.match(piece.text)) for piece in pieces if piece.first]
    return _Side(placed, len(columns), bool(stub and others) and not any(stub) and 2 * sum(others) > len(others))


def _have_rules(rules: Rules, box: Box, gutter: tuple[float, float]) -> bool:
    """Return whether each side has rules or coloured rows of its own, and none goes over the gutter."""
    across = rules_at(rules, box)
    across = [rule for rule in across if rule.end > box[0] and rule.start < box[2]]
    middle = sum(gutter) / 2
    left, right = ([rule for rule in across if _is_beside(rule, middle, way)] for way in (-1, 1))
    return len(left) + len(right) == len(across) and min(len(left), len(right)) > 1


def _is_beside(rule: Rule, x: float, way: int) -> bool:
    return rule.end <= x if way < 0 else rule.start >= x


def _are_apart(left: _Side, right: _Side) -> bool:
    """Return whether rows or columns show two tables. Keys and values beside others are one."""
    keyed = _are_keyed(left.lines) and _are_keyed(right.lines)
    return not keyed and (_have_rows(left, right) or _have_stubs(left, right))


def _have_rows(left: _Side, right: _Side) -> bool:
    """Return whether each side has names and figures, and rows of one side stand between rows of the other."""
    odd = _odd(left, right) if left.figures and right.figures else 0
    return odd > 1 and 4 * odd > len(right.lines)


def _odd(left: _Side, right: _Side) -> int:
    """Return how many rows of the right side are between rows of the left, more than `OFF` type sizes from each."""
    heights = [[baseline([word for piece in line for word in piece.words]) for line in side.lines] for side in (left, right)]
    far = OFF * left.lines[0][0].size
    return sum(heights[0][0] < y < heights[0][-1] and all(abs(y - other) > far for other in heights[0]) for y in heights[1])


def _have_stubs(left: _Side, right: _Side) -> bool:
    """Return whether each side has names and figures in as many columns, and is longer than the other or has several of figures.

    Each has a head, too: keys and values in four columns have none.
    """
    alike = left.figures and right.figures and left.n_columns == right.n_columns
    return alike and _has_head(left) and _has_head(right) and (len(left.lines) != len(right.lines) or left.n_columns > 2)


def _has_head(side: _Side) -> bool:
    """Return whether the first line of a side has more than figures beside its first column, or only it is bold: years may be."""
    first, *others = side.lines
    years = is_bold(first) and not any(is_bold(line) for line in others)
    return years or len(first) < 2 or any(not piece.is_figure() for piece in first if piece.first)


def _are_keyed(lines: Sequence[Line]) -> bool:
    """Return whether most lines have a key that ends with a colon, before a value."""
    return 2 * sum(any(piece.text[-1] in ":\uff1a" for piece in line[:-1]) for line in lines) > len(lines)
