"""Row features: what is seen of each two neighbouring lines of a table, from which a judge learns whether they are one row.

Distances are those of baselines in type sizes, widths are in type sizes, shares from 0 to 1. NaN is what lines have not.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import nan
from statistics import fmean, median
from typing import Any, NamedTuple

import numpy as np

from tasks.parse.judge.trees import Array
from tasks.parse.tables.spaced.breaks import SAME
from tasks.parse.tables.spaced.columns import Extent
from tasks.parse.tables.spaced.head import count_within
from tasks.parse.tables.spaced.pieces import Line, Piece, is_bold

_GOES_ON = re.compile(r"(?:^|\s)(?:and|or|of|the|to|in|for|with|by|per|a|an|from|on|at|as|than|und|der|die|de|la|et|des)$", re.I)
OPEN = "-,(/&\u2013"
"""What a text ends with that goes on."""
FULL, SOLID, FIGURES = 0.7, 0.6, 0.5
"""Least share of its columns that a full line, and one of figures, fills, and of its pieces that are figures."""

OF_LINE = "filled figures lower has_stub stub_lower stub_upper stub_digit stub_width stub_indent open".split()
OF_DISTANCE = "distance by_median below_most beside_gap gap nearer farther before after over_solid".split()
OF_PAIR = (
    "ruled underlined figure_pairs text_pairs room_most room_least room_last open_above new subset stub_on_stub "
    "indent_change bold_change covers covered"
).split()
OF_TABLE = "n_lines n_columns stubs least_distance median_distance most_distance fullness full_pitch since_full to_full".split()
SHARED = "figure_pairs lower new has_stub filled subset".split()
"""Of these the means over other lines are features: over those as far from the line above them, farther, and nearer."""
FEATURES = (
    *OF_DISTANCE,
    *OF_PAIR,
    *OF_TABLE,
    *(f"{where}_{name}" for where in ("alike", "farther", "nearer") for name in SHARED),
    *(f"{where}_{name}" for where in ("above", "below") for name in OF_LINE),
)


@dataclass(frozen=True)
class TableLines:
    """The lines of a table as pieces in columns, top to bottom.

    `distances` are those from the line above, 0 for the first; `ruled` and `underlined` say whether a rule over the whole table,
    and any rule, is above a line.
    """

    lines: Sequence[Line]
    columns: Sequence[Extent]
    distances: Sequence[float]
    ruled: Sequence[bool]
    underlined: Sequence[bool]


def row_features(table: TableLines) -> Array:
    """Return FEATURES (n - 1, features) of each of n lines but the first, and of the line above it."""
    facts = [_facts(line, table.columns) for line in table.lines]
    pairs = [_pair(table, n) for n in range(1, len(facts))]
    if not pairs:
        return np.empty((0, len(FEATURES)))
    shared = [
        (pair[_FIGURE_PAIRS], below.lower, pair[_NEW], below.has_stub, below.filled, pair[_SUBSET])
        for pair, below in zip(pairs, facts[1:], strict=True)
    ]
    lines = np.array([fact.features() for fact in facts], float)
    parts = (_of_distances(table.distances, facts), pairs, _of_table(table, facts), _means(table.distances[1:], shared))
    return np.hstack([*(np.array(part, float) for part in parts), lines[:-1], lines[1:]])


class _Facts(NamedTuple):
    """What is seen of one line."""

    filled: float
    figures: float
    lower: float
    has_stub: bool
    stub: Piece | None
    indent: float
    width: float
    open: float

    def features(self) -> list[Any]:
        first = self.stub.text[0] if self.stub else ""
        stub = (first.islower(), first.isupper(), first.isdigit(), self.width, self.indent) if first else (nan,) * 5
        return [self.filled, self.figures, self.lower, self.has_stub, *stub, self.open]


def _facts(line: Line, columns: Sequence[Extent]) -> _Facts:
    beyond = [piece for piece in line if piece.first > 0]
    stub = line[0] if line[0].first == 0 else None
    start, end = columns[0]
    return _Facts(
        sum(piece.last - piece.first + 1 for piece in line) / len(columns),
        sum(map(_is_value, beyond)) / len(beyond) if beyond else nan,
        sum(piece.text[0].islower() for piece in line) / len(line),
        stub is not None,
        stub,
        (stub.box[0] - start) / stub.size if stub else nan,
        (stub.box[2] - stub.box[0]) / max(end - start, 1.0) if stub else nan,
        sum(map(_is_open, line)) / len(line),
    )


def _of_distances(distances: Sequence[float], facts: Sequence[_Facts]) -> list[list[float]]:
    """Return OF_DISTANCE of each line but the first."""
    ordered = sorted(distances[1:])
    count, usual = len(ordered), median(ordered)
    gap, between = max(((b - a, (a + b) / 2) for a, b in pairwise(ordered)), default=(0.0, ordered[0]))
    solid = [n for n, fact in enumerate(facts) if fact.figures >= FIGURES and fact.filled >= SOLID]
    rows = median([distances[b] for a, b in pairwise(solid) if b == a + 1] or [nan])
    return [
        [
            at, at / usual if usual else nan, ordered[-1] - at, at - between, gap,
            bisect_left(ordered, at - SAME) / count, (count - bisect_right(ordered, at + SAME)) / count,
            at - distances[n - 1] if n > 1 else nan, at - distances[n + 1] if n < count else nan, at - rows,
        ]
        for n, at in enumerate(distances) if n
    ]  # fmt: skip


def _pair(table: TableLines, n: int) -> list[Any]:
    """Return OF_PAIR of line `n` and the one above it."""
    above, below = table.lines[n - 1], table.lines[n]
    over = {piece.first: piece for piece in above if not piece.wide}
    pairs = [(over[piece.first], piece) for piece in below if not piece.wide and piece.first in over]
    texts = [(a, b) for a, b in pairs if not _is_value(a) and not _is_value(b)]
    rooms = [_room(a, b, table.columns) for a, b in texts]
    new = sum(not any(a.first <= piece.last and piece.first <= a.last for a in above) for piece in below)
    stub, stub_above = (line[0] if line[0].first == 0 else None for line in (below, above))
    return [
        table.ruled[n],
        table.underlined[n],
        sum(_is_value(a) and _is_value(b) for a, b in pairs) / len(below),
        len(texts) / len(below),
        max(rooms, default=nan),
        min(rooms, default=nan),
        rooms[-1] if rooms else nan,
        sum(_is_open(a) for a, _ in pairs) / max(1, len(pairs)),
        new / len(below),
        len(pairs) == len(below) < len(above),
        stub is not None and stub_above is not None,
        (stub.box[0] - stub_above.box[0]) / stub.size if stub and stub_above else nan,
        is_bold(below) - is_bold(above),
        max(count_within(piece, below) for piece in above),
        max(count_within(piece, above) for piece in below),
    ]


_FIGURE_PAIRS, _NEW, _SUBSET = (OF_PAIR.index(name) for name in ("figure_pairs", "new", "subset"))


def _of_table(table: TableLines, facts: Sequence[_Facts]) -> list[list[float]]:
    """Return OF_TABLE as seen from each line but the first."""
    count = len(facts)
    full = [n for n, fact in enumerate(facts) if fact.filled >= FULL]
    distances = table.distances[1:]
    whole = [
        count, len(table.columns), sum(fact.has_stub for fact in facts) / count,
        min(distances), median(distances), max(distances), len(full) / count, fmean([b - a for a, b in pairwise(full)] or [nan]),
    ]  # fmt: skip
    found = []
    for n in range(1, count):
        before, after = bisect_right(full, n) - 1, bisect_left(full, n)
        found.append([*whole, n - full[before] if before >= 0 else nan, full[after] - n if after < len(full) else nan])
    return found


def _means(distances: Sequence[float], shared: Sequence[Sequence[float]]) -> Array:
    """Return the means of `shared` over other lines as far from the line above them as each, over farther and nearer ones."""
    at, values = np.array(distances), np.array(shared, float)
    apart = at[None, :] - at[:, None]
    others = ~np.eye(len(at), dtype=bool)
    means = []
    for mask in (others & (np.abs(apart) <= SAME), apart > SAME, apart < -SAME):
        count = mask.sum(axis=1, keepdims=True)
        means.append(np.where(count > 0, mask @ values / np.maximum(count, 1), nan))
    return np.hstack(means)


def _room(above: Piece, below: Piece, columns: Sequence[Extent]) -> float:
    """Return how much wider their column is than a piece with the first word of the one below it."""
    start, end = columns[below.first]
    word = below.words[0].box
    return (end - start - (above.box[2] - above.box[0]) - (word[2] - word[0])) / above.size


def _is_open(piece: Piece) -> bool:
    """Return whether a text goes on: it ends with a sign or a word that others follow."""
    return (len(piece.text) > 1 and piece.text[-1] in OPEN) or bool(_GOES_ON.search(piece.text))


def _is_value(piece: Piece) -> bool:
    """Return whether it is a figure, a sign for none, or one word with a digit, such as 52K."""
    if piece.is_figure():
        return True
    return len(piece.words) == 1 and (any(map(str.isdigit, piece.text)) or not any(map(str.isalpha, piece.text)))
