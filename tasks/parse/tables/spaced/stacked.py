"""Stacked: tables below each other, with a heading or a caption between them, that the layout model takes for one."""

from collections.abc import Sequence
from statistics import median

from tasks.parse.layout.geometry import Box, centre
from tasks.parse.layout.rules import Rules, edges_of
from tasks.parse.layout.words import Word, words_in
from tasks.parse.tables.cells import FIGURE
from tasks.parse.tables.spaced.breaks import pitches
from tasks.parse.tables.spaced.pieces import Line, is_bold, pieces_of
from tasks.parse.tables.text_lines import text_lines
from tasks.parse.tables.thresholds import ACROSS, LARGER

ABOVE = 1.4
"""Smallest distance of a heading from the table above it, in usual distances of lines."""
OFTEN = 0.5
"""Largest share of lines with a rule above them where rules tell tables apart: else they part rows."""
ROWS = 2
"""Fewest lines of several pieces above a heading, but for one between rules, and below it."""
HIGHEST = 3
"""Most lines of a heading between the rules of two tables."""


def below_each_other(words: Sequence[Word], rules: Rules, box: Box) -> list[Box]:
    """Return the boxes above and below headings between tables, `box` if there is none.

    A heading stands alone, and a head without figures follows. The heading is far from the rows above it, and larger than the
    table or as bold as the head; or one rule ends the table above it and another begins the table below; or only it is between
    rows and a second head as bold as the first.
    """
    lines = [pieces_of(line, rules.verticals) for line in text_lines([w for w in words_in(words, box) if w.upright])]
    if len(lines) < 5:
        return [box]
    edges = [box[1]]
    for first, last in _headings(lines, rules, box):
        edges += [_bottom_of(lines[first - 1]), _bottom_of(lines[last])]
    edges.append(box[3])
    if len(edges) == 2:
        return [box]
    return [(box[0], top + 0.5, box[2], bottom + 0.5) for top, bottom in zip(edges[::2], edges[1::2], strict=True)]


def _headings(lines: Sequence[Line], rules: Rules, box: Box) -> list[tuple[int, int]]:
    """Return the numbers of the first and last lines of the headings between tables."""
    distances = pitches(lines)
    usual, size = median(distances[1:]), median(piece.size for line in lines for piece in line)
    ruled = [_is_below_a_rule(lines, n, rules, box) for n in range(len(lines))]
    bold = [is_bold(line) for line in lines]
    by_rules = sum(ruled) <= OFTEN * len(lines)
    by_heads = sum(bold) <= OFTEN * len(lines) and any(len(line) > 1 and b for line, b in zip(lines[:2], bold, strict=False))
    several = [len(line) > 1 for line in lines]
    found: list[tuple[int, int]] = []
    for n in range(2, len(lines) - 2):
        if (found and n <= found[-1][1]) or not any(several[:n]) or sum(several[n:]) < ROWS:
            continue
        far = distances[n] * lines[n][0].size > ABOVE * usual * size
        marked = far and ((bold[n] and bold[n + 1]) or lines[n][0].size > LARGER * size)
        again = by_heads and not bold[n] and bold[n + 1] and not bold[n + 2]
        if (marked or again) and sum(several[:n]) >= ROWS and _may_be_heading(lines, n, n, box):
            found.append((n, n))
            continue
        last = next((m for m in range(n, min(n + HIGHEST, len(lines) - 2)) if ruled[m + 1]), None)
        if by_rules and ruled[n] and last is not None and _may_be_heading(lines, n, last, box):
            found.append((n, last))
    return found


def _may_be_heading(lines: Sequence[Line], first: int, last: int, box: Box) -> bool:
    """Return whether lines stand alone at the left or in the middle, and the line below has several pieces and no figures."""
    head = lines[last + 1]
    for heading in lines[first : last + 1]:
        at_left = heading[0].box[0] <= box[0] + 4 * heading[0].size
        in_middle = abs(centre(heading[0].box)[0] - (box[0] + box[2]) / 2) < heading[0].size
        if len(heading) > 1 or not (at_left or in_middle) or FIGURE.match(heading[0].text):
            return False
    return len(head) > 1 and not any(FIGURE.match(piece.text) for piece in head)


def _is_below_a_rule(lines: Sequence[Line], n: int, rules: Rules, box: Box) -> bool:
    """Return whether a rule over the table, or the edge of a coloured row, is between line `n` and the line above it."""
    if not n:
        return False
    top, bottom = max(centre(piece.box)[1] for piece in lines[n - 1]), min(centre(piece.box)[1] for piece in lines[n])
    between = [rule for rule in (*rules.horizontals, *edges_of(rules.bands)) if top < rule.at < bottom]
    return any(min(rule.end, box[2]) - max(rule.start, box[0]) > ACROSS * (box[2] - box[0]) for rule in between)


def _bottom_of(line: Line) -> float:
    """Return where the lowest piece of a line ends, in points."""
    return max(piece.box[3] for piece in line)
