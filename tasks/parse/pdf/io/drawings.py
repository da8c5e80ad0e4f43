"""Drawings of a page: the rules of its tables."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tasks.parse.layout.clusters import clusters_of
from tasks.parse.layout.geometry import Box, area, union
from tasks.parse.layout.raw_page import Drawing
from tasks.parse.layout.rules import Rule, Rules, beside_each_other, enclosed, merged

if TYPE_CHECKING:
    import pymupdf

NARROWEST_BOX = 30.0
"""Smallest side, in points, of a box that holds several parts of a page."""
Point = tuple[float, float]
THICKEST = 3.0
"""A filled rectangle with a side of at most this many points is a line, not a surface."""
WHITE = 0.985
"""Least share of every colour in a surface that counts as white."""
SHORTEST = 3.0
"""A shorter line is a tick, a dash or part of a letter."""

MAX_VECTORS = 2000
"""With more drawn paths, drawings are not searched for pictures that the layout model missed."""
SMALLEST_DRAWN = 30
"""A group of drawings that is not wider and higher than this many points is no picture."""


def rules_of(drawings: Sequence[Drawing]) -> Rules:
    """Return the straight lines among the page's drawings, the edges of boxes, and apart from them coloured surfaces.

    The edges of these are no rules, because they are often behind single words.
    """
    edges = [edge for drawing in drawings for edge in _edges(drawing)]
    across = [Rule((y0 + y1) / 2, x0, x1) for x0, y0, x1, y1 in edges if y1 - y0 < x1 - x0 > SHORTEST]
    down = [Rule((x0 + x1) / 2, y0, y1) for x0, y0, x1, y1 in edges if x1 - x0 < y1 - y0 > SHORTEST]
    return Rules(
        merged(across), merged(down), beside_each_other(surface for drawing in drawings for surface in _surfaces(drawing))
    )


def _surfaces(drawing: Drawing) -> list[Box]:
    """Return the coloured rectangles of a drawing."""
    fill = drawing.get("fill")
    if "f" not in drawing["type"] or not fill or min(fill) > WHITE or _border(drawing):
        return []
    boxes = (box for box in rectangles_of(drawing["items"]) if min(box[2] - box[0], box[3] - box[1]) > THICKEST)
    return [(float(x0), float(y0), float(x1), float(y1)) for x0, y0, x1, y1 in boxes]


def _border(drawing: Drawing) -> Box | None:
    """Return the middle of a border that is filled between two rectangles, one in the other; None for any other drawing."""
    items = drawing["items"]
    if len(items) != 2 or items[0][0] != "re" or items[1][0] != "re":
        return None
    inner, outer = sorted((tuple(item[1]) for item in items), key=area)
    hollow = drawing.get("even_odd") or items[0][2] != items[1][2]
    within = all(
        0 <= far <= THICKEST
        for far in (*(a - b for a, b in zip(inner[:2], outer[:2], strict=True)), outer[2] - inner[2], outer[3] - inner[3])
    )
    x0, y0, x1, y1 = ((a + b) / 2 for a, b in zip(inner, outer, strict=True))
    return (x0, y0, x1, y1) if hollow and within and area(inner) > 0 else None


def boxes_of(drawings: Sequence[Drawing], rules: Rules) -> list[Box]:
    """Return the boxes on the page that may hold text: surfaces and outlines, also with round corners, and what rules enclose."""
    drawn = (box for drawing in drawings for box in rectangles_of(drawing["items"]) or _rounded(drawing))
    return [box for box in (*drawn, *enclosed(rules)) if min(box[2] - box[0], box[3] - box[1]) >= NARROWEST_BOX]


def _rounded(drawing: Drawing) -> list[Box]:
    """Return the box of a path whose lines and curves all end on its sides, as those with round corners do, else nothing."""
    x0, y0, x1, y1 = drawing["rect"]
    bent = [item for item in drawing["items"] if item[0] in ("l", "c")]
    ends = [point for item in bent for point in (item[1], item[-1])]
    on_sides = all(min(abs(x - x0), abs(x - x1), abs(y - y0), abs(y - y1)) < 1 for x, y in ends)
    return [(x0, y0, x1, y1)] if on_sides and len(bent) == len(drawing["items"]) else []


def rectangles_of(items: Sequence[tuple[Any, ...]]) -> list[Box]:
    """Return the upright rectangles that a path consists of, none if it has other parts."""
    plain = [tuple(item[1]) if item[0] == "re" else _around(item[1]) for item in items if item[0] in ("re", "qu")]
    if len(plain) == len(items) and all(item[0] == "re" or _is_straight(item[1]) for item in items):
        return plain
    outlines = _outlines(items) if all(item[0] == "l" for item in items) else []
    return [_around(outline) for outline in outlines] if all(map(_is_upright, outlines)) else []


def _is_upright(outline: Sequence[Point]) -> bool:
    """Return whether an outline goes around an upright rectangle: four sides, each across or down."""
    sides = list(pairwise([*outline, outline[0]] if outline[0] != outline[-1] else outline))
    return len(sides) == 4 and all((a[0] == b[0]) != (a[1] == b[1]) for a, b in sides)


def _edges(drawing: Drawing) -> Iterator[Box]:
    stroked = "s" in drawing["type"]
    border = None if stroked else _border(drawing)
    if border:
        yield from _of_rectangle(border, stroked=True)
        return
    for item in drawing["items"]:
        if item[0] == "l" and stroked:
            yield from _of_line(_around(item[1:3]))
        elif item[0] == "re":
            yield from _of_rectangle(tuple(item[1]), stroked)
        elif item[0] == "qu" and _is_straight(item[1]):
            yield from _of_rectangle(_around(item[1]), stroked)
    if "f" in drawing["type"]:
        yield from (box for box in map(_around, _outlines(drawing["items"])) if min(box[2] - box[0], box[3] - box[1]) <= THICKEST)


def _outlines(items: Iterable[tuple[Any, ...]]) -> list[list[Point]]:
    """Return the corners of surfaces with straight outlines, because rules are also drawn as such."""
    outlines: list[list[Point]] = []
    bent = False
    for item in items:
        if item[0] != "l":
            bent = True
        elif outlines and not bent and outlines[-1][-1] == item[1]:
            outlines[-1].append(item[2])
        else:
            outlines.append([item[1], item[2]])
            bent = False
    return [outline for outline in outlines if len(outline) > 2]


def _around(points: Iterable[Point]) -> Box:
    return union((x, y, x, y) for x, y in points)


def _is_straight(corners: Iterable[Point]) -> bool:
    """Return whether a quadrilateral is a rectangle that is not rotated."""
    x0, y0, x1, y1 = _around(corners)
    return all(min(x - x0, x1 - x) < 1 and min(y - y0, y1 - y) < 1 for x, y in corners)


def _of_line(box: Box) -> Iterator[Box]:
    if min(box[2] - box[0], box[3] - box[1]) < 1:
        yield box


def _of_rectangle(box: Box, stroked: bool) -> Iterator[Box]:
    x0, y0, x1, y1 = box
    if min(x1 - x0, y1 - y0) <= THICKEST:
        yield box
    elif stroked:
        yield from ((x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1))


def drawn_clusters(page: "pymupdf.Page", drawings: Sequence[Drawing]) -> list[Box]:
    """Return the rectangles of groups of drawings on the page."""
    if not 0 < len(drawings) <= MAX_VECTORS:
        return []
    x0, y0, x1, y1 = page.rect
    boxes = [drawing["rect"] for drawing in drawings]
    inside = [box for box in boxes if x0 <= box[0] and y0 <= box[1] and box[2] <= x1 and box[3] <= y1]
    return [box for box in clusters_of(inside) if min(box[2] - box[0], box[3] - box[1]) > SMALLEST_DRAWN]
