"""Columns: two columns of text that a gutter clearly separates."""

from collections.abc import Iterable, Sequence

from tasks.parse.layout.lines import TextLine, lines_of
from tasks.parse.layout.words import Word

MIN_LINES = 8
"""Fewer lines side by side may as well be cells of a table."""
FULL, MOST = 0.75, 0.5
"""A line is full if it covers the first share of its column. In text at least the second share of lines is full."""
ALIKE = 0.8
"""Smallest ratio of the widths of two columns."""
MAX_SPANNING = 3
"""Most lines of a title that spans both columns."""


def columns_of(lines: Sequence[TextLine]) -> list[list[TextLine]]:
    """Return the lines as they are read: a title, the left and the right column; or one list if there is one column."""
    for gutter in _gutters(lines):
        crossing = [n for n, line in enumerate(lines) if _crosses(line, gutter)]
        first = len(crossing)
        if crossing != list(range(first)) or first > MAX_SPANNING:
            continue
        words = [word for line in lines[first:] for word in line.words]
        left = lines_of(word for word in words if word.box[2] <= gutter)
        right = lines_of(word for word in words if word.box[2] > gutter)
        if _are_columns(left, right):
            return [part for part in (list(lines[:first]), left, right) if part]
    return [list(lines)]


def _gutters(lines: Iterable[TextLine]) -> list[float]:
    """Return the middles of the most frequent gaps within lines, the most frequent first."""
    counts: dict[int, int] = {}
    for line in lines:
        for n in line.wide:
            middle = round((line.words[n - 1].box[2] + line.words[n].box[0]) / 2)
            counts[middle] = counts.get(middle, 0) + 1
    return [float(place) for place in sorted(counts, key=lambda place: -counts[place])[:5]]


def _crosses(line: TextLine, gutter: float) -> bool:
    """Return whether words are on the gutter, or touch it from both sides without a gap."""
    return any(_touches(word, gutter) for word in line.words)


def _touches(word: Word, gutter: float) -> bool:
    return word.box[0] - 2 < gutter < word.box[2] + 2


def _are_columns(left: Sequence[TextLine], right: Sequence[TextLine]) -> bool:
    if min(len(left), len(right)) < MIN_LINES:
        return False
    widths = [max(line.box[2] for line in side) - min(line.box[0] for line in side) for side in (left, right)]
    if min(widths) < ALIKE * max(widths):
        return False
    return all(
        sum(line.box[2] - line.box[0] >= FULL * width for line in side) >= MOST * len(side)
        for side, width in zip((left, right), widths, strict=True)
    )
