"""Bars and boxes that lie: a row for each recipe, so that names can be read and any number of them fits below another."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tasks.evaluate.report.charts.scale import Scale, format_number, round_range
from tasks.evaluate.report.charts.shapes import COLOURS, LETTER, RIGHT, WIDTH, drawing, escape_line, shape, text, title

NAMES = 114.0
"""Width of the column of names."""

ROW, FOOT = 20.0, 36.0
LONGEST_NAME = 16

INK = ("#fff", "#000", "#fff", "#000", "#000", "#000", "#fff")
"""Colours of letters that can be read on COLOURS."""


class BoxFigures(NamedTuple):
    """A box plot: quartiles, whiskers at the last values within 1.5 box lengths of the box (Tukey), the mean, how many values."""

    low: float
    first: float
    median: float
    third: float
    high: float
    mean: float
    n: int


def box_figures(values: Sequence[float]) -> BoxFigures:
    """Return the figures of a box plot; there must be values.

    >>> box_figures([0, 1, 2, 3, 20])
    BoxFigures(low=0.0, first=1.0, median=2.0, third=3.0, high=3.0, mean=5.2, n=5)
    """
    found = np.asarray(values, dtype=np.float64)
    first, median, third = np.percentile(found, [25, 50, 75]).tolist()
    reach = 1.5 * (third - first)
    near = found[(found >= first - reach) & (found <= third + reach)]
    low, high = min(first, float(near.min())), max(third, float(near.max()))
    return BoxFigures(low, first, median, third, high, float(found.mean()), found.size)


def box_plot(groups: Mapping[str, Mapping[str, Sequence[float]]], x_name: str) -> str:
    """Return a box plot for each group, such as a domain, and in it for each recipe."""
    found = {group: {name: box_figures(values) for name, values in rows.items() if values} for group, rows in groups.items()}
    x = _across(*round_range([v for rows in found.values() for one in rows.values() for v in (one.low, one.high, one.mean)]))
    parts, y = [], 4.0
    for group, rows in found.items():
        parts.append(text(4.0, y + 14, group, 48, class_="group"))
        y += ROW
        for kind, (name, one) in enumerate(rows.items()):
            parts += [_name(name, y), *_box(one, COLOURS[kind % len(COLOURS)], x, y + ROW / 2, name)]
            y += ROW
    return drawing([*_foot(x, y, x_name), *parts], f"{x_name} by group", y + FOOT)


def _box(one: BoxFigures, colour: str, x: Scale, y: float, name: str) -> list[str]:
    words = title(f"{name}: quartiles {one.first:.3f}, {one.median:.3f}, {one.third:.3f}; mean {one.mean:.3f}; n {one.n}")
    left, right = x.at(one.first), x.at(one.third)
    return [
        shape("line", x1=x.at(one.low), x2=x.at(one.high), y1=y, y2=y, class_="axis"),
        shape(
            "rect", words, x=left, y=y - 6, width=max(1.0, right - left), height=12, fill=colour, fill_opacity=0.45, stroke=colour
        ),
        shape("line", x1=x.at(one.median), x2=x.at(one.median), y1=y - 6, y2=y + 6, class_="median"),
        shape("circle", words, cx=x.at(one.mean), cy=y, r=2.5, class_="mean"),
    ]


def stacked_bars(rows: Mapping[str, Mapping[str, int]], kinds: Sequence[str], x_name: str) -> str:
    """Return a bar for each row, made of its counts by kind in the order of `kinds`, each named by a letter; and a legend."""
    x = _across(*round_range([sum(counts.values()) for counts in rows.values()]))._replace(whole=True)
    parts: list[str] = []
    for at, (name, counts) in enumerate(rows.items()):
        y, start = at * ROW, 0
        parts.append(_name(name, y))
        for index, kind in enumerate(kinds):
            if n := counts.get(kind, 0):
                parts += _piece(index, kind, n, (x.at(start), x.at(start + n)), y)
                start += n
    height = len(rows) * ROW
    items = "".join(
        f'<li><b style="background:{COLOURS[at % 7]};color:{INK[at % 7]}">{letter(at)}</b><span>{escape_line(kind)}</span></li>'
        for at, kind in enumerate(kinds)
    )
    return drawing([*_foot(x, height, x_name), *parts], x_name, height + FOOT) + f'<ul class="legend">{items}</ul>'


def letter(at: int) -> str:
    """Return the letter of the `at`-th kind."""
    return chr(ord("A") + at % 26)


def _piece(index: int, kind: str, n: int, ends: tuple[float, float], y: float) -> list[str]:
    left, right = ends
    words = next((words for words in (f"{letter(index)} {n}", letter(index)) if right - left >= (len(words) + 0.5) * LETTER), "")
    colour, ink = COLOURS[index % len(COLOURS)], INK[index % len(COLOURS)]
    bar = shape("rect", title(f"{kind}: {n}"), x=left, y=y + 2, width=right - left, height=ROW - 4, fill=colour, stroke="#fff")
    return [bar, text((left + right) / 2, y + 14, words, text_anchor="middle", fill=ink)] if words else [bar]


def histogram(counts: Sequence[int], step: int, x_name: str, most: int = 32) -> str:
    """Return upright bars of counts, the first of which counts what is below `step`; neighbours are joined if over `most`."""
    last = max((at for at, n in enumerate(counts) if n), default=0) + 1
    joined = -(-last // most)
    bars = [sum(counts[at : at + joined]) for at in range(0, last, joined)]
    width, height = WIDTH - 8 - RIGHT, 70.0
    x = Scale(0, len(bars) * step * joined, 8.0, 8.0 + width)
    top = max(bars) or 1
    parts = [
        shape(
            "rect",
            title(f"{format_number(at * step * joined)} to {format_number((at + 1) * step * joined - 1)}: {format_number(n)}"),
            x=x.at(at * step * joined),
            y=height * (1 - n / top) + 4,
            width=max(1.0, width / len(bars) - 1),
            height=height * n / top,
            fill=COLOURS[0],
        )
        for at, n in enumerate(bars)
    ]
    return drawing([*_foot(x, height + 4, x_name, grid=False), *parts], x_name, height + 4 + FOOT)


def interval_strip(value: float, low: float, high: float, most: float) -> str:
    """Return a point with its interval on a line from 0 to `most`, for a cell of a table."""
    x = Scale(0, most, 5, 115)
    parts = [
        shape("line", x1=5, x2=115, y1=8, y2=8, class_="grid"),
        shape("line", x1=x.at(low), x2=x.at(high), y1=8, y2=8, stroke=COLOURS[0], stroke_width=3),
        shape("circle", cx=x.at(value), cy=8, r=4, fill=COLOURS[0]),
    ]
    return drawing(parts, f"{value:.3f}, interval {low:.3f} to {high:.3f}", 16, 120)


def _across(low: float, high: float) -> Scale:
    return Scale(low, high, NAMES, WIDTH - RIGHT)


def _name(name: str, y: float) -> str:
    return shape("text", title(name) + escape_line(name, LONGEST_NAME), x=NAMES - 6, y=y + 14, text_anchor="end")


def _foot(x: Scale, y: float, x_name: str, grid: bool = True) -> list[str]:
    parts = [shape("line", x1=x.start, x2=x.end, y1=y, y2=y, class_="axis")]
    for value in x.ticks(6):
        at = x.at(value)
        parts.append(shape("line", x1=at, x2=at, y1=0.0 if grid else y, y2=y + 3, class_="grid"))
        parts.append(text(at, y + 15, format_number(value), text_anchor="middle"))
    return [*parts, text((x.start + x.end) / 2, y + 31, x_name, text_anchor="middle", class_="name")]
