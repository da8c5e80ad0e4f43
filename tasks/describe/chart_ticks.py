"""Ticks of axes: numbers, dates and ranges, and which of them are at the places that fit their values."""

import math
import re
from collections.abc import Callable, Iterator, Sequence

from tasks.parse.layout.figure_lines import FigureLine

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


def is_name(line: FigureLine) -> bool:
    """Return whether the line is made of words."""
    return sum(map(str.isalpha, line.text)) > 1 and not is_number(line)


def value_of(text: str, point: str = ".") -> float:
    """Return the number that the text of a tick means.

    >>> value_of("1,500"), value_of("-20 %"), value_of("2k"), value_of("10^-2"), value_of("1.500", ",")
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


def aligned(lines: Sequence[FigureLine], place: Coordinate, slack: float) -> Iterator[list[FigureLine]]:
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


def even(ticks: Sequence[FigureLine], place: Coordinate, slack: float) -> list[FigureLine]:
    """Return the largest part of `ticks` whose numbers, or their logarithms, are linear in their places, sorted by place."""
    ordered = sorted(ticks, key=place)
    places = [place(tick) for tick in ordered]
    best: list[int] = []
    for values, fewest in _readings(ordered):
        for first, start in enumerate(values):
            for second in range(first + 1, min(first + 1 + NEIGHBOURS, len(values))):
                if values[second] != start:
                    pace = (places[second] - places[first]) / (values[second] - start)
                    fits = [n for n, v in enumerate(values) if abs(places[first] + pace * (v - start) - places[n]) <= slack]
                    best = fits if len({values[n] for n in fits}) >= max(fewest, len(best) + 1) else best
    return [ordered[n] for n in best]


def _readings(ticks: Sequence[FigureLine]) -> Iterator[tuple[list[float], int]]:
    """Yield values that the ticks may have, with points or commas before decimals, their logarithms, and how many must fit."""
    for point in ".,":
        values = [value_of(tick.text, point) for tick in ticks]
        yield values, TICKS
        if values and min(values) > 0:
            powers = [math.log10(value) for value in values]
            yield powers, TICKS if all(power.is_integer() for power in powers) else TICKS + 1
