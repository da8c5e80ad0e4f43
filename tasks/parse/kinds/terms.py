"""Terms of definition lists: to the layout model, each is a heading over its definition."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from tasks.parse.layout.levels import scheme_of
from tasks.parse.layout.lines import LABEL
from tasks.parse.layout.regions import Region

LEAST, MOST = 0.8, 8.0
"""Indent of a definition, in type sizes of the text."""
APART = 0.8
"""Largest space between a term and its definition, in type sizes of the text. Below a heading there is more."""
NO_LARGER = 1.05
"""Largest type of a term, as a multiple of the text's."""
FEWEST = 2
"""Fewest terms of a list on one page."""
ALWAYS = 0.75
"""Share of the page's headings in one type that have an indented text close below them, if they are terms."""


def without_terms(regions: Sequence[Region], body: float | None) -> list[Region]:
    """Return the regions of a page, in reading order, with the terms of definition lists as paragraphs.

    A term is no larger than the text, and the next text is indented and close below it. So is the text below some headings, but
    not below most of one type on a page. Headings with a number, in capitals, as in manual pages, or with a colon, which
    introduce a list, are no terms.
    """
    if not body:
        return list(regions)
    defined = {n for n, (head, text) in enumerate(pairwise(regions)) if _defines(head, text, body)}
    alike: dict[tuple[float, bool], list[int]] = defaultdict(list)
    for n, region in enumerate(regions):
        if region.kind == "heading" and region.words:
            alike[_type(region)].append(n)
    terms = {n for places in alike.values() if _are_terms(places, defined) for n in places if n in defined}
    return [replace(region, kind="paragraph") if n in terms else region for n, region in enumerate(regions)]


def _are_terms(places: Sequence[int], defined: set[int]) -> bool:
    found = len(defined.intersection(places))
    return found >= FEWEST and found >= ALWAYS * len(places)


def _type(region: Region) -> tuple[float, bool]:
    return round(region.words[0].size * 2) / 2, region.words[0].bold


def _defines(head: Region, text: Region, body: float) -> bool:
    """Tell whether `text` stands below `head` as a definition below its term. An indented list stands below a heading."""
    if head.kind != "heading" or text.kind != "paragraph" or not head.words or not text.words:
        return False
    if LABEL.match(text.words[0].text):
        return False
    name = " ".join(word.text for word in head.words)
    if name.isupper() or name.endswith(":") or scheme_of(name)[0] or max(word.size for word in head.words) > NO_LARGER * body:
        return False
    left, bottom = min(word.box[0] for word in head.words), max(word.box[3] for word in head.words)
    indent, gap = min(word.box[0] for word in text.words) - left, min(word.box[1] for word in text.words) - bottom
    return LEAST * body <= indent <= MOST * body and gap <= APART * body
