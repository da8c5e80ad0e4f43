"""Reading order: regions of a page from top to bottom, column by column."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tasks.parse.layout.geometry import Box, area, share, union
from tasks.parse.layout.prose import is_right_to_left
from tasks.parse.layout.words import Word, by_line

SLACK = 2.0
"""Points by which neighbouring regions may overlap and still count as apart."""

MOSTLY = 0.9
"""A frame holds a region if it contains at least this share of it. One that holds a lesser part of a region is decoration."""

MOST_FRAMES = 200
"""Most boxes of a page that are searched for regions, the largest. Hundreds of small ones are the cells of tables."""

LEAST_LEFTWARD = 0.15
"""Least share of a page's words from right to left, if it has more others, for it to be read in that direction."""


FEWEST = 4
"""Fewest regions among which one that reaches over the gutter can be told from one that spans the columns."""


class RegionToOrder(NamedTuple):
    """A region to put in order. `leads` says that it belongs to what is below it, as a heading does."""

    box: Box
    leads: bool = False
    framed: bool = False
    """Whether it is a drawn box with all that stands in it."""
    collides: bool = False
    """Whether it reaches into another region, or that into it."""


def reading_order(regions: Sequence[RegionToOrder], frames: Sequence[Box] = ()) -> list[int]:
    """Return the indices of `regions` in reading order; what stands in one of the `frames`, drawn boxes, is read together.

    The page is cut into horizontal bands at its gaps. Consecutive bands that share a gutter are one set of columns and are
    read column by column. A heading at the end of such a set belongs to what follows. Frames beside each other, such as cards,
    are read row by row.
    """
    over = _colliding([region.box for region in regions])
    marked = [region._replace(collides=n in over) for n, region in enumerate(regions)]
    return _by_frames(list(range(len(regions))), marked, sorted(set(frames), key=area, reverse=True)[:MOST_FRAMES])


def _colliding(boxes: Sequence[Box]) -> set[int]:
    """Return the indices of boxes of which one reaches into another from the left."""
    found: set[int] = set()
    order = sorted(range(len(boxes)), key=lambda n: boxes[n][1])
    for at, n in enumerate(order):
        for other in order[at + 1 :]:
            if boxes[other][1] >= boxes[n][3] - SLACK:
                break
            if _collide(boxes[n], boxes[other]):
                found |= {n, other}
    return found


def _by_frames(indices: list[int], regions: Sequence[RegionToOrder], frames: Sequence[Box]) -> list[int]:
    """Order what stands in frames, the largest first, as one part of the page; `frames` are from large to small."""
    parts: list[tuple[RegionToOrder, list[int], int]] = []
    loose = list(indices)
    for n, frame in enumerate(frames):
        shares = {index: share(regions[index].box, frame) for index in loose}
        inside = [index for index in loose if shares[index] > MOSTLY]
        cut = any(1 - MOSTLY < part <= MOSTLY for part in shares.values())
        if 1 < len(inside) < len(indices) and not cut:
            parts.append((RegionToOrder(frame, framed=True), inside, n))
            loose = [index for index in loose if index not in inside]
    if not parts:
        return _ordered(list(indices), regions)
    items = [*(part for part, _, _ in parts), *(regions[index] for index in loose)]
    members = [*(_by_frames(inside, regions, frames[n + 1 :]) for _, inside, n in parts), *([index] for index in loose)]
    return [index for n in _ordered(list(range(len(items))), items) for index in members[n]]


def _ordered(indices: list[int], regions: Sequence[RegionToOrder]) -> list[int]:
    bands = _groups(indices, regions, axis=1)
    if len(bands) < 2:
        return _by_columns(indices, regions)
    order: list[int] = []
    while bands:
        n = _same_columns(bands, regions)
        together = [index for band in bands[:n] for index in band]
        order += _by_columns(together, regions) if n > 1 else _ordered(together, regions)
        bands = bands[n:]
    return order


def _by_columns(indices: list[int], regions: Sequence[RegionToOrder]) -> list[int]:
    columns = _columns(indices, regions)
    if len(columns) < 2:
        return sorted(indices, key=lambda index: (round(regions[index].box[1]), regions[index].box[0]))
    return [index for column in columns for index in _ordered(column, regions)]


def _columns(indices: Sequence[int], regions: Sequence[RegionToOrder]) -> list[list[int]]:
    """Split at the gaps along x. What is too long for its column and is printed over the next one is in the one it begins in."""
    columns = _groups(list(indices), regions, axis=0)
    if len(columns) > 1 or len(indices) < FEWEST:
        return columns
    over = [index for index in indices if regions[index].collides]
    columns = _groups([index for index in indices if not regions[index].collides], regions, axis=0) if over else columns
    if len(columns) < 2:
        return [list(indices)]
    lefts = [min(regions[index].box[0] for index in column) for column in columns]
    for index in over:
        columns[max((n for n, left in enumerate(lefts) if left <= regions[index].box[0] + SLACK), default=0)].append(index)
    return columns


def _collide(a: Box, b: Box) -> bool:
    """Return whether `a` reaches from the left into `b`, or `b` into `a`."""
    if min(a[3], b[3]) - max(a[1], b[1]) <= SLACK:
        return False
    left, right = (a, b) if a[0] < b[0] else (b, a)
    return left[0] + SLACK < right[0] and right[0] + SLACK < left[2] < right[2]


def _groups(indices: list[int], regions: Sequence[RegionToOrder], axis: int) -> list[list[int]]:
    """Split at the gaps along x (0) or y (1)."""
    groups: list[list[int]] = []
    end = float("-inf")
    for index in sorted(indices, key=lambda index: regions[index].box[axis]):
        box = regions[index].box
        if box[axis] >= end - min(SLACK, (box[axis + 2] - box[axis]) / 4):
            groups.append([])
        groups[-1].append(index)
        end = max(end, box[axis + 2])
    return groups


def _same_columns(bands: list[list[int]], regions: Sequence[RegionToOrder]) -> int:
    """Count the first bands that form one set of columns, at least 1."""
    together = list(bands[0])
    columns = _columns(together, regions)
    if len(columns) < 2:
        return 1
    if _is_row(bands[0], regions):
        return 1
    n = 1
    while n < len(bands) and not _is_row(bands[n], regions) and len(_columns(together + bands[n], regions)) == len(columns):
        together += bands[n]
        n += 1
    while n > 1 and n < len(bands) and all(regions[index].leads for index in bands[n - 1]) and len(bands[n - 1]) == 1:
        n -= 1
    return n


def _is_row(band: Sequence[int], regions: Sequence[RegionToOrder]) -> bool:
    """Return whether a band is a row of frames."""
    return len(band) > 1 and all(regions[index].framed for index in band)


def is_leftward(words: Iterable[Word]) -> bool:
    """Return whether a page is read from right to left: most of its letters are, or many, and its lines begin at one right edge.

    A page in Arabic may quote more English than it has Arabic; its English paragraphs are aligned at the right then.
    """
    words = list(words)
    foreign = [word for word in words if not word.text.isascii()]
    if not foreign or is_right_to_left("".join(word.text for word in words)):
        return bool(foreign)
    if sum(is_right_to_left(word.text) for word in foreign) < LEAST_LEFTWARD * len(words):
        return False
    boxes = [union(word.box for word in line) for line in by_line(words)]
    lefts, rights = (Counter(round(box[edge]) for box in boxes) for edge in (0, 2))
    return sum(n * n for n in rights.values()) > sum(n * n for n in lefts.values())
