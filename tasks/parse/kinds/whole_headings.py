"""Whole headings: headings that the layout model cuts at the ends of their lines."""

from collections.abc import Iterable
from dataclasses import replace

from schemas.tables.elements import HEADINGS
from tasks.parse.kinds.headings import is_upright, text_of
from tasks.parse.kinds.thresholds import ALIGNED
from tasks.parse.layout.captions import LABEL
from tasks.parse.layout.geometry import union
from tasks.parse.layout.levels import scheme_of
from tasks.parse.layout.regions import Region
from tasks.parse.layout.words import Word

BETWEEN_LINES, INSIDE = 0.75, 1.25
"""Largest gap between two lines of one heading, in type sizes, and where the lower begins in small letters: no heading does."""
MONO = 1.25
"""Largest difference in size, as a factor, between fixed-width and other words of one line."""


def with_whole_headings(regions: Iterable[Region]) -> list[Region]:
    """Return the regions of a page, in reading order, with the lines of one heading as one region.

    They follow each other in one type, but for code in them, close and aligned, and no number or end of a sentence stands
    between them. The second line of a caption that begins with a label is no heading either.
    """
    found: list[Region] = []
    for region in regions:
        if found and _goes_on(found[-1], region):
            first = found[-1]
            found[-1] = replace(first, box=union((first.box, region.box)), words=[*first.words, *region.words])
        else:
            found.append(region)
    return found


def _goes_on(above: Region, below: Region) -> bool:
    if not all(region.words and is_upright(region) for region in (above, below)) or below.kind not in HEADINGS:
        return False
    if above.kind not in HEADINGS and not (above.kind == "caption" and LABEL.match(text_of(above))):
        return False
    last, first = above.words[-1], below.words[0]
    inks = {word.ink for word in above.words} & {word.ink for word in below.words}
    if not inks or not _is_one_type(last, first):
        return False
    if last.text.endswith((".", ":", ";", "!", "?")) or scheme_of(text_of(below))[0] or LABEL.match(text_of(below)):
        return False
    upper, lower = union(word.box for word in above.words), union(word.box for word in below.words)
    aligned = (
        abs(upper[0] - lower[0]) <= ALIGNED * first.size
        or abs(upper[0] + upper[2] - lower[0] - lower[2]) <= 2 * ALIGNED * first.size
    )
    most = INSIDE if first.text[0].islower() and not first.mono else BETWEEN_LINES
    return aligned and -ALIGNED * first.size <= lower[1] - upper[3] <= most * first.size


def _is_one_type(last: Word, first: Word) -> bool:
    """Return whether two words are in one size and weight. Fixed-width words among others may be in another."""
    if last.mono != first.mono:
        return max(last.size, first.size) <= MONO * min(last.size, first.size)
    return (round(last.size * 2), last.bold) == (round(first.size * 2), first.bold)
