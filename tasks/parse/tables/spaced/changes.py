"""Changes: tables that follow each other with nothing between them, shown by other columns from some line on."""

from collections.abc import Sequence
from statistics import median

from tasks.parse.layout.geometry import Box
from tasks.parse.layout.rules import Rules
from tasks.parse.layout.words import Word, words_in
from tasks.parse.tables.spaced.breaks import pitches
from tasks.parse.tables.spaced.pieces import Line, pieces_of
from tasks.parse.tables.spaced.stacked import bottom_of, rules_above
from tasks.parse.tables.text_lines import text_lines

FAR = 1.2
"""Smallest distance of a table from the one above it, in usual distances of lines, where no rule parts them."""
FEWEST = 2
"""Fewest lines of several pieces in each of two tables."""
LOOK = 4
"""Most lines below a place that show which columns begin there."""
NARROW = 0.4
"""Smallest white space that is a gutter, in type sizes."""
STRIP = 0.3
"""Smallest distance of the rules of two tables from each other, in type sizes: those of a double line are nearer."""


def at_changes(words: Sequence[Word], rules: Rules, box: Box) -> list[Box]:
    """Return the boxes of the tables in `box` that a rule or white space parts and that have columns of their own."""
    lines = [pieces_of(line, rules.verticals) for line in text_lines([w for w in words_in(words, box) if w.upright])]
    if sum(len(line) > 1 for line in lines) < 2 * FEWEST:
        return [box]
    distances = pitches(lines)
    far = FAR * median(distances[1:])
    starts = [0]
    for n in range(1, len(lines)):
        above = rules_above(lines, n, rules, box)
        ended = len(above) > 1 and above[-1] - above[0] > STRIP * lines[n][0].size
        if (above or distances[n] > far) and _changes(lines[starts[-1] : n], lines[n:], ended):
            starts.append(n)
    edges = [bottom_of(lines[n - 1]) + 0.5 for n in starts[1:]]
    return [(box[0], top, box[2], end) for top, end in zip([box[1], *edges], [*edges, box[3]], strict=True)]


def _changes(above: Sequence[Line], below: Sequence[Line], ended: bool) -> bool:
    """Tell whether lines have other gutters than those above them.

    It takes a table that has `ended` by a rule with another rule below it, or keys and values on one side only.
    """
    upper = [line for line in above if len(line) > 1]
    lower = [line for line in below if len(line) > 1][:LOOK]
    if min(len(upper), len(lower)) < FEWEST:
        return False
    one, other = _n_gutters(upper), _n_gutters(lower)
    if ended:
        return one != other or _n_gutters([*upper, *lower]) < one
    keyed = [are_keyed(part) for part in (upper, lower[:1], lower)]
    return one != other and keyed[0] != keyed[1] == keyed[2]


def are_keyed(lines: Sequence[Line]) -> bool:
    """Tell whether most lines have a key that ends with a colon, before a value."""
    return 2 * sum(any(piece.text[-1] in ":\uff1a" for piece in line[:-1]) for line in lines) > len(lines)


def _n_gutters(lines: Sequence[Line]) -> int:
    """Return the number of white spaces that go through all lines."""
    pieces = sorted((piece.box[0], piece.box[2], piece.size) for line in lines for piece in line)
    end, count = pieces[0][1], 0
    for start, after, size in pieces:
        count += start - end > NARROW * size
        end = max(end, after)
    return count
