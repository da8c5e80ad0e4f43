"""Stacked: tables below each other, with a heading or a caption between them, that the layout model takes for one."""

from collections.abc import Sequence
from statistics import median

from tasks.parse.layout.geometry import Box, centre
from tasks.parse.layout.rules import Rules
from tasks.parse.layout.words import Word
from tasks.parse.tables.cells import FIGURE
from tasks.parse.tables.spaced.breaks import pitches
from tasks.parse.tables.spaced.pieces import Line, is_bold, lines_in
from tasks.parse.tables.thresholds import LARGER

ABOVE = 1.4
"""Smallest distance of a heading from the table above it, in usual distances of lines."""
OFTEN = 0.5
"""Largest share of bold lines where these are heads of tables."""
ROWS = 2
"""Fewest lines of several pieces above a heading, and below it."""


def below_each_other(words: Sequence[Word], rules: Rules, box: Box) -> list[Box]:
    """Return the boxes above and below headings between tables, `box` if there is none.

    A heading stands alone, and a head without figures follows. The heading is far from the rows above it, and larger than the
    table or as bold as the head; or only it is between rows and a second head as bold as the first.
    """
    lines = lines_in(words, rules, box)
    if len(lines) < 5:
        return [box]
    edges = [box[1]]
    for n in _headings(lines, box):
        edges += [_bottom_of(lines[n - 1]), _bottom_of(lines[n])]
    edges.append(box[3])
    if len(edges) == 2:
        return [box]
    return [(box[0], top + 0.5, box[2], bottom + 0.5) for top, bottom in zip(edges[::2], edges[1::2], strict=True)]


def _headings(lines: Sequence[Line], box: Box) -> list[int]:
    """Return the numbers of the lines that are headings between tables."""
    distances = pitches(lines)
    usual, size = median(distances[1:]), median(piece.size for line in lines for piece in line)
    bold = [is_bold(line) for line in lines]
    by_heads = sum(bold) <= OFTEN * len(lines) and any(len(line) > 1 and b for line, b in zip(lines[:2], bold, strict=False))
    several = [len(line) > 1 for line in lines]
    found: list[int] = []
    for n in range(2, len(lines) - 2):
        far = distances[n] * lines[n][0].size > ABOVE * usual * size
        marked = far and ((bold[n] and bold[n + 1]) or lines[n][0].size > LARGER * size)
        again = by_heads and not bold[n] and bold[n + 1] and not bold[n + 2]
        if (marked or again) and min(sum(several[:n]), sum(several[n:])) >= ROWS and _may_be_heading(lines, n, box):
            found.append(n)
    return found


def _may_be_heading(lines: Sequence[Line], n: int, box: Box) -> bool:
    """Return whether a line stands alone at the left or in the middle, and the line below has several pieces and no figures."""
    heading, head = lines[n], lines[n + 1]
    at_left = heading[0].box[0] <= box[0] + 4 * heading[0].size
    in_middle = abs(centre(heading[0].box)[0] - (box[0] + box[2]) / 2) < heading[0].size
    if len(heading) > 1 or not (at_left or in_middle) or FIGURE.match(heading[0].text):
        return False
    return len(head) > 1 and not any(FIGURE.match(piece.text) for piece in head)


def _bottom_of(line: Line) -> float:
    """Return where the lowest piece of a line ends, in points."""
    return max(piece.box[3] for piece in line)
