"""Bylines: names and places between a document's title and its text, which the layout model takes for headings."""

from collections.abc import Sequence
from dataclasses import replace

from schemas.tables.elements import HEADINGS
from tasks.parse.kinds.thresholds import SMALLER
from tasks.parse.layout.levels import scheme_of
from tasks.parse.layout.lines import text_of
from tasks.parse.layout.regions import Region

TEXT = 100
"""Fewest characters of a paragraph that is the text of a document. Addresses and dates have fewer."""


def without_bylines(regions: Sequence[Region]) -> list[Region]:
    """Return the regions of a page, in reading order, with headings between its title and its text as paragraphs.

    They have no number, are not bold although a heading below is, and are smaller than the largest heading above them.
    """
    start = next((n for n, region in enumerate(regions) if _is_body(region)), 0)
    last = max((n for n, region in enumerate(regions) if _is_heading(region) and _is_bold(region)), default=0)
    found: list[Region] = []
    title = 0.0
    for n, region in enumerate(regions):
        head = n < start and _is_heading(region)
        size = max((word.size for word in region.words), default=0.0)
        set_apart = n < last and size <= SMALLER * title and not any(word.bold for word in region.words)
        byline = head and set_apart and not scheme_of(text_of(region.words))[0]
        found.append(replace(region, kind="paragraph") if byline else region)
        title = max(title, size) if head else title
    return found


def _is_heading(region: Region) -> bool:
    return region.kind in HEADINGS and bool(region.words)


def _is_body(region: Region) -> bool:
    return region.kind == "paragraph" and sum(len(word.text) for word in region.words) >= TEXT


def _is_bold(region: Region) -> bool:
    return all(word.bold for word in region.words)
