"""The legend of a chart, found by the positions of its entries."""

import re
from collections.abc import Sequence
from itertools import pairwise

from tasks.describe.chart_axes import SLACK, group_aligned, is_made_of_words
from tasks.parse.layout.figure_lines import FigureLine, same_size
from tasks.parse.layout.geometry import Box

UNEVEN, FEW = 0.2, 3.2
"""Entries are one, two or three steps below each other, since lines may be missing: allowed deviation, and most steps."""
FAR = 4.0
"""Largest distance from one entry to the next, in type sizes."""
ODD = 1.6
"""Entries are at most this many times smaller or larger than the usual type."""
YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
WIDE = 8.0
"""Largest distance from the end of one entry to the next beside it, in type sizes."""
WRAPPED = 1.35
"""Largest distance from one line of an entry to its next, in type sizes. Entries are further apart."""
INDENT = 3.0
"""Largest indent of the next line of an entry, in type sizes."""


def find_legend(lines: Sequence[FigureLine], plot: Box, unit: float, fewest: int) -> list[list[FigureLine]]:
    """Return the entries, each with its lines: they start at one x, or form rows beside the chart, whose area is `plot`.

    Years are entries only outside `plot`. `unit` is the usual type size. Fewer than `fewest` entries are no legend.
    """
    usual = [line for line in lines if unit / ODD <= line.size <= unit * ODD]
    entries = [
        line for line in usual if is_made_of_words(line) or (YEAR.fullmatch(line.text) and not _is_inside(line, plot, unit))
    ]
    columns = [
        part for column in group_aligned(entries, lambda line: line.box[0], unit * SLACK) for part in _split_stacks(column, unit)
    ]
    rows = [row for row in group_aligned(entries, lambda line: line.y, unit * SLACK) if _is_row(row, plot, unit)]
    best = max((*columns, *rows), key=len, default=[])
    if len(best) < fewest:
        return []
    whole = [line for line in entries if line in best or _does_line_belong(line, best, plot, unit)]
    ordered = sorted(whole, key=lambda line: line.y)
    lefts = [group for group in group_aligned(ordered, lambda line: line.box[0], unit * SLACK)]
    in_columns = sorted(lefts, key=lambda group: group[0].box[0])
    return [_join_wrapped(line, entries, whole) for group in in_columns for line in sorted(group, key=lambda line: line.y)]


def _is_row(row: Sequence[FigureLine], plot: Box, unit: float) -> bool:
    return len(row) > 1 and not _is_inside(row[0], plot, unit)


def _is_inside(line: FigureLine, plot: Box, unit: float) -> bool:
    return plot[0] <= line.box[0] <= plot[2] + unit and plot[1] - unit <= line.y <= plot[3] + unit


def _does_line_belong(line: FigureLine, best: Sequence[FigureLine], plot: Box, unit: float) -> bool:
    """Return whether a line continues a row of the legend or, outside the chart, a column."""
    alike = [other for other in best if same_size(line, other)]
    gaps = [
        max(line.box[0] - other.box[2], other.box[0] - line.box[2]) for other in alike if abs(line.y - other.y) <= SLACK * unit
    ]
    if gaps:
        return min(gaps) <= WIDE * unit
    below = [other for other in alike if abs(line.box[0] - other.box[0]) <= SLACK * unit and abs(line.y - other.y) <= FAR * unit]
    return bool(below) and not _is_inside(line, plot, unit)


def _split_stacks(column: Sequence[FigureLine], unit: float) -> list[list[FigureLine]]:
    """Cut lines that start at one x where they are not evenly spaced. A pair may be one text."""
    ordered = sorted(column, key=lambda line: line.y)
    pitch = max(unit / 2, min((later.y - line.y for line, later in pairwise(ordered)), default=0.0))
    parts = [ordered[:1]]
    for line in ordered[1:]:
        steps = (line.y - parts[-1][-1].y) / pitch
        if abs(steps - round(steps)) > UNEVEN or steps > FEW or not same_size(line, parts[-1][-1]):
            parts.append([])
        parts[-1].append(line)
    near = [part for part in parts if pitch <= FAR * unit and len(part) > 1]
    return [
        part
        for part in near
        if len(part) > 2 or part[1].y - part[0].y > WRAPPED * part[0].size or _looks_like_entry_start(part[1].text)
    ]


def _looks_like_entry_start(text: str) -> bool:
    """Return whether a text looks like the first line of an entry."""
    return text[:1].isupper() and not text.isupper()


def _join_wrapped(entry: FigureLine, lines: Sequence[FigureLine], whole: Sequence[FigureLine]) -> list[FigureLine]:
    """Return an entry with the lines below it that begin a little further right."""
    found = [entry]
    for line in sorted(lines, key=lambda line: line.y):
        indent = line.box[0] - entry.box[0]
        if line not in whole and 0 < line.y - found[-1].y <= WRAPPED * entry.size and 0 < indent <= INDENT * entry.size:
            found.append(line)
    return found
