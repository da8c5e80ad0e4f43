"""Frames: tables recognised by their rules alone, even if the layout model takes them for something else."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence

from tasks.parse.layout.geometry import Box
from tasks.parse.layout.rules import TOUCHING, Rule, Rules, places

MAX_RULES = 1000
"""Most horizontal or vertical lines of a page to search for frames. More are a map, a chart or a form of many boxes."""


def frames_of(rules: Rules) -> list[Box]:
    """Return the rectangles that rules divide into at least two rows and two columns, top to bottom.

    Rows of a single cell above or below all others contain a title or notes and are excluded.
    """
    found = (_core(group) for group in _connected(rules))
    return sorted((box for box in found if box), key=lambda box: (box[1], box[0]))


def _connected(rules: Rules) -> Iterator[Rules]:
    """Group the rules that meet, directly or through others."""
    across, down = rules.horizontals, rules.verticals
    if not across or not down or max(len(across), len(down)) > MAX_RULES:
        return
    parents = list(range(len(across) + len(down)))

    def root(n: int) -> int:
        while parents[n] != n:
            parents[n] = parents[parents[n]]
            n = parents[n]
        return n

    for n, m in _meetings(across, down):
        parents[root(n)] = root(len(across) + m)
    groups: dict[int, tuple[list[Rule], list[Rule]]] = defaultdict(lambda: ([], []))
    for n in range(len(parents)):
        groups[root(n)][n >= len(across)].append(across[n] if n < len(across) else down[n - len(across)])
    yield from (Rules(tuple(h), tuple(v)) for h, v in groups.values())


def _meetings(across: Sequence[Rule], down: Sequence[Rule]) -> Iterator[tuple[int, int]]:
    order = sorted(range(len(down)), key=lambda m: down[m].at)
    ats = [down[m].at for m in order]
    for n, rule in enumerate(across):
        for m in order[bisect_left(ats, rule.start - TOUCHING) : bisect_right(ats, rule.end + TOUCHING)]:
            if down[m].start - TOUCHING <= rule.at <= down[m].end + TOUCHING:
                yield n, m


def _core(group: Rules) -> Box | None:
    if len(places(group.horizontals)) < 3 or not group.verticals:
        return None
    x0 = min([r.at for r in group.verticals] + [r.start for r in group.horizontals])
    x1 = max([r.at for r in group.verticals] + [r.end for r in group.horizontals])
    inner = [rule for rule in group.verticals if x0 + TOUCHING < rule.at < x1 - TOUCHING]
    if not inner:
        return None
    y0, y1 = min(rule.start for rule in inner), max(rule.end for rule in inner)
    rows = places(rule for rule in group.horizontals if y0 - TOUCHING <= rule.at <= y1 + TOUCHING)
    return (x0, y0, x1, y1) if len(rows) > 2 else None
