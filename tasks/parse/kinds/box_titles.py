"""Titles of boxes: lines above a note or an aside in a drawn box, which the layout model takes for headings.

As headings they would begin sections that the text below the box would be part of.
"""

from collections.abc import Sequence
from dataclasses import replace

from tasks.parse.kinds.headings import body_size, text_of
from tasks.parse.kinds.set_as_text import NO_LARGER
from tasks.parse.layout.geometry import Box, area, share
from tasks.parse.layout.levels import scheme_of
from tasks.parse.layout.regions import Region

MOSTLY = 0.9
"""Least share of a region in the box that holds it."""
WHOLE = 0.5
"""Largest share of a page's text in a box. One with more holds the page's own headings."""


def without_box_titles(regions: Sequence[Region], frames: Sequence[Box]) -> list[Region]:
    """Return the regions of a page, the first heading in each of `frames`, drawn boxes, as a paragraph if it is a box's title.

    It is no larger than the page's text, is not numbered, and other text stands below it in the smallest box around it. Larger
    type is that of the page's headings.
    """
    body = body_size(regions)
    if body is None or not frames:
        return list(regions)
    total = sum(map(_length, regions))
    return [
        replace(region, kind="paragraph")
        if region.kind == "heading" and _is_small(region, body) and _tops_a_box(region, regions, frames, total)
        else region
        for region in regions
    ]


def _is_small(head: Region, body: float) -> bool:
    return max((word.size for word in head.words), default=body * 2) <= NO_LARGER * body and not scheme_of(text_of(head))[0]


def _tops_a_box(head: Region, regions: Sequence[Region], frames: Sequence[Box], total: int) -> bool:
    """Tell whether a heading is the uppermost text in the smallest box that holds other text too, but not most of the page's."""
    for frame in sorted(frames, key=area):
        if share(head.box, frame) <= MOSTLY:
            continue
        inside = [region for region in regions if region.words and share(region.box, frame) > MOSTLY]
        if len(inside) > 1:
            return sum(map(_length, inside)) < WHOLE * total and head.box[1] <= min(other.box[1] for other in inside) + 1
    return False


def _length(region: Region) -> int:
    return sum(len(word.text) for word in region.words)
