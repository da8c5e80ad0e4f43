"""The axes of a chart: which lines of text are ticks (numbers, dates and ranges at places that fit their values), or names."""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from tasks.parse.layout.figure_lines import FigureLine, same_size

MINUS = "-\N{EN DASH}\N{EM DASH}\N{MINUS SIGN}"
NUMBER = re.compile(rf"[{MINUS}+]?\s?[$€£]?(?:10\^[{MINUS}]?\d\d?|(?:\d[\d,. ]*|\.\d+)\s?(?:%|[kKmMbB]|°C?)?)")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY = r"(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?"
_YEAR = r"(?:'?\d\d|\d{4})"
DATE = re.compile(
    rf"(?:\d\d?[\s-])?{_MONTH}(?:[\s-]?{_YEAR})?|{_DAY}|{_YEAR}?\s?[QH]\d\s?{_YEAR}?|\d\d?:\d\d|\d+[/.-]\d+(?:[/.-]\d+)?"
    rf"|[<>≤≥]\s?\d+|\d+\s?(?:\+|(?:[{MINUS}]|to)\s?\d+)",
    re.IGNORECASE,
)
"""Dates, times of day and ranges of numbers: they have an order, but no value."""
TICKS = 3
"""Fewest numbers in one row or column that are taken for an axis."""
SLACK = 0.4
"""Largest distance of a tick from the place of its value, and between lines of one row, in type sizes."""
NEIGHBOURS = 3
"""Some two ticks of an axis are at most this many places apart in their row or column."""
Coordinate = Callable[[FigureLine], float]


def is_number(line: FigureLine) -> bool:
    """Return whether the line is a number and nothing else."""
    return NUMBER.fullmatch(line.text.strip()) is not None


def is_tick(line: FigureLine) -> bool:
    """Return whether the line is a number, a date or a range."""
    return is_number(line) or DATE.fullmatch(line.text.strip()) is not None


def is_made_of_words(line: FigureLine) -> bool:
    """Return whether the line is made of words."""
    return sum(map(str.isalpha, line.text)) > 1 and not is_number(line)


def parse_value(text: str, point: str = ".") -> float:
    """Return the number that the text of a tick means.

    >>> parse_value("1,500"), parse_value("-20 %"), parse_value("2k"), parse_value("10^-2"), parse_value("1.500", ",")
    (1500.0, -20.0, 2000.0, 0.01, 1500.0)
    """
    base, _, exponent = text.strip().partition("^")
    digits = "".join(char for char in base if char.isdecimal() or char == point)
    whole, *decimals = digits.split(point)
    value = float(f"{whole or 0}.{''.join(decimals) or 0}")
    if exponent:
        return float(10.0 ** float(exponent.translate(dict.fromkeys(map(ord, MINUS), "-"))))
    value *= {"k": 1e3, "m": 1e6, "b": 1e9}.get(base[-1:].lower(), 1)
    return -value if base[:1] in tuple(MINUS) else value


def group_aligned(lines: Sequence[FigureLine], place: Coordinate, slack: float) -> Iterator[list[FigureLine]]:
    """Yield groups of lines whose places differ by at most `slack`, the largest group first. Each line is in one group."""
    rest = sorted(lines, key=place)
    while rest:
        start = end = best = 0
        for first in range(len(rest)):
            while end < len(rest) and place(rest[end]) - place(rest[first]) <= slack:
                end += 1
            if end - first > best:
                start, best = first, end - first
        yield rest[start : start + best]
        rest = rest[:start] + rest[start + best :]


def find_evenly_spaced_ticks(ticks: Sequence[FigureLine], place: Coordinate, slack: float) -> list[FigureLine]:
    """Return the largest part of `ticks` whose numbers, or their logarithms, are linear in their places, sorted by place."""
    ordered = sorted(ticks, key=place)
    places = [place(tick) for tick in ordered]
    best: list[int] = []
    for values, fewest in _list_readings(ordered):
        for first, start in enumerate(values):
            for second in range(first + 1, min(first + 1 + NEIGHBOURS, len(values))):
                if values[second] != start:
                    pace = (places[second] - places[first]) / (values[second] - start)
                    fits = [n for n, v in enumerate(values) if abs(places[first] + pace * (v - start) - places[n]) <= slack]
                    best = fits if len({values[n] for n in fits}) >= max(fewest, len(best) + 1) else best
    return [ordered[n] for n in best]


def _list_readings(ticks: Sequence[FigureLine]) -> Iterator[tuple[list[float], int]]:
    """Yield values that the ticks may have, with points or commas before decimals, their logarithms, and how many must fit."""
    for point in ".,":
        values = [parse_value(tick.text, point) for tick in ticks]
        yield values, TICKS
        if values and min(values) > 0:
            powers = [math.log10(value) for value in values]
            yield powers, TICKS if all(power.is_integer() for power in powers) else TICKS + 1


WRAPPED = 1.3
"""Largest distance from one line of a name to its next, in type sizes."""
TIGHT = 1.4
"""The same for names at the left, where no axis title is in between."""
SAME = 1.1
"""Distances between lines whose ratio is smaller are the same."""
SPREAD = 0.2
"""Smallest share of the figure's width that ticks or names below a chart cover."""
HALF = 0.5
"""Share of the figure's width that names at the left may take, if no ticks show where they end."""


class Axes(NamedTuple):
    """The ticks of the horizontal axis, left to right, and of vertical axes, top to bottom, and names in place of ticks.

    Each name is a list of its lines.
    """

    row: list[FigureLine]
    columns: list[list[FigureLine]]
    names: list[list[FigureLine]]

    @property
    def lines(self) -> set[FigureLine]:
        """Return all of them."""
        return {*self.row, *(line for group in (*self.columns, *self.names) for line in group)}

    @property
    def below(self) -> list[FigureLine]:
        """Return the ticks or names below the chart."""
        return self.row or ([] if self._names_are_beside else [line for name in self.names for line in name])

    @property
    def beside(self) -> list[FigureLine]:
        """Return the ticks or names beside the chart."""
        names = self.names if self._names_are_beside else []
        return [line for group in (*self.columns, *names) for line in group]

    @property
    def _names_are_beside(self) -> bool:
        first, last = (self.names[0][0], self.names[-1][0]) if self.names else (None, None)
        return bool(first and last and last.y - first.y > abs(last.x - first.x))


def find_axes(lines: Sequence[FigureLine], size: tuple[float, float], unit: float) -> Axes:
    """Return the axes among the lines of a chart of `size` (width, height) whose usual type size is `unit`."""
    columns = _find_columns([line for line in lines if is_number(line)], size[1], unit)
    taken = {tick for column in columns for tick in column}
    rest = [line for line in lines if line not in taken]
    floor = max((tick.y + SLACK * unit for tick in taken), default=size[1] / 2)
    rows = [row for row in _find_rows([line for line in rest if line.y > floor], unit) if len(row) > 1]
    row = _find_first_row(rows, size[0], unit) if columns else _find_widest_row(rows, size[0], unit)
    columns = _drop_data_labels(columns, row, unit)
    if row and not all(map(is_tick, row)):
        return Axes([], columns, _join_wrapped(row, rest))
    if columns:
        return Axes(row, columns, [])
    right, bottom = (row[0].x + unit, min(tick.box[1] for tick in row)) if row else (HALF * size[0], size[1])
    names = _find_names_beside([line for line in rest if line.box[2] <= right and line.box[3] <= bottom], unit)
    if names and all(len(name) == 1 and is_tick(name[0]) for name in names):
        return Axes(row, [[line for name in names for line in name]], [])
    return Axes(row, [], names)


def _find_columns(numbers: Sequence[FigureLine], height: float, unit: float) -> list[list[FigureLine]]:
    """Return the ticks of vertical axes: aligned at the right, at the left or in the middle."""
    sides: tuple[Coordinate, ...] = (lambda line: line.box[2], lambda line: line.box[0], lambda line: line.x)
    found = []
    for side in sides:
        for group in group_aligned(numbers, side, unit * SLACK * 2):
            column = find_evenly_spaced_ticks(group, lambda line: line.y, unit * SLACK)
            if len(column) >= TICKS and 2 * len(column) >= len(group) and _is_tall(column, height, unit):
                found.append(column)
    kept: list[list[FigureLine]] = []
    for column in sorted(found, key=len, reverse=True):
        if not any(tick in other for other in kept for tick in column):
            kept.append(column)
    return sorted(kept, key=lambda column: column[0].x)


def _is_tall(column: Sequence[FigureLine], height: float, unit: float) -> bool:
    """Return whether numbers are as far apart as ticks; those of a legend are nearer."""
    span = column[-1].y - column[0].y
    return span >= height / 2 or span / (len(column) - 1) >= 2 * unit


def _drop_data_labels(columns: list[list[FigureLine]], row: Sequence[FigureLine], unit: float) -> list[list[FigureLine]]:
    """Return the columns without data labels: numbers inside the chart that are not level with the first column's ticks."""
    heights = [tick.y for tick in columns[0]] if columns else []
    return [
        column
        for column in columns
        if not row
        or not row[0].x < column[0].x < row[-1].x
        or all(any(abs(tick.y - height) <= SLACK * unit for height in heights) for tick in column)
    ]


def _find_rows(lines: Sequence[FigureLine], unit: float) -> list[list[FigureLine]]:
    """Return the lines in rows, from the top down. Rotated lines belong to one row if they start at the same height."""
    level = group_aligned([line for line in lines if not line.turn], lambda line: line.y, unit * SLACK * 2)
    hanging = group_aligned([line for line in lines if line.turn], lambda line: line.box[1], unit)
    rows = [sorted(row, key=lambda line: line.x) for row in (*level, *hanging)]
    return sorted(rows, key=lambda row: row[0].box[1])


def _find_first_row(rows: Sequence[list[FigureLine]], width: float, unit: float) -> list[FigureLine]:
    """Return the first row below vertical axes: its ticks, without other text beside them, or its names."""
    for row in rows:
        ticks = _find_ticks(row, unit)
        if ticks and ticks[-1].x - ticks[0].x >= SPREAD * width:
            return ticks
        if _are_names(row, width):
            return row
    return []


def _find_widest_row(rows: Sequence[list[FigureLine]], width: float, unit: float) -> list[FigureLine]:
    """Return the row with the most ticks, or the first row of names."""
    ticks = max((_find_ticks(row, unit) for row in rows), key=len, default=[])
    if len(ticks) >= TICKS:
        return ticks
    return next((row for row in rows if len(row) >= TICKS and _are_names(row, width)), [])


def _find_ticks(row: Sequence[FigureLine], unit: float) -> list[FigureLine]:
    """Return the numbers of a row whose places fit their values; else the whole row if its numbers rise or it has dates."""
    numbers = find_evenly_spaced_ticks([line for line in row if is_number(line)], lambda line: line.x, unit * SLACK)
    if len(numbers) >= TICKS and 2 * len(numbers) >= len(row):
        return numbers
    if all(map(is_number, row)):
        values = [parse_value(line.text) for line in row]
        return list(row) if all(value < later for value, later in pairwise(values)) else []
    return list(row) if all(map(is_tick, row)) else []


def _are_names(row: Sequence[FigureLine], width: float) -> bool:
    """Return whether the lines of a row are words far apart and evenly spaced, as the bars that they name."""
    return _are_lettered(row) and row[-1].x - row[0].x >= SPREAD * width and _are_regular([line.x for line in row])


def _are_lettered(lines: Sequence[FigureLine]) -> bool:
    lettered = [line for line in lines if any(map(str.isalpha, line.text)) or (is_tick(line) and not is_number(line))]
    return 4 * len(lettered) >= 3 * len(lines)


def _are_regular(places: Sequence[float]) -> bool:
    """Return whether most gaps between places are equal."""
    gaps = [later - place for place, later in pairwise(places)]
    usual = median(gaps)
    return 3 * sum(abs(gap - usual) <= usual / 3 for gap in gaps) >= 2 * len(gaps)


def _join_wrapped(row: Sequence[FigureLine], lines: Sequence[FigureLine]) -> list[list[FigureLine]]:
    """Return each name of a row, joined with the lines below that continue it.

    A line continues a name if it is no wider than the space between names.
    """
    room = min(later.x - name.x for name, later in pairwise(row))
    narrow = sorted((line for line in lines if line.box[2] - line.box[0] <= room and not line.turn), key=lambda line: line.y)
    return [_join_lines_below(name, narrow) for name in row]


def _join_lines_below(name: FigureLine, lines: Sequence[FigureLine]) -> list[FigureLine]:
    found = [name]
    for line in lines:
        if 0 < line.y - found[-1].y <= WRAPPED * name.size and abs(line.x - name.x) <= name.size / 2 and not is_number(line):
            found.append(line)
    return found


def _find_names_beside(lines: Sequence[FigureLine], unit: float) -> list[list[FigureLine]]:
    """Return names in one column, as in a chart of horizontal bars. Lines of one name are nearer together."""
    beside = [line for line in lines if not line.turn and not is_number(line)]
    sides: tuple[Coordinate, ...] = (lambda line: line.box[2], lambda line: line.box[0], lambda line: line.x)
    column = max((next(group_aligned(beside, side, unit * SLACK * 2), []) for side in sides), key=len)
    if len(column) < 2 or not _are_lettered(column):
        return []
    left, right = min(line.box[0] for line in column), max(line.box[2] for line in column)
    inside = sorted((line for line in beside if left <= line.x <= right), key=lambda line: line.y)
    runs = [
        _find_longest_run(names)
        for names in (_split_by_nearness(inside), _split_by_distance(inside), [[line] for line in inside])
    ]
    longest = max(runs, key=len)
    return longest if len(longest) > 1 else []


def _split_by_nearness(lines: Sequence[FigureLine]) -> list[list[FigureLine]]:
    """Return names whose lines are nearer together than other lines."""
    nearest = min(later.y - line.y for line, later in pairwise(lines))
    names = [[lines[0]]]
    for line in lines[1:]:
        before = names[-1][-1]
        if line.y - before.y <= min(TIGHT * line.size, SAME * nearest) and same_size(line, before):
            names[-1].append(line)
        else:
            names.append([line])
    return names


def _split_by_distance(lines: Sequence[FigureLine]) -> list[list[FigureLine]]:
    """Return names with as many lines each as make them evenly spaced, if lines are as far apart as names may be."""
    gaps = [later.y - line.y for line, later in pairwise(lines)]
    usual = median([gap for gap in gaps if gap > TIGHT * lines[0].size] or gaps)
    names = [[lines[0]]]
    rest = list(lines[1:])
    while rest:
        due = _compute_middle(names[-1]) + usual
        tight = next((n for n, (line, later) in enumerate(pairwise(rest), 1) if later.y - line.y > TIGHT * line.size), len(rest))
        name = min((rest[:n] for n in range(1, tight + 1)), key=lambda name: abs(_compute_middle(name) - due))
        names.append(name)
        rest = rest[len(name) :]
    return names


def _compute_middle(name: Sequence[FigureLine]) -> float:
    return (name[0].y + name[-1].y) / 2


def _find_longest_run(names: Sequence[list[FigureLine]]) -> list[list[FigureLine]]:
    """Return the longest run of names that are evenly spaced below each other."""
    if len(names) < 2:
        return []
    centres = [_compute_middle(name) for name in names]
    usual = median(later - centre for centre, later in pairwise(centres))
    runs = [[names[0]]]
    for n, name in enumerate(names[1:]):
        if abs(centres[n + 1] - centres[n] - usual) > usual / 4:
            runs.append([])
        runs[-1].append(name)
    return max(runs, key=len)
