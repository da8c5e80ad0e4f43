"""The words in a figure by their positions: title, names of the axes, categories, legend, range of the ticks.

Boxes are in pixels from the top left. Words of unknown meaning stay plain text.
"""

import re
from collections.abc import Iterable, Sequence
from statistics import median
from typing import NamedTuple

from tasks.describe.chart_axes import SLACK, Axes, find_axes, is_made_of_words, is_number, is_tick
from tasks.describe.chart_legend import find_legend
from tasks.parse.layout.figure_lines import SAME_SIZE, FigureLine, same_size, turned_upright
from tasks.parse.layout.geometry import Box, overlap

MOST_LINES = 300
"""A figure with more lines is not a readable chart."""
NEAR = 0.25
"""Largest distance of a title or axis name from the middle, as a share of the width."""
SIDE, TOP, BOTTOM = 0.16, 0.25, 0.75
"""Margins of a chart without visible axes, as shares of width and height: left and right, top, bottom."""
NEXT = 1.6
"""Largest distance from one line of a title or name to its next, in type sizes."""
FAR = 4.0
"""Largest distance from an axis to its name, in type sizes."""
LARGER = 1.08
"""The title of a round chart is at least this many times larger than the names around it."""
NOTE = re.compile(r"(?:sources?|notes?|quelle|fuente|fonte)\b|[*†]", re.IGNORECASE)
"""How a line that names the source of a chart begins."""
_WORD = re.compile(r"[^\W\d_]{3}")


class ChartParts(NamedTuple):
    """The words of a chart by meaning. Ranges are (first, last) as they are written. Empty where nothing was found."""

    title: str = ""
    axes: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    legend: tuple[str, ...] = ()
    ranges: tuple[tuple[str, str], ...] = ()


def find_chart_parts(lines: Sequence[FigureLine], size: tuple[float, float], has_axes: bool = True) -> ChartParts:
    """Return the parts of a chart of `size` (width, height) from its lines. Without axes it is round. It may be sideways."""
    if not 0 < len(lines) <= MOST_LINES:
        return ChartParts()
    lines, size = turned_upright(lines, size)
    unit = median(line.size for line in lines)
    axes = find_axes(lines, size, unit) if has_axes else Axes([], [], [])
    plot = _find_plot(axes, size)
    free = [line for line in lines if line not in axes.lines and not NOTE.match(line.text)]
    upright = _find_vertical_names([line for line in free if line.turn and has_axes], axes, plot, unit)
    level = [line for line in free if not line.turn]
    above = _find_name_above(level, axes, unit)
    heads = [line for line in level if line not in above and (has_axes or _is_larger(line, level))]
    title = _find_title(heads, plot, size, unit)
    across = (
        _find_horizontal_name([line for line in level if line not in (*title, *above)], axes, plot, size[0]) if has_axes else []
    )
    rest = [line for line in level if line not in (*title, *above, *across)]
    legend = find_legend(rest, plot, unit, 2 if has_axes else 3)
    return ChartParts(
        _join_line_texts(title),
        tuple(dict.fromkeys(filter(None, [_join_line_texts(across), _join_line_texts(above), *map(_join_line_texts, upright)]))),
        tuple(_join_line_texts(name) for name in (axes.names if has_axes or legend else _find_slices(rest))),
        tuple(dict.fromkeys(map(_join_line_texts, legend))),
        tuple(dict.fromkeys(_find_tick_range(ticks) for ticks in (axes.row, *axes.columns) if len(ticks) > 1)),
    )


def _join_line_texts(lines: Iterable[FigureLine]) -> str:
    return " ".join(line.text.strip() for line in lines)


def _find_tick_range(ticks: Sequence[FigureLine]) -> tuple[str, str]:
    """Return the first and the last tick, from the left or from the bottom."""
    ordered = ticks if ticks[-1].x - ticks[0].x > ticks[-1].y - ticks[0].y else ticks[::-1]
    return ordered[0].text.strip(), ordered[-1].text.strip()


def _find_plot(axes: Axes, size: tuple[float, float]) -> Box:
    """Return the rectangle between the axes."""
    width, height = size
    below, heights = [line.x for line in axes.below], [line.y for line in axes.beside]
    middle = (min(below) + max(below)) / 2 if below else width / 2
    left = min([line.box[2] for line in axes.beside if line.x < middle] + below, default=SIDE * width)
    right = max([line.box[0] for line in axes.beside if line.x > middle] + below, default=(1 - SIDE) * width)
    return left, min(heights, default=TOP * height), right, max(heights, default=BOTTOM * height)


def _is_alone(line: FigureLine, lines: Iterable[FigureLine]) -> bool:
    """Return whether no other of `lines` is beside it."""
    return not any(other is not line and abs(other.y - line.y) <= SLACK * line.size for other in lines)


def _join_next_lines(first: FigureLine, lines: Iterable[FigureLine]) -> list[FigureLine]:
    """Return a line with the lines below that continue it: of the same type size, centred or left-aligned with it."""
    found = [first]
    for line in sorted(lines, key=lambda line: line.y):
        near = 0 < line.y - found[-1].y <= NEXT * first.size and same_size(line, first) and is_made_of_words(line)
        if near and (abs(line.x - first.x) <= first.size or abs(line.box[0] - first.box[0]) <= first.size / 2):
            found.append(line)
    return found


def _find_slices(lines: Sequence[FigureLine]) -> list[list[FigureLine]]:
    """Return the names around a round chart."""
    names: list[list[FigureLine]] = []
    for line in sorted(filter(is_made_of_words, lines), key=lambda line: line.y):
        if not any(line in name for name in names):
            names.append(_join_next_lines(line, lines))
    return names


def _find_title(level: Sequence[FigureLine], plot: Box, size: tuple[float, float], unit: float) -> list[FigureLine]:
    """Return the largest line above the chart, the topmost of equal ones, centred or at the left, with its next lines."""
    highest = min((line.y for line in level if is_number(line)), default=size[1])
    found = [
        line
        for line in level
        if is_made_of_words(line) and line.y < min(plot[1] + line.size / 2, highest)
        and _is_central(line, plot, size) and _is_alone(line, level)
        and (line.size > SAME_SIZE * unit or not _is_listed(line, level))
    ]  # fmt: skip
    largest = max((line.size for line in found), default=0.0)
    first = min((line for line in found if line.size * SAME_SIZE >= largest), key=lambda line: line.y, default=None)
    return _join_next_lines(first, level) if first else []


def _is_larger(line: FigureLine, lines: Iterable[FigureLine]) -> bool:
    """Return whether a line is larger than most others."""
    others = [other.size for other in lines if other is not line]
    return not others or line.size >= LARGER * median(others)


def _is_listed(line: FigureLine, lines: Iterable[FigureLine]) -> bool:
    """Return whether a line below starts at the same x, as in a legend."""
    return any(
        abs(other.box[0] - line.box[0]) <= SLACK * line.size
        and 0 < other.y - line.y <= FAR * line.size
        and same_size(line, other)
        for other in lines
    )


def _is_central(line: FigureLine, plot: Box, size: tuple[float, float]) -> bool:
    middles = size[0] / 2, (plot[0] + plot[2]) / 2
    lefts = 0.0, plot[0]
    return any(abs(line.x - middle) <= NEAR * size[0] for middle in middles) or any(
        abs(line.box[0] - left) <= 2 * line.size for left in lefts
    )


def _find_horizontal_name(level: Sequence[FigureLine], axes: Axes, plot: Box, width: float) -> list[FigureLine]:
    """Return the name of the horizontal axis: the next line below its ticks or names, in the middle."""
    floor = max((line.box[3] for line in axes.below), default=plot[3])
    lower = [line for line in level if line.y > floor and is_made_of_words(line)]
    first = min(lower, key=lambda line: line.y, default=None)
    if not first or not _is_alone(first, level) or _is_listed(first, level) or not any(map(is_number, (*axes.lines, *level))):
        return []
    central = abs(first.x - (plot[0] + plot[2]) / 2) <= NEAR * (plot[2] - plot[0]) or abs(first.x - width / 2) <= NEAR * width
    near = first.box[1] - floor <= FAR * first.size or not axes.below
    return _join_next_lines(first, lower) if central and near else []


def _find_name_above(level: Sequence[FigureLine], axes: Axes, unit: float) -> list[FigureLine]:
    """Return the name of the first vertical axis if it is above its ticks."""
    if not axes.columns:
        return []
    top = axes.columns[0][0]
    found = [
        line
        for line in level
        if 0 < top.y - line.y <= FAR * unit and is_made_of_words(line) and same_size(line, top)
        and line.box[0] <= top.box[2] and line.x <= top.box[2] + FAR * unit
    ]  # fmt: skip
    return [max(found, key=lambda line: line.y)] if found else []


def _find_vertical_names(turned: Sequence[FigureLine], axes: Axes, plot: Box, unit: float) -> list[list[FigureLine]]:
    """Return the names of vertical axes, written upwards or downwards beside the chart, each with all its lines."""
    names: list[list[FigureLine]] = []
    ticks = [line.box for column in axes.columns for line in column]
    left = min((box[0] for box in ticks if box[2] <= plot[0]), default=plot[0] + unit)
    right = max((box[2] for box in ticks if box[0] >= plot[2]), default=plot[2] - unit)
    for line in sorted(turned, key=lambda line: line.x):
        before = names[-1][-1] if names else None
        if not is_made_of_words(line) or left < line.x < right or abs(line.turn % 180 - 90) > 10:
            continue
        if before and line.turn == before.turn and same_size(line, before) and _is_beside(before, line):
            names[-1].append(line)
        else:
            names.append([line])
    return [name if name[0].turn < 180 else name[::-1] for name in names]


def _is_beside(before: FigureLine, line: FigureLine) -> bool:
    near = line.x - before.x <= NEXT * line.size
    return near and overlap(before.box[1], before.box[3], line.box[1], line.box[3]) > 0.5


def drop_specks(read: Iterable[FigureLine]) -> list[FigureLine]:
    """Return the lines that are hardly misread specks: ticks, and lines with a word of three letters."""
    return [line for line in read if is_tick(line) or _WORD.search(line.text)]


def describe_figure(kind: str, confidence: float | None, parts: ChartParts, caption: str | None, text: str) -> str:
    """Return the text that represents a figure in the document; "" if nothing is known about the figure.

    >>> describe_figure("bar chart", 0.93, ChartParts(title="Sales", ranges=(("2019", "2023"),)), "By year.", "Sales 2019 2023")
    'Bar chart (confidence 0.93). Title: Sales. Values: 2019 to 2023. Caption: By year. Text: Sales 2019 2023'
    """
    head = kind[:1].upper() + kind[1:] + (f" (confidence {confidence:.2f})" if confidence is not None else "") + "."
    named = (
        ("Title", parts.title),
        ("Axis", "; ".join(parts.axes)),
        ("Categories", ", ".join(parts.categories)),
        ("Legend", ", ".join(parts.legend)),
        ("Values", "; ".join(f"{low} to {high}" for low, high in parts.ranges)),
        ("Caption", (caption or "").strip()),
    )
    said = [f"{name}: {value.rstrip('.')}." for name, value in named if value]
    if confidence is None and not said and not text.strip():
        return ""
    return " ".join([head, *said, *([f"Text: {' '.join(text.split())}"] if text.strip() else [])])
