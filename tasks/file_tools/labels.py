"""Labels: find places for the numbers of boxes. Labels do not cover each other and, if possible, no content of boxes."""

from collections.abc import Iterator, Sequence

from tasks.parse.layout.geometry import Box, area, common

GAP = 2.0
STEPS = 4
"""How many places are tried along each side of a box. Their distance is the height of a label."""
WORSE_THAN_COVERING = 50.0
"""Cost per unit of area of covering another label. The cost of covering a box is 1."""


def place_labels(boxes: Sequence[Box], sizes: Sequence[tuple[float, float]], canvas: Box) -> list[Box]:
    """Return a place on `canvas` for the label of each box, near the top left corner of the box if that is free.

    `sizes` are the (width, height) of the labels. No label may be larger than the canvas.
    """
    placed: list[Box] = []
    for box, size in zip(boxes, sizes, strict=True):
        able = [_inside(place, canvas) for place in _candidates(box, *size)]
        costs = [(_cost(place, boxes, placed) + n, place) for n, place in enumerate(able)]
        placed.append(min(costs)[1])
    return placed


def _candidates(box: Box, width: float, height: float) -> Iterator[Box]:
    x0, y0, x1, y1 = box
    for step in range(STEPS):
        down = y0 + step * height
        if step and down + height > y1:
            break
        yield x0 - GAP - width, down, x0 - GAP, down + height
        yield x1 + GAP, down, x1 + GAP + width, down + height
    yield x0, y0 - GAP - height, x0 + width, y0 - GAP
    yield x1 - width, y0 - GAP - height, x1, y0 - GAP
    yield x0, y1 + GAP, x0 + width, y1 + GAP + height
    yield x0, y0, x0 + width, y0 + height
    yield x1 - width, y0, x1, y0 + height


def _inside(place: Box, canvas: Box) -> Box:
    dx = max(0.0, canvas[0] - place[0]) - max(0.0, place[2] - canvas[2])
    dy = max(0.0, canvas[1] - place[1]) - max(0.0, place[3] - canvas[3])
    return place[0] + dx, place[1] + dy, place[2] + dx, place[3] + dy


def _cost(place: Box, boxes: Sequence[Box], placed: Sequence[Box]) -> float:
    covered = sum(area(common(place, box)) for box in boxes)
    return covered + WORSE_THAN_COVERING * sum(area(common(place, label)) for label in placed)
