"""Rectangles as (x0, y0, x1, y1): x to the right, y downwards."""

from collections.abc import Iterable
from math import inf

from schemas.records import BBox, Element

Box = tuple[float, float, float, float]
MOSTLY = 0.5
"""A box of which a larger share lies in another one is there."""


def area(box: Box) -> float:
    """Return the area, 0 for an empty or inverted rectangle."""
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def common(a: Box, b: Box) -> Box:
    """Return the intersection of both; its area is 0 if they do not overlap."""
    return max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])


def clamped(box: Box, outer: Box) -> Box:
    """Return the part of `box` in `outer`. A box outside becomes a line or a point on the edge.

    >>> clamped((-2, 5, 8, 12), (0, 0, 10, 10)), clamped((11, 5, 12, 7), (0, 0, 10, 10))
    ((0, 5, 8, 10), (10, 5, 10, 7))
    """
    x0, y0, x1, y1 = box
    left, top, right, bottom = outer
    return max(left, min(x0, right)), max(top, min(y0, bottom)), min(right, max(x1, left)), min(bottom, max(y1, top))


def share(inner: Box, outer: Box) -> float:
    """Return the share of `inner` that is in `outer`, in [0, 1]; 0 if `inner` has no area."""
    return area(common(inner, outer)) / area(inner) if area(inner) else 0.0


def union(boxes: Iterable[Box]) -> Box:
    """Return the smallest rectangle around `boxes`, which must not be empty."""
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def mirrored(box: Box) -> Box:
    """Return the rectangle as a mirror beside x = 0 shows it: the right one of two becomes the left one."""
    return -box[2], box[1], -box[0], box[3]


def centre(box: Box) -> tuple[float, float]:
    """Return the point in the middle."""
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def holds(box: Box, point: tuple[float, float]) -> bool:
    """Return whether `point` is in `box`, edges included."""
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def grown(box: Box, dx: float, dy: float) -> Box:
    """Return `box` extended by `dx` on the left and right, and by `dy` above and below."""
    return box[0] - dx, box[1] - dy, box[2] + dx, box[3] + dy


def gaps_across(boxes: Iterable[Box]) -> list[tuple[float, float]]:
    """Return where the white spaces that no box is over start and end along x, from left to right.

    >>> gaps_across([(30, 0, 50, 9), (0, 0, 10, 9), (5, 9, 12, 20), (40, 9, 45, 20)])
    [(12, 30)]
    """
    found: list[tuple[float, float]] = []
    end = inf
    for x0, x1 in sorted((box[0], box[2]) for box in boxes):
        if x0 > end:
            found.append((end, x0))
        end = max(x1, end) if end < inf else x1
    return found


def scaled(box: Box, factor: float) -> Box:
    """Return `box` with all coordinates multiplied by `factor`."""
    return box[0] * factor, box[1] * factor, box[2] * factor, box[3] * factor


def overlap(a0: float, a1: float, b0: float, b1: float) -> float:
    """Return the share of the shorter of two intervals that is in the other, in [0, 1]; 0 if it has no length."""
    both = (a1 if a1 < b1 else b1) - (a0 if a0 > b0 else b0)
    if both <= 0:
        return 0.0
    shorter = min(a1 - a0, b1 - b0)
    return both / shorter if shorter > 0 else 0.0


def as_struct(box: Box) -> BBox:
    """Return the rectangle as a value of `schemas.types.BOX`."""
    return {"x0": box[0], "y0": box[1], "x1": box[2], "y1": box[3]}


def as_box(struct: BBox) -> Box:
    """Return the rectangle of a value of `schemas.types.BOX`."""
    return struct["x0"], struct["y0"], struct["x1"], struct["y1"]


def box_of(element: Element) -> Box:
    """Return the rectangle of an element that has one.

    Raises:
        ValueError: it has none.
    """
    if element["bbox"] is None:
        raise ValueError(f"an element of kind {element['kind']} has no box: it comes from a format without positions")
    return as_box(element["bbox"])
