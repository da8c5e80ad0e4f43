"""Listings: code and output of programs between other text, of which the layout model makes pieces.

They are in fixed-width type, their lines begin with `#` or `-` as headings and items do, and blank lines part them.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from tasks.parse.layout.geometry import Box, area, common, overlap, union
from tasks.parse.layout.regions import Region
from tasks.parse.layout.rules import Rules
from tasks.parse.layout.words import Word, are_mono, words_in
from tasks.parse.tables.text_lines import text_lines

TYPEWRITTEN = 0.85
"""Least share of a typewritten page's text in fixed-width type."""
MONO = 0.9
"""Least share of a listing's characters in fixed-width type. Comments may be in scripts that the font lacks."""
BLANK = 2.5
"""Largest space inside a listing, in type sizes: two blank lines."""
FEWEST = 2
"""Least lines of a listing within a paragraph. A single line may be a long name in the text."""
PARTS = ("paragraph", "list_item", "heading", "caption", "equation")
"""Kinds that the layout model gives parts of listings."""


def is_typed(words: Sequence[Word]) -> bool:
    """Return whether nearly all text is in fixed-width type, by its width: a Chinese sentence is one word."""
    widths = [(word.box[2] - word.box[0], word.mono) for word in words]
    return sum(width for width, mono in widths if mono) > TYPEWRITTEN * sum(width for width, _ in widths)


def apart_from_text(words: Sequence[Word], regions: Sequence[Region]) -> list[Region]:
    """Return regions of a page that is not typewritten with text and listings of several lines in one paragraph apart."""
    return [part for region in regions for part in _parts(region, words_in(words, region.box))]


def _parts(region: Region, inside: Sequence[Word]) -> list[Region]:
    if region.kind != "paragraph" or len({word.mono for word in inside}) < 2:
        return [region]
    runs: list[tuple[bool, list[Word]]] = []
    for mono, run in groupby(text_lines(inside), are_mono):
        lines = list(run)
        listed, found = mono and len(lines) >= FEWEST, [word for line in lines for word in line]
        if runs and runs[-1][0] == listed:
            runs[-1][1].extend(found)
        else:
            runs.append((listed, found))
    return [replace(region, box=union(word.box for word in run)) for _, run in runs] if len(runs) > 1 else [region]


def with_listings(words: Sequence[Word], regions: Sequence[Region], rules: Rules) -> list[Region]:
    """Return regions of a page that is not typewritten with those in fixed-width type that follow each other closely as one.

    List items in such type become paragraphs, which are code; those with a bullet in the type of the text stay.
    """
    if not any(word.mono for word in words):
        return list(regions)
    parts = [(region, words_in(words, region.box)) for region in regions]
    mine = [(region, inside) for region, inside in parts if _is_listing(region, inside)]
    others = [region for region in regions if all(region is not listing for listing, _ in mine)]
    found: list[tuple[Region, list[Word]]] = []
    for region, inside in sorted(mine, key=lambda pair: pair[0].box[1]):
        fits = (n for n, (other, above) in enumerate(found) if _goes_on(other, above[0], region, inside, words, rules))
        at = next((n for n in fits if not _covers(found[n][0].box, region.box, others)), None)
        if at is None:
            found.append((region if region.kind != "list_item" else replace(region, kind="paragraph"), list(inside)))
        else:
            box = union((found[at][0].box, region.box))
            found[at] = replace(found[at][0], box=box, kind="paragraph", role="text"), words_in(words, box)
    return [*others, *(region for region, _ in found)]


def _covers(above: Box, below: Box, others: Sequence[Region]) -> bool:
    """Return whether the box around two pieces reaches into other regions, as where a line is too long for its column."""
    box = union((above, below))
    return any(area(common(box, other.box)) > 0 for other in others)


def _is_listing(region: Region, inside: Sequence[Word]) -> bool:
    if region.kind not in PARTS or not _is_mono(inside):
        return False
    return region.kind != "list_item" or are_mono(inside)


def _is_mono(words: Sequence[Word]) -> bool:
    count = sum(len(word.text) for word in words)
    return count > 0 and sum(len(word.text) for word in words if word.mono) >= MONO * count


def _goes_on(above: Region, first: Word, below: Region, inside: Sequence[Word], words: Sequence[Word], rules: Rules) -> bool:
    """Return whether `below`, with the words `inside` it, continues a listing: close, in one type, and nothing else between.

    The listing begins with the word `first`.
    """
    a, b, size = above.box, below.box, inside[0].size
    if b[1] - a[3] > BLANK * size or overlap(a[0], a[2], b[0], b[2]) <= 0 or abs(first.size - size) > 0.5:
        return False
    low, high = a[3] - size, b[1] + size
    parted = any(low < rule.at < high and overlap(a[0], a[2], rule.start, rule.end) > 0.5 for rule in rules.horizontals)
    return not parted and _is_mono(words_in(words, union((a, b))))
