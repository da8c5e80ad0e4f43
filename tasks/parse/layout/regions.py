"""Layout: assigns every word of a page to exactly one region, and puts the regions in reading order."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tasks.parse.layout.geometry import Box, area, centre, grown, holds, mirrored, share, union
from tasks.parse.layout.reading_order import RegionToOrder, is_leftward, reading_order
from tasks.parse.layout.rules import NO_RULES, Rules
from tasks.parse.layout.words import Word

TINY_SIDE, TINY_AREA = 24.0, 1500.0
"""Smallest side and area of a picture, in points. Smaller ones are decoration: a bullet, a rule, an icon."""

FRAMED = "framed"
"""The role of a table whose cells are drawn on the page: words in it are its own, whatever else overlaps it."""

FIELD = "field"
"""The role of text that is a field of a form: those beside each other are read row by row."""


@dataclass
class Region:
    """A part of a page of one kind (see `schemas.tables.elements.KINDS`) and the words in it.

    White space may part the cells of a table that is `spaced`; of others only rules show that they are tables.
    """

    box: Box
    kind: str
    spaced: bool = False
    rules: Rules = NO_RULES
    role: str = ""
    words: list[Word] = field(default_factory=list)


def arrange(
    words: Sequence[Word],
    regions: Sequence[Region],
    pictures: Sequence[Box],
    page: Box,
    settled: Sequence[Region] = (),
    frames: Sequence[Box] = (),
) -> list[Region]:
    """Return the regions of a page in reading order, with all `words` assigned to them.

    `pictures` are images and drawings that the layout model may have missed. Words outside all regions become paragraphs. The
    regions `settled` keep the words that they have and get none of `words`. `frames` are boxes drawn around parts of the page.
    """
    kept = _without_nested(regions, page)
    kept += [Region(box, "figure") for box in _missed(pictures, [*kept, *settled], page)]
    strays = _assign(words, kept)
    kept = [_demoted(region) for region in kept if region.words or not _is_tiny(region)]
    kept = [region for region in kept if region.words or region.kind == "figure"]
    kept += _paragraphs(_adopt(strays, kept))
    return _in_order([*kept, *settled], frames)


def _without_nested(regions: Sequence[Region], page: Box) -> list[Region]:
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


def _missed(pictures: Iterable[Box], regions: Sequence[Region], page: Box) -> list[Box]:
    """Return pictures, the largest first, that touch no region and no other picture and are not the page's background."""
    missed: list[Box] = []
    for box in sorted(pictures, key=area, reverse=True):
        others = [*missed, *(region.box for region in regions)]
        alone = all(max(share(box, other), share(other, box)) < 0.1 for other in others)
        if alone and area(box) < 0.9 * area(page):
            missed.append(box)
    return missed


def _assign(words: Sequence[Word], regions: Sequence[Region]) -> list[Word]:
    """Give each word to the smallest region that contains its centre, a framed table first. Return words outside all regions."""
    smallest_first = sorted(regions, key=lambda region: (region.role != FRAMED, area(region.box)))
    places = [(*region.box, region) for region in smallest_first]
    strays: list[Word] = []
    for word in words:
        x, y = centre(word.box)
        home = next((region for x0, y0, x1, y1, region in places if x0 <= x <= x1 and y0 <= y <= y1), None)
        (home.words if home else strays).append(word)
    return strays


def _is_tiny(region: Region) -> bool:
    x0, y0, x1, y1 = region.box
    return min(x1 - x0, y1 - y0) < TINY_SIDE or area(region.box) < TINY_AREA


def _demoted(region: Region) -> Region:
    """Return a paragraph in place of a picture that is too small to keep."""
    if region.kind == "figure" and _is_tiny(region):
        return Region(region.box, "paragraph", role=region.role, words=region.words)
    return region


def _adopt(strays: Sequence[Word], regions: Sequence[Region]) -> list[Word]:
    """Give stray words to the region beside them that has other words of their line. Return those that remain."""
    homes: dict[int, Counter[int]] = defaultdict(Counter)
    for n, region in enumerate(regions):
        for word in region.words:
            homes[word.line][n] += 1
    remaining: list[Word] = []
    for word in strays:
        candidates = [regions[n] for n, _ in homes[word.line].most_common(1)]
        reach = [region for region in candidates if holds(grown(region.box, 2 * word.size, 3), centre(word.box))]
        (reach[0].words if reach else remaining).append(word)
    return remaining


def _paragraphs(words: Iterable[Word]) -> list[Region]:
    blocks: dict[int, list[Word]] = defaultdict(list)
    for word in words:
        blocks[word.block].append(word)
    return [Region(union(w.box for w in block), "paragraph", words=block) for block in blocks.values()]


def _in_order(regions: list[Region], frames: Sequence[Box]) -> list[Region]:
    """Return the headers, then the body, then the footers, each in reading order: halves of a header are no columns of text."""
    ends = {"page-header": 0, "page-footer": 2}
    boxes, around = [region.box for region in regions], list(frames)
    if is_leftward(word for region in regions for word in region.words):
        boxes, around = [mirrored(box) for box in boxes], [mirrored(frame) for frame in around]
    shown = [
        RegionToOrder(box, region.kind in ("heading", "title"), region.role == FIELD)
        for box, region in zip(boxes, regions, strict=True)
    ]
    parts = [[n for n, region in enumerate(regions) if ends.get(region.role, 1) == end] for end in range(3)]
    return [regions[part[n]] for part in parts for n in reading_order([shown[index] for index in part], around)]
