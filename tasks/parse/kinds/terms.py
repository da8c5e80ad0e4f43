"""Terms of definition lists: to the layout model, each is a heading over its definition."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from tasks.parse.kinds.headings import in_capitals, text_of
from tasks.parse.kinds.thresholds import ALIGNED, NO_LARGER
from tasks.parse.layout.geometry import Box, union
from tasks.parse.layout.levels import scheme_of
from tasks.parse.layout.lines import LABEL
from tasks.parse.layout.regions import Region

LEAST, MOST = 0.8, 8.0
"""Indent of a definition, in type sizes of the text."""
APART = 0.8
"""Largest space between a term and its definition, in type sizes of the text. Below a heading there is more."""
FEWEST = 2
"""Fewest terms of a list on one page that show that their type is that of terms."""
ALWAYS = 0.75
"""Share of the page's headings in one type that have an indented text close below them, if they are terms."""
HANGING, CLOSE = 1.5, 0.65
"""Least indent of the definition of a single term, more than first lines have, and largest space above it, in type sizes."""
DIFFERENT = 0.1
"""Least difference, in type sizes, of the spaces below a term and below a heading in its type."""
PROSE = 30
"""Fewest characters of a text whose left edge is that of the page's text."""


def without_terms(regions: Sequence[Region], body: float | None) -> list[Region]:
    """Return the regions of a page, in reading order, with the terms of definition lists as paragraphs.

    A term is no larger than the text, and the next text, or a term in its type, is indented and close below it. So is the text
    below some headings, but not below most of one type on a page, and not where other text is at the left edge of the headings.
    Headings with a number, in capitals, as in manual pages, or with a colon, which introduce a list, are no terms, but for those
    in capitals that are set as several terms are.
    """
    if not body:
        return list(regions)
    defined = {n for n, (head, text) in enumerate(pairwise(regions)) if _defines(head, text, body)}
    alike: dict[tuple[float, bool], list[int]] = defaultdict(list)
    for n, region in enumerate(regions):
        if region.kind == "heading" and region.words and _may_be_term(region, body):
            alike[_type(region)].append(n)
    terms: set[int] = set()
    for places in alike.values():
        found = defined.intersection(places)
        many = len(found) >= FEWEST and len(found) >= ALWAYS * len(places)
        terms |= found if many else _single(regions, found, set(places) - found, defined)
    terms |= _in_capitals(regions, terms, body)
    return [replace(region, kind="paragraph") if n in terms else region for n, region in enumerate(regions)]


def _single(regions: Sequence[Region], found: set[int], others: set[int], defined: set[int]) -> set[int]:
    """Return those `found` that are terms for their place alone: other text is at their left edge, their own is not.

    No text is as close to one of the `others`, headings in the same type.
    """
    definitions = {n + 1 for n in defined}
    texts = [region for n, region in enumerate(regions) if n not in definitions and _is_text(region)]
    gaps = [_gap(regions[n], regions[n + 1]) for n in others if n + 1 < len(regions) and _is_text(regions[n + 1])]
    hanging = {n for n in found if _hangs(regions[n], regions[n + 1]) and any(_aligned(regions[n], text) for text in texts)}
    return {
        n for n in hanging if all(_gap(regions[n], regions[n + 1]) < gap - DIFFERENT * regions[n].words[0].size for gap in gaps)
    }


def _in_capitals(regions: Sequence[Region], terms: set[int], body: float) -> set[int]:
    """Return the headings in capitals that are set as several other lines above texts are, which are terms or no headings."""
    above = {n for n, (head, text) in enumerate(pairwise(regions)) if text.kind != "heading" and _is_above(head, text, body)}
    others = [regions[n] for n in above if n in terms or regions[n].kind == "paragraph"]
    heads = [n for n in above - terms if regions[n].kind == "heading" and in_capitals(text_of(regions[n]))]
    return {n for n in heads if sum(_type(o) == _type(regions[n]) and _aligned(o, regions[n]) for o in others) >= FEWEST}


def _type(region: Region) -> tuple[float, bool]:
    return round(region.words[0].size * 2) / 2, region.words[0].bold


def _is_text(region: Region) -> bool:
    return region.kind in ("paragraph", "list_item") and sum(len(word.text) for word in region.words) >= PROSE


def _aligned(a: Region, b: Region) -> bool:
    """Return whether two regions begin at one left edge."""
    return abs(_box(a)[0] - _box(b)[0]) <= ALIGNED * a.words[0].size


def _hangs(head: Region, text: Region) -> bool:
    """Return whether a text is as far indented and as close to its head as a definition is, and no first line."""
    size = head.words[0].size
    return _box(text)[0] - _box(head)[0] >= HANGING * size and _gap(head, text) <= CLOSE * size


def _defines(head: Region, text: Region, body: float) -> bool:
    """Return whether `text` stands below `head` as a definition, or its first term, below a term. Lists stand below headings."""
    if head.kind != "heading" or not head.words or not text.words:
        return False
    if text.kind not in ("paragraph", "list_item") and not (text.kind == "heading" and _type(head) == _type(text)):
        return False
    return not LABEL.match(text.words[0].text) and _may_be_term(head, body) and _is_above(head, text, body)


def _is_above(head: Region, text: Region, body: float) -> bool:
    """Return whether a text is below a heading, close to it and indented."""
    if not head.words or not text.words:
        return False
    above, below = _box(head), _box(text)
    return LEAST * body <= below[0] - above[0] <= MOST * body and _gap(head, text) <= APART * body


def _may_be_term(head: Region, body: float) -> bool:
    """Return whether a heading is no larger than the text, and neither numbered, in capitals nor ended by a colon."""
    name = text_of(head)
    plain = not (in_capitals(name) or name.endswith(":") or scheme_of(name)[0])
    return plain and max(word.size for word in head.words) <= NO_LARGER * body


def _gap(above: Region, below: Region) -> float:
    """Return the space between two regions, in points."""
    return _box(below)[1] - _box(above)[3]


def _box(region: Region) -> Box:
    return union(word.box for word in region.words)
