"""Bylines: names and places between a document's title and its text, which the layout model takes for headings."""

from collections.abc import Sequence
from dataclasses import replace

from tasks.parse.kinds.headings import HEADINGS
from tasks.parse.layout.levels import scheme_of
from tasks.parse.layout.lines import text_of
from tasks.parse.layout.regions import Region

TEXT = 100
"""Fewest characters of a paragraph that is the text of a document. Addresses and dates have fewer."""
SMALLER = 0.95
"""Largest type of a byline, as a multiple of the title's."""


def without_bylines(regions: Sequence[Region]) -> list[Region]:
    """Return the regions of a page, in reading order, with headings between its title and its text as paragraphs.

    They have no number, are not bold although headings below are, and are smaller than the largest heading above them.
    """
    start = next((n for n, region in enumerate(regions) if _is_body(region)), len(regions))
    if not any(_is_bold(region) for region in regions[start:] if region.kind in HEADINGS and region.words):
        return list(regions)
    found: list[Region] = []
    title = 0.0
    for n, region in enumerate(regions):
        head = n < start and region.kind in HEADINGS and bool(region.words)
        size = max((word.size for word in region.words), default=0.0)
        byline = head and size <= SMALLER * title and not _has_bold(region) and not scheme_of(text_of(region.words))[0]
        found.append(replace(region, kind="paragraph") if byline else region)
        title = max(title, size) if head else title
    return found


def _is_body(region: Region) -> bool:
    return region.kind == "paragraph" and sum(len(word.text) for word in region.words) >= TEXT


def _is_bold(region: Region) -> bool:
    return all(word.bold for word in region.words)


def _has_bold(region: Region) -> bool:
    return any(word.bold for word in region.words)
