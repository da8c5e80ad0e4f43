"""Spans: the columns that each label of a head stands over, found for all labels of a row at once.

Labels of one row are set alike: all centred over their columns, all at the left or all at the right of them.
"""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from tasks.parse.layout.geometry import centre
from tasks.parse.layout.rules import Rule, Rules
from tasks.parse.tables.spaced.columns import Extent
from tasks.parse.tables.spaced.pieces import Line, Piece

BARE = 0.7
"""What it costs that no label stands over a column, in type sizes."""
OFF = 0.6
"""Largest mean distance of labels from where they should stand, in type sizes."""
TOWARDS = 0.1
"""What a distance within the room that white space leaves counts."""

Span = tuple[int, int]


class _Room(NamedTuple):
    """Where the cell over a span of columns may start and end: between its words and those of the columns beside it."""

    starts: Extent
    ends: Extent


def spans_of(above: Line, below: Line, columns: Sequence[Extent], apart: bool = False) -> list[Span]:
    """Return the first and last column of each label of `above` that is not in column 0; nothing if none is over several.

    `below` is the line of labels under it; `apart` says that the two are surely not lines of the same labels.
    """
    labels = [piece for piece in above if piece.first > 0]
    under = [piece for piece in below if piece.first > 0]
    if not labels or len(labels) >= len(under) or len(columns) < 3:
        return []
    told = [
        _best(labels, partial(off, under=under, columns=columns), len(columns)) for off in (_off_centre, _off_left, _off_right)
    ]
    cost, spans = min(told, key=lambda found: found[0])
    size = labels[0].size
    covered = sum(last - first + 1 for first, last in spans)
    off = cost / size - BARE * (len(columns) - 1 - covered)
    if not spans or off > OFF * len(labels) or all(first == last for first, last in spans):
        return []
    return spans if apart or _apart(labels, under, spans, covered == len(columns) - 1) else []


def ruled_spans(above: Line, below: Line, columns: Sequence[Extent], rules: Rules) -> list[Span]:
    """Return the first and last column of each label of `above` that is not in column 0, if a rule under each shows them."""
    labels = [piece for piece in above if piece.first > 0]
    top, bottom = max((centre(p.box)[1] for p in above), default=0.0), min((centre(p.box)[1] for p in below), default=0.0)
    between = [rule for rule in rules.horizontals if top < rule.at < bottom and columns[0][1] - 1 < rule.start < columns[-1][1]]
    found = []
    for label in labels:
        x = centre(label.box)[0]
        under = [n for rule in between if rule.start < x < rule.end for n in range(len(columns)) if _is_in(columns[n], rule)]
        found.append((under[0], under[-1]) if under else (label.first, label.last))
    apart = all(a[1] < b[0] for a, b in pairwise(found))
    return found if apart and any(first < last for first, last in found) and between else []


def _is_in(column: Extent, rule: Rule) -> bool:
    return rule.start < sum(column) / 2 < rule.end


def _apart(labels: Sequence[Piece], under: Sequence[Piece], spans: Sequence[Span], whole: bool) -> bool:
    """Return whether labels are rather over several columns than the first lines of labels of single columns."""
    single = {piece.first: piece for piece in under if not piece.wide}
    over = [(label, single[label.first]) for label in labels if not label.wide and label.first in single]
    if any(label.wide for label in labels) or not over or not all(_aligned(label, piece) for label, piece in over):
        return True
    if not whole or len(labels) < 2 or any(first == last for first, last in spans):
        return False
    at_edge = labels[0].first == 1 or labels[-1].last == max(spans)[1]
    return at_edge and not all(_centred(label, piece) for label, piece in over)


def _aligned(a: Piece, b: Piece) -> bool:
    return min(abs(a.box[0] - b.box[0]), abs(a.box[2] - b.box[2])) < 0.15 * a.size or _centred(a, b)


def _centred(a: Piece, b: Piece) -> bool:
    return abs(a.box[0] + a.box[2] - b.box[0] - b.box[2]) / 2 < 0.3 * a.size


def _best(labels: Sequence[Piece], off: "partial[float]", count: int) -> tuple[float, list[Span]]:
    """Return the least cost, in points, of spans in order that do not overlap, and these."""
    size = labels[0].size
    found: dict[int, tuple[float, list[Span]]] = {0: (0.0, [])}
    for label in labels:
        following: dict[int, tuple[float, list[Span]]] = {}
        for end, (cost, spans) in found.items():
            for first in range(max(end + 1, 1), min(label.first, count - 1) + 1):
                for last in range(label.last, count):
                    bare = BARE * size * (first - end - 1)
                    total = cost + bare + off(label, (first, last))
                    if last not in following or total < following[last][0]:
                        following[last] = total, [*spans, (first, last)]
        found = following
    able = [(cost + BARE * size * (count - 1 - end), spans) for end, (cost, spans) in found.items()]
    return min(able, key=lambda each: each[0], default=(float("inf"), []))


def _room(span: Span, columns: Sequence[Extent]) -> _Room:
    first, last = span
    after = columns[last + 1][0] if last + 1 < len(columns) else columns[last][1]
    return _Room((columns[first - 1][1], columns[first][0]), (columns[last][1], after))


def _off_centre(label: Piece, span: Span, under: Sequence[Piece], columns: Sequence[Extent]) -> float:
    room = _room(span, columns)
    least, most = (room.starts[0] + room.ends[0]) / 2, (room.starts[1] + room.ends[1]) / 2
    middle, ideal = (label.box[0] + label.box[2]) / 2, (room.starts[1] + room.ends[0]) / 2
    return max(least - middle, middle - most, 0.0) + TOWARDS * abs(middle - ideal)


def _off_left(label: Piece, span: Span, under: Sequence[Piece], columns: Sequence[Extent]) -> float:
    at = next((piece.box[0] for piece in under if piece.first == span[0]), columns[span[0]][0])
    return _off_edge(label.box[0], (at, columns[span[0]][0]), _room(span, columns).starts)


def _off_right(label: Piece, span: Span, under: Sequence[Piece], columns: Sequence[Extent]) -> float:
    at = next((piece.box[2] for piece in under if piece.last == span[1]), columns[span[1]][1])
    return _off_edge(label.box[2], (at, columns[span[1]][1]), _room(span, columns).ends)


def _off_edge(at: float, edges: Sequence[float], room: Extent) -> float:
    """Return the distance from the nearest edge below, or what is left of it if the cell may be wider than its words."""
    exact = min(abs(at - edge) for edge in edges)
    outside = max(min(room) - at, at - max(room), 0.0)
    return min(exact, outside + 0.3 * exact)
