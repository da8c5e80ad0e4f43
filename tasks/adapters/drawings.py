"""Drawings of a page: the rules of its tables."""

from collections.abc import Iterator
from typing import Any

from tasks.transforms.geometry import Box
from tasks.transforms.rules import Rule, Rules, merged

THICKEST = 3.0
"""A filled rectangle with a side of at most so many points is a line, not a surface."""
SHORTEST = 3.0
"""A shorter line is a tick, a dash or part of a letter."""


def rules_of(drawings: list[dict[str, Any]]) -> Rules:
    """Return the straight lines among the page's drawings and the edges of boxes.

    Coloured surfaces do not count: they are as often behind every other row, or single words, as behind cells.
    """
    edges = [edge for drawing in drawings for edge in _edges(drawing)]
    across = [Rule((y0 + y1) / 2, x0, x1) for x0, y0, x1, y1 in edges if y1 - y0 < x1 - x0 > SHORTEST]
    down = [Rule((x0 + x1) / 2, y0, y1) for x0, y0, x1, y1 in edges if x1 - x0 < y1 - y0 > SHORTEST]
    return Rules(merged(across), merged(down))


def _edges(drawing: dict[str, Any]) -> Iterator[Box]:
    stroked = "s" in drawing["type"]
    for item in drawing["items"]:
        if item[0] == "l":
            (ax, ay), (bx, by) = item[1:3]
            box = min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)
            if stroked and min(box[2] - box[0], box[3] - box[1]) < 1:
                yield box
        elif item[0] == "re":
            yield from _of_rectangle(tuple(item[1]), stroked)


def _of_rectangle(box: Box, stroked: bool) -> Iterator[Box]:
    x0, y0, x1, y1 = box
    if min(x1 - x0, y1 - y0) <= THICKEST:
        yield box
    elif stroked:
        yield from ((x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1))
