"""Lines: figures over a number, such as a budget or a generation, with their intervals."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from tasks.evaluate.report.charts.points import LOG_FROM
from tasks.evaluate.report.charts.scale import Scale, round_range
from tasks.evaluate.report.charts.shapes import COLOURS, drawing, frame, legend, marker, shape, title, x_scale, y_scale


class CurvePoint(NamedTuple):
    """A figure at `x`, with its interval, and what it is in words."""

    x: float
    y: float
    low: float
    high: float
    name: str


class Series(NamedTuple):
    """A line and what it is called."""

    name: str
    points: list[CurvePoint]


def line_chart(
    series: Sequence[Series],
    x_name: str,
    y_name: str,
    *,
    marks: Sequence[tuple[float, str]] = (),
    bands: bool = True,
    logarithmic: bool = False,
) -> str:
    """Return lines with their points, `bands` for intervals, upright dashed lines at `marks`, and a legend.

    The axis of x is `logarithmic` if so wished, and if the values are positive and far enough apart.
    """
    found = [point for one in series for point in one.points]
    xs = [float(point.x) for point in found]
    logarithmic = logarithmic and min(xs) > 0 and max(xs) >= LOG_FROM * min(xs)
    x = x_scale(min(xs), max(xs), logarithmic, whole=all(map(float.is_integer, xs)))
    heights = [v for point in found for v in ((point.low, point.high) if bands else (point.y,))]
    y = y_scale(*round_range(heights, zero=False))
    parts = frame(x, y, x_name, y_name)
    for at, words in marks:
        parts.append(shape("line", title(words), x1=x.at(at), x2=x.at(at), y1=y.start, y2=y.end, class_="mark"))
    for kind, one in enumerate(series):
        parts += _line(kind, one, x, y, bands)
    return drawing(parts, f"{y_name} over {x_name}") + legend([one.name for one in series])


def _line(kind: int, one: Series, x: Scale, y: Scale, bands: bool) -> list[str]:
    colour = COLOURS[kind % len(COLOURS)]
    points = sorted(one.points)
    parts = []
    if bands and len(points) > 1:
        upper = [f"{x.at(point.x):.1f},{y.at(point.high):.1f}" for point in points]
        lower = [f"{x.at(point.x):.1f},{y.at(point.low):.1f}" for point in reversed(points)]
        parts.append(shape("polygon", points=" ".join([*upper, *lower]), fill=colour, opacity=0.2))
    for a, b in pairwise(points):
        parts.append(shape("line", x1=x.at(a.x), y1=y.at(a.y), x2=x.at(b.x), y2=y.at(b.y), stroke=colour, stroke_width=2))
    return [*parts, *(marker(kind, x.at(point.x), y.at(point.y), 3.0, title(point.name)) for point in points)]
