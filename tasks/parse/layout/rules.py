"""Rules: the straight lines drawn around and between the cells of tables."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from tasks.parse.layout.geometry import Box

SAME_PLACE = 2.0
"""Largest distance between two rules that form one line, in points."""
TOUCHING = 3.0
"""Largest gap between the end of a rule and another rule that it meets, in points."""
NARROWEST = 4.0
"""Smallest distance between two rules with room for text, in points. Nearer ones are one double line."""


MAX_SIDES = 200
"""Most vertical rules of a page to search for boxes."""


class Rule(NamedTuple):
    """A line from `start` to `end` along its own axis, at position `at` on the other axis."""

    at: float
    start: float
    end: float


class Rules(NamedTuple):
    """The lines of a page or of one table on it, and the coloured surfaces behind its words, those beside each other as one."""

    horizontals: tuple[Rule, ...] = ()
    verticals: tuple[Rule, ...] = ()
    bands: tuple[Box, ...] = ()


NO_RULES = Rules()


def merged(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """Return the rules with pieces of one line joined, because cells often have their own borders.

    >>> merged([Rule(10, 0, 50), Rule(10.5, 49, 90), Rule(10, 200, 220)])
    (Rule(at=10, start=0, end=90), Rule(at=10, start=200, end=220))
    """
    lines: list[Rule] = []
    for group in _at_one_place(sorted(rules)):
        pieces: list[Rule] = []
        for rule in sorted(group, key=itemgetter(1)) if len(group) > 1 else group:
            if pieces and rule.start <= pieces[-1].end + TOUCHING:
                pieces[-1] = pieces[-1]._replace(end=max(pieces[-1].end, rule.end))
            else:
                pieces.append(rule)
        lines += pieces
    return tuple(lines)


def _at_one_place(rules: Sequence[Rule]) -> list[list[Rule]]:
    groups: list[list[Rule]] = []
    for rule in rules:
        if groups and rule.at - groups[-1][0].at <= SAME_PLACE:
            groups[-1].append(rule)
        else:
            groups.append([rule])
    return groups


@lru_cache(maxsize=16)
def edges_of(bands: tuple[Box, ...]) -> tuple[Rule, ...]:
    """Return the upper and lower edges of coloured surfaces."""
    return merged(Rule(at, x0, x1) for x0, y0, x1, y1 in bands for at in (y0, y1))


def beside_each_other(surfaces: Iterable[Box]) -> tuple[Box, ...]:
    """Return surfaces with those of one height joined that touch, because cells often have a colour each.

    >>> beside_each_other([(50, 10, 90, 30), (0, 10, 50, 30), (0, 30, 50, 40)])
    ((0, 10, 90, 30), (0, 30, 50, 40))
    """
    found: list[Box] = []
    for box in sorted(set(surfaces), key=lambda box: (round(box[1]), round(box[3]), box[0])):
        last = found[-1] if found else None
        if last and abs(last[1] - box[1]) < 1 and abs(last[3] - box[3]) < 1 and box[0] < last[2] + TOUCHING:
            found[-1] = last[0], min(last[1], box[1]), max(last[2], box[2]), max(last[3], box[3])
        else:
            found.append(box)
    return tuple(found)


def rules_in(rules: Rules, box: Box) -> Rules:
    """Return the rules of the table in `box`: those in it, and those that meet two of them outside it.

    The latter belong to empty rows and columns, which have no words to show the region of the table.
    """
    x0, y0, x1, y1 = box
    across = [r for r in rules.horizontals if y0 - 6 <= r.at <= y1 + 6 and _shared(r, x0, x1) > TOUCHING]
    down = [r for r in rules.verticals if x0 - 6 <= r.at <= x1 + 6 and _shared(r, y0, y1) > TOUCHING]
    more_down = [r for r in rules.verticals if r not in down and sum(_meet(r, h) for h in across) > 1]
    more_across = [r for r in rules.horizontals if r not in across and sum(_meet(r, v) for v in down) > 1]
    return Rules(tuple(sorted(across + more_across)), tuple(sorted(down + more_down)))


def _shared(rule: Rule, start: float, end: float) -> float:
    return min(rule.end, end) - max(rule.start, start)


def _meet(a: Rule, b: Rule) -> bool:
    return a.start - TOUCHING <= b.at <= a.end + TOUCHING and b.start - TOUCHING <= a.at <= b.end + TOUCHING


def without_underlines(rules: Rules, box: Box) -> Rules:
    """Drop horizontal lines that end within a cell: neither at a vertical rule nor at the edge of the words in `box`."""
    ends = [rule.at for rule in rules.verticals]
    left, right = min([box[0], *ends]), max([box[2], *ends])
    kept = [
        rule
        for rule in rules.horizontals
        if (rule.start <= left + TOUCHING or any(-4 * TOUCHING < rule.start - at <= TOUCHING for at in ends))
        and (rule.end >= right - TOUCHING or any(-TOUCHING <= rule.end - at < 4 * TOUCHING for at in ends))
    ]
    return rules._replace(horizontals=tuple(kept))


def places(rules: Iterable[Rule]) -> list[float]:
    """Return the positions of rules in order, double lines once."""
    found: list[float] = []
    for at in sorted(rule.at for rule in rules):
        if not found or at - found[-1] >= NARROWEST:
            found.append(at)
    return found


def covers(rules: Iterable[Rule], at: float, start: float, end: float) -> bool:
    """Return whether rules at `at` cover most of the way from `start` to `end`."""
    along = sum(max(0.0, _shared(rule, start, end)) for rule in rules if abs(rule.at - at) < NARROWEST)
    return along > (end - start) / 2


def enclosed(rules: Rules) -> list[Box]:
    """Return the rectangles whose four sides are a rule each, from corner to corner.

    >>> enclosed(Rules((Rule(0, 0, 50), Rule(20, 0, 50)), (Rule(0, 0, 20), Rule(50, 0, 20), Rule(25, 0, 9))))
    [(0, 0, 50, 20)]
    """
    if len(rules.verticals) > MAX_SIDES:
        return []
    across = {_rounded(rule) for rule in rules.horizontals}
    found = []
    for n, left in enumerate(rules.verticals):
        for right in rules.verticals[n + 1 :]:
            alike = abs(left.start - right.start) < TOUCHING and abs(left.end - right.end) < TOUCHING
            if alike and all(_near(across, Rule(at, left.at, right.at)) for at in (left.start, left.end)):
                found.append((left.at, left.start, right.at, left.end))
    return found


def _rounded(rule: Rule) -> tuple[int, int, int]:
    return round(rule.at / TOUCHING), round(rule.start / TOUCHING), round(rule.end / TOUCHING)


def _near(sides: set[tuple[int, int, int]], rule: Rule) -> bool:
    """Return whether a side is at the place of `rule`, within a step of TOUCHING."""
    at, start, end = _rounded(rule)
    steps = (-1, 0, 1)
    return any((at + i, start + j, end + k) in sides for i in steps for j in steps for k in steps)
