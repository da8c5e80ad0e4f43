"""Scales: numbers to coordinates, and round numbers for axes."""

import math
from collections.abc import Iterable
from typing import NamedTuple

STEPS = (1.0, 2.0, 5.0, 10.0)


class Scale(NamedTuple):
    """Maps `low` to the coordinate `start` and `high` to `end`. What lies outside is put at the nearer end.

    `whole`: what is counted has no fractions, so ticks have none.
    """

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False
    whole: bool = False

    def to_coordinate(self, value: float) -> float:
        """Return the coordinate of a value. If low and high are as good as equal, it is in the middle."""
        if is_range_narrow(self.low, self.high):
            return (self.start + self.end) / 2
        low, high, value = (math.log(v) if self.logarithmic else v for v in (self.low, self.high, self._clamp_value(value)))
        return self.start + (value - low) / (high - low) * (self.end - self.start)

    def _clamp_value(self, value: float) -> float:
        return min(max(value, self.low), self.high)

    def list_ticks(self, most: int = 6) -> list[float]:
        """Return at most `most` round numbers between low and high, ascending."""
        found = (
            list_logarithmic_ticks(self.low, self.high, most) if self.logarithmic else list_round_ticks(self.low, self.high, most)
        )
        return [value for value in found if value.is_integer() or not self.whole]


def is_range_narrow(low: float, high: float) -> bool:
    """Return whether two numbers are too near to each other for an axis between them."""
    return high - low <= 1e-12 * max(abs(low), abs(high), 1e-200)


def choose_tick_step(low: float, high: float, most: int) -> float:
    """Return the smallest of 1, 2 and 5 times a power of ten that cuts the range into fewer than `most` parts."""
    rough = (high - low) / max(1, most - 1)
    power = 10.0 ** math.floor(math.log10(rough))
    return next(step * power for step in STEPS if step * power >= rough * (1 - 1e-9))


def list_round_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return at most `most` round numbers from `low` to `high`, ascending.

    >>> list_round_ticks(0, 1), list_round_ticks(12, 18, 4), list_round_ticks(3, 3)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [12.0, 14.0, 16.0, 18.0], [3.0])
    """
    if is_range_narrow(low, high):
        return [float(low)]
    step = choose_tick_step(low, high, most)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return list(dict.fromkeys(float(f"{at * step:.12g}") for at in range(first, last + 1)))


def list_logarithmic_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return round numbers from `low` to `high`, at most `most`, whose logarithms are about equally far apart.

    >>> list_logarithmic_ticks(1, 1000), list_logarithmic_ticks(3, 40)
    ([1.0, 10.0, 100.0, 1000.0], [5.0, 10.0, 20.0])
    """
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    fine = [float(f"{step * 10.0**power:.12g}") for power in powers for step in STEPS[:3]]
    whole = [float(f"{10.0**power:.12g}") for power in powers]
    inside = [[value for value in values if low <= value <= high] for values in (fine, whole)]
    chosen = inside[0] if len(inside[0]) <= most else inside[1]
    return chosen[:: math.ceil(len(chosen) / most)] if chosen else []


def find_round_range(values: Iterable[float | None], zero: bool = True, most: int = 6) -> tuple[float, float]:
    """Return a round range that holds all `values`, and 0 if `zero`; at least 0 to 1 if all are equal, or there are none.

    >>> find_round_range([0.13, 0.72]), find_round_range([512, 518], zero=False), find_round_range([0.5], zero=False)
    ((0.0, 0.8), (512.0, 518.0), (0.0, 1.0))
    """
    found = [value for value in values if value is not None and math.isfinite(value)]
    ends = [0.0, *found] if zero else found
    low, high = (min(ends), max(ends)) if found else (0.0, 1.0)
    if is_range_narrow(low, high):
        low, high = min(low, 0.0), max(high, 1.0)
    step = choose_tick_step(low, high, most)
    return float(f"{math.floor(low / step + 1e-9) * step:.12g}"), float(f"{math.ceil(high / step - 1e-9) * step:.12g}")


def format_number(value: float) -> str:
    """Return a number for people.

    >>> format_number(0.25), format_number(1234567.0), format_number(0.1 + 0.2), format_number(2.0)
    ('0.25', '1,234,567', '0.3', '2')
    """
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
