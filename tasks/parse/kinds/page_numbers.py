"""Page numbers: the outermost text at the top or bottom of a page, whatever the layout model takes it for."""

from collections.abc import Sequence
from dataclasses import replace

from tasks.parse.layout.geometry import Box
from tasks.parse.layout.page_edges import MARGIN, PAGE_NUMBER
from tasks.parse.layout.regions import Region


def with_page_numbers(regions: Sequence[Region], page: Box) -> list[Region]:
    """Return the regions of a page with a number of pages, alone at its very top or bottom, as furniture."""
    return [replace(region, kind="furniture") if _is_number(region, regions, page) else region for region in regions]


def _is_number(region: Region, regions: Sequence[Region], page: Box) -> bool:
    if not region.words or not PAGE_NUMBER.match(" ".join(word.text for word in region.words)):
        return False
    margin = MARGIN * (page[3] - page[1])
    others = [other.box for other in regions if other is not region and other.words and not _level(other.box, region.box)]
    low = region.box[1] > page[3] - margin and all(box[3] <= region.box[1] for box in others)
    high = region.box[3] < page[1] + margin and all(box[1] >= region.box[3] for box in others)
    return bool(others) and (low or high)


def _level(a: Box, b: Box) -> bool:
    """Return whether two boxes are at one height."""
    return min(a[3], b[3]) - max(a[1], b[1]) > 0.5 * min(a[3] - a[1], b[3] - b[1])
