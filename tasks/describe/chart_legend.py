"""The legend of a chart, by where its entries stand."""

import re
from collections.abc import Sequence
from itertools import pairwise

from tasks.describe.chart_ticks import SLACK, aligned, is_name
from tasks.parse.layout.figure_lines import FigureLine, same_size
from tasks.parse.layout.geometry import Box

UNEVEN, FEW = 0.2, 3.2
"""Entries stand below each other at one distance, or two or three, some lines being left out; by what share they may differ."""
FAR = 4.0
"""Sizes of type from one entry to the next, at most."""
ODD = 1.6
"""Entries are set in type so many times smaller or larger than usual, at most."""
YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
WIDE = 8.0
"""Sizes of type from the end of one entry to the next beside it, at most."""
WRAPPED = 1.35
"""Sizes of type from one line of an entry to its next, at most; entries stand further apart."""
INDENT = 3.0
"""Sizes of type by which the next line of an entry begins further right, at most."""


def legend_of(lines: Sequence[FigureLine], plot: Box, unit: float, fewest: int) -> list[list[FigureLine]]:
    """Return the entries, each with its lines: they begin at one place, or stand in rows beside the chart, which spans `plot`.

    Years count as entries outside `plot` only. `unit` is the usual size of type. Less than `fewest` entries are none.
    """
    usual = [line for line in lines if unit / ODD <= line.size <= unit * ODD]
    entries = [line for line in usual if is_name(line) or (YEAR.fullmatch(line.text) and not _is_inside(line, plot, unit))]
    columns = [part for column in aligned(entries, lambda line: line.box[0], unit * SLACK) for part in _stacked(column, unit)]
    rows = [row for row in aligned(entries, lambda line: line.y, unit * SLACK) if _is_row(row, plot, unit)]
    best = max((*columns, *rows), key=len, default=[])
    if len(best) < fewest:
        return []
    whole = [line for line in entries if line in best or _belongs(line, best, plot, unit)]
    ordered = sorted(whole, key=lambda line: line.y)
    lefts = [group for group in aligned(ordered, lambda line: line.box[0], unit * SLACK)]
    in_columns = sorted(lefts, key=lambda group: group[0].box[0])
    return [_with_rest(line, entries, whole) for group in in_columns for line in sorted(group, key=lambda line: line.y)]


def _is_row(row: Sequence[FigureLine], plot: Box, unit: float) -> bool:
    return len(row) > 1 and not _is_inside(row[0], plot, unit)


def _is_inside(line: FigureLine, plot: Box, unit: float) -> bool:
    return plot[0] <= line.box[0] <= plot[2] + unit and plot[1] - unit <= line.y <= plot[3] + unit


def _belongs(line: FigureLine, best: Sequence[FigureLine], plot: Box, unit: float) -> bool:
    """Tell whether a line goes on with a row of the legend's or, outside the chart, with a column."""
    alike = [other for other in best if same_size(line, other)]
    gaps = [
        max(line.box[0] - other.box[2], other.box[0] - line.box[2]) for other in alike if abs(line.y - other.y) <= SLACK * unit
    ]
    if gaps:
        return min(gaps) <= WIDE * unit
    below = [other for other in alike if abs(line.box[0] - other.box[0]) <= SLACK * unit and abs(line.y - other.y) <= FAR * unit]
    return bool(below) and not _is_inside(line, plot, unit)


def _stacked(column: Sequence[FigureLine], unit: float) -> list[list[FigureLine]]:
    """Cut lines that begin at one place where they do not stand evenly below each other. A pair may be one text."""
    ordered = sorted(column, key=lambda line: line.y)
    pitch = max(unit / 2, min((later.y - line.y for line, later in pairwise(ordered)), default=0.0))
    parts = [ordered[:1]]
    for line in ordered[1:]:
        steps = (line.y - parts[-1][-1].y) / pitch
        if abs(steps - round(steps)) > UNEVEN or steps > FEW or not same_size(line, parts[-1][-1]):
            parts.append([])
        parts[-1].append(line)
    near = [part for part in parts if pitch <= FAR * unit and len(part) > 1]
    return [part for part in near if len(part) > 2 or part[1].y - part[0].y > WRAPPED * part[0].size or _begins(part[1].text)]


def _begins(text: str) -> bool:
    """Tell whether a text looks like the first line of an entry."""
    return text[:1].isupper() and not text.isupper()


def _with_rest(entry: FigureLine, lines: Sequence[FigureLine], whole: Sequence[FigureLine]) -> list[FigureLine]:
    """Return an entry with the lines below it that begin a little further right."""
    found = [entry]
    for line in sorted(lines, key=lambda line: line.y):
        indent = line.box[0] - entry.box[0]
        if line not in whole and 0 < line.y - found[-1].y <= WRAPPED * entry.size and 0 < indent <= INDENT * entry.size:
            found.append(line)
    return found
