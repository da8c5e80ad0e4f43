"""Arrangement: gives every word of a page to exactly one region, and puts the regions in reading order."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from schemas.tables.elements import HEADINGS
from tasks.parse.layout.geometry import Box, area, centre, mirrored, share, union
from tasks.parse.layout.reading_order import RegionToOrder, is_leftward, reading_order
from tasks.parse.layout.regions import FIELD, FRAMED, Region
from tasks.parse.layout.words import Word, by_block

TINY_SIDE, TINY_AREA = 24.0, 1500.0
"""Smallest side and area of a picture, in points. Smaller ones are decoration: a bullet, a rule, an icon."""

STRAY = "stray"
"""The role of the region of all words outside the others, until these are paragraphs."""


def without_nested(regions: Sequence[Region], page: Box) -> list[Region]:
    """Drop regions inside another one, except tables and captions in a picture, and all regions in a background picture."""
    kept: list[Region] = []
    for region in sorted(regions, key=lambda region: -area(region.box)):
        if not any(_swallows(outer, region, page) for outer in kept):
            kept.append(region)
    return kept


def _swallows(outer: Region, region: Region, page: Box) -> bool:
    if share(region.box, outer.box) < 0.9:
        return False
    behind = area(outer.box) > area(page) / 2
    return outer.kind != "figure" or not (behind or region.kind in ("table", "caption"))


def with_missed_pictures(
    regions: Sequence[Region], settled: Sequence[Region], pictures: Iterable[Box], page: Box
) -> list[Region]:
    """Return the regions, and `pictures` that touch no region or other picture and are not the page's background as figures."""
    missed: list[Box] = []
    for box in sorted(pictures, key=area, reverse=True):
        others = [*missed, *(region.box for region in (*regions, *settled))]
        alone = all(max(share(box, other), share(other, box)) < 0.1 for other in others)
        if alone and area(box) < 0.9 * area(page):
            missed.append(box)
    return [*regions, *(Region(box, "figure") for box in missed)]


def with_words(regions: Sequence[Region], words: Sequence[Word]) -> list[Region]:
    """Give each word to the smallest region that contains its centre, a framed table first; strays are the last region."""
    smallest_first = sorted(range(len(regions)), key=lambda n: (regions[n].role != FRAMED, area(regions[n].box)))
    places = [(*regions[n].box, n) for n in smallest_first]
    held: list[list[Word]] = [[] for _ in regions]
    strays: list[Word] = []
    for word in words:
        x, y = centre(word.box)
        home = next((n for x0, y0, x1, y1, n in places if x0 <= x <= x1 and y0 <= y <= y1), None)
        (strays if home is None else held[home]).append(word)
    found = [replace(region, words=own) if own else region for region, own in zip(regions, held, strict=True)]
    return [*found, _strays(strays)] if strays else found


def _strays(words: Sequence[Word]) -> Region:
    return Region(union(word.box for word in words), "paragraph", role=STRAY, words=words)


def without_tiny_pictures(regions: Sequence[Region]) -> list[Region]:
    """Return the regions without the tiny ones that have no words; tiny pictures with words are paragraphs."""
    kept = [region for region in regions if region.words or not _is_tiny(region)]
    return [
        replace(region, kind="paragraph", spaced=False) if region.kind == "figure" and _is_tiny(region) else region
        for region in kept
    ]


def _is_tiny(region: Region) -> bool:
    x0, y0, x1, y1 = region.box
    return min(x1 - x0, y1 - y0) < TINY_SIDE or area(region.box) < TINY_AREA


def without_empty(regions: Sequence[Region]) -> list[Region]:
    """Return the regions that have words, and the pictures."""
    return [region for region in regions if region.words or region.kind == "figure"]


def with_stray_paragraphs(regions: Sequence[Region]) -> list[Region]:
    """Return the regions with a paragraph for each block of stray words."""
    blocks = by_block(word for region in regions if region.role == STRAY for word in region.words)
    others = [region for region in regions if region.role != STRAY]
    return [*others, *(Region(union(w.box for w in block), "paragraph", words=block) for block in blocks)]


def in_reading_order(regions: Sequence[Region], frames: Sequence[Box]) -> list[Region]:
    """Return the headers, then the body, then the footers, each in reading order: halves of a header are no columns of text."""
    ends = {"page-header": 0, "page-footer": 2}
    boxes, around = [region.box for region in regions], list(frames)
    if is_leftward(word for region in regions for word in region.words):
        boxes, around = [mirrored(box) for box in boxes], [mirrored(frame) for frame in around]
    shown = [
        RegionToOrder(box, region.kind in HEADINGS, region.role == FIELD) for box, region in zip(boxes, regions, strict=True)
    ]
    parts = [[n for n, region in enumerate(regions) if ends.get(region.role, 1) == end] for end in range(3)]
    return [regions[part[n]] for part in parts for n in reading_order([shown[index] for index in part], around)]
