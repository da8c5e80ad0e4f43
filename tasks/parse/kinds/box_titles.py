"""Titles of boxes: lines above a note or an aside in a drawn box, which the layout model takes for headings.

As headings they would begin sections that the text below the box would be part of.
"""

from collections.abc import Sequence
from dataclasses import replace

from tasks.parse.kinds.headings import body_size, text_of
from tasks.parse.kinds.thresholds import NO_LARGER
from tasks.parse.layout.geometry import Box, area, share
from tasks.parse.layout.levels import scheme_of
from tasks.parse.layout.regions import Region

MOSTLY = 0.9
"""Least share of a region in the box that holds it."""
WHOLE = 0.5
"""Largest share of a page's text in a box. One with more holds the page's own headings."""
CARDS = 0.8
"""Share of a page's text in boxes from which on they are cards, whose titles are the page's own headings."""


def without_box_titles(regions: Sequence[Region], frames: Sequence[Box]) -> list[Region]:
    """Return the regions of a page, the first heading in each of `frames`, drawn boxes, as a paragraph if it is a box's title.

    It is no larger than the page's text, is not numbered, and other text stands below it in the smallest box around it. The type
    of a heading outside boxes is that of headings, and boxes with most of the page's text are cards, whose titles are headings.
    """
    body = body_size(regions)
    if body is None or not frames:
        return list(regions)
    total = sum(map(_length, regions))
    frames = [frame for frame in frames if _length_in([frame], regions) < WHOLE * total]
    if _length_in(frames, regions) >= CARDS * total:
        return list(regions)
    boxed = [_is_in(region, frames) for region in regions]
    types = {_type(region) for region, inside in zip(regions, boxed, strict=True) if _is_heading(region) and not inside}
    return [
        replace(region, kind="paragraph")
        if _is_heading(region) and _type(region) not in types and _is_small(region, body) and _tops_a_box(region, regions, frames)
        else region
        for region in regions
    ]


def _length_in(frames: Sequence[Box], regions: Sequence[Region]) -> int:
    """Return how many characters stand in the frames."""
    return sum(_length(region) for region in regions if _is_in(region, frames))


def _is_in(region: Region, frames: Sequence[Box]) -> bool:
    return any(share(region.box, frame) > MOSTLY for frame in frames)


def _is_heading(region: Region) -> bool:
    return region.kind == "heading" and bool(region.words)


def _is_small(head: Region, body: float) -> bool:
    return max((word.size for word in head.words), default=body * 2) <= NO_LARGER * body and not scheme_of(text_of(head))[0]


def _tops_a_box(head: Region, regions: Sequence[Region], frames: Sequence[Box]) -> bool:
    """Return whether a heading is the uppermost text in the smallest box that holds other text too."""
    for frame in sorted(frames, key=area):
        if share(head.box, frame) <= MOSTLY:
            continue
        inside = [region for region in regions if region.words and share(region.box, frame) > MOSTLY]
        if len(inside) > 1:
            return head.box[1] <= min(other.box[1] for other in inside) + 1
    return False


def _length(region: Region) -> int:
    return sum(len(word.text) for word in region.words)


def _type(region: Region) -> tuple[float, bool, str]:
    """Return size in points, weight and font of the first word."""
    word = region.words[0]
    return round(word.size * 2) / 2, word.bold, word.font
