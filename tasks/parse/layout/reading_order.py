"""Reading order: regions of a page from top to bottom, column by column."""

from collections.abc import Sequence
from typing import NamedTuple

from tasks.parse.layout.geometry import Box

SLACK = 2.0
"""Points by which neighbouring regions may overlap and still count as apart."""


class RegionToOrder(NamedTuple):
    """A region to put in order. `leads` says that it belongs to what is below it, as a heading does."""

    box: Box
    leads: bool = False


def reading_order(regions: Sequence[RegionToOrder]) -> list[int]:
    """Return the indices of `regions` in reading order.

    The page is cut into horizontal bands at its gaps. Consecutive bands that share a gutter are one set of columns and are
    read column by column. A heading at the end of such a set belongs to what follows.
    """
    return _ordered(list(range(len(regions))), regions)


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
    columns = _groups(indices, regions, axis=0)
    if len(columns) < 2:
        return sorted(indices, key=lambda index: (round(regions[index].box[1]), regions[index].box[0]))
    return [index for column in columns for index in _ordered(column, regions)]


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
    columns = _groups(together, regions, axis=0)
    if len(columns) < 2:
        return 1
    n = 1
    while n < len(bands) and len(_groups(together + bands[n], regions, axis=0)) == len(columns):
        together += bands[n]
        n += 1
    while n > 1 and n < len(bands) and all(regions[index].leads for index in bands[n - 1]) and len(bands[n - 1]) == 1:
        n -= 1
    return n
