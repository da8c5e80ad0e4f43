"""Points: recipes by two figures each, with the frontier of those that no other recipe beats in both."""

from collections.abc import Sequence
from typing import NamedTuple

from tasks.evaluate.report.charts.scale import round_range
from tasks.evaluate.report.charts.shapes import (
    HEIGHT,
    LEFT,
    LETTER,
    TOP,
    WIDTH,
    drawing,
    frame,
    marker,
    shape,
    text,
    title,
    x_scale,
    y_scale,
)

LOG_FROM = 30.0
"""How many times the smallest value the largest must be for a logarithmic axis."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


class Point(NamedTuple):
    """A recipe: what it is called in a few letters, and in full."""

    x: float
    y: float
    label: str
    name: str


def frontier(points: Sequence[Point], smaller_x: bool = False) -> list[Point]:
    """Return the points that no other one beats: with no smaller y and no smaller x (larger if `smaller_x`), by x.

    >>> a, b, c = Point(1, 5, "a", ""), Point(2, 4, "b", ""), Point(1, 4, "c", "")
    >>> [point.label for point in frontier([a, b, c])], [point.label for point in frontier([a, b, c], smaller_x=True)]
    (['a', 'b'], ['a'])
    """
    sign = 1 if smaller_x else -1
    best: list[Point] = []
    for point in sorted(points, key=lambda point: (sign * point.x, -point.y)):
        if not best or point.y > best[-1].y:
            best.append(point)
    return sorted(best)


def scatter(points: Sequence[Point], x_name: str, y_name: str, smaller_x: bool = False) -> str:
    """Return the points with their frontier as a line. A label that would lie on another one or on a point is left out."""
    xs = [point.x for point in points]
    logarithmic = min(xs) > 0 and max(xs) >= LOG_FROM * min(xs)
    x = x_scale(min(xs) / 1.3, max(xs) * 1.3, True) if logarithmic else x_scale(*round_range(xs, zero=smaller_x))
    y = y_scale(*round_range([point.y for point in points], zero=False))
    best = frontier(points, smaller_x)
    line = " ".join(f"{x.at(point.x):.1f},{y.at(point.y):.1f}" for point in best)
    ordered = [*best, *(point for point in points if point not in best)]
    places = [(x.at(point.x), y.at(point.y)) for point in ordered]
    dots = [
        marker(0 if point in best else 6, *place, 4.0, title(f"{point.name}: {x_name} {point.x:.4g}, {y_name} {point.y:.4g}"))
        for point, place in zip(ordered, places, strict=True)
    ]
    labels = [
        text(left, top, point.label, class_="label")
        for point, (left, top) in zip(ordered, label_places(places, [point.label for point in ordered]), strict=True)
        if left >= 0
    ]
    drawn = [*frame(x, y, x_name, y_name), shape("polyline", points=line, class_="frontier"), *dots, *labels]
    return drawing(drawn, f"{y_name} over {x_name} of {len(points)} recipes")


def label_places(points: Sequence[tuple[float, float]], labels: Sequence[str]) -> list[tuple[float, float]]:
    """Return where labels begin, on their baselines: right of a point, left, above or below; (-1, -1) where none is free."""
    taken: list[Box] = [(x - 4, y - 4, x + 4, y + 4) for x, y in points]
    places = []
    for (x, y), label in zip(points, labels, strict=True):
        wide = LETTER * len(label)
        tried = [(x + 6, y + 4), (x - 6 - wide, y + 4), (x - wide / 2, y - 7), (x - wide / 2, y + 15)]
        boxes = [(left, base - 9, left + wide, base + 2) for left, base in tried]
        free = [at for at, box in enumerate(boxes) if _inside(box) and not any(_overlap(box, other) for other in taken)]
        places.append(tried[free[0]] if free else (-1.0, -1.0))
        if free:
            taken.append(boxes[free[0]])
    return places


def _inside(box: Box) -> bool:
    return box[0] >= LEFT and box[1] >= TOP - 10 and box[2] <= WIDTH and box[3] <= HEIGHT


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
