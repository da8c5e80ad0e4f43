"""Loose tables: those without rules, of which the layout model takes some text for tables: listings, and single columns."""

from collections.abc import Sequence
from dataclasses import replace

from tasks.parse.layout.regions import Region
from tasks.parse.layout.rules import Rules, rules_in
from tasks.parse.layout.words import Word, words_in
from tasks.parse.tables.contents import entries_of
from tasks.parse.tables.spaced.pieces import pieces_of
from tasks.parse.tables.text_lines import text_lines

LISTED = 0.95
"""Least share of words in fixed-width type of a listing."""


def is_loose(region: Region, rules: Rules) -> bool:
    """Return whether a table has no rules, so that it may be some rows of a larger one."""
    return region.kind == "table" and region.spaced and not rules_in(rules, region.box).horizontals


def listing_as_text(region: Region, words: Sequence[Word], rules: Rules) -> Region:
    """Return text in place of a table without rules and coloured rows that is a listing."""
    inside = _loose_words(region, words, rules)
    return _as_text(region) if inside and is_listing(inside) else region


def column_as_text(region: Region, words: Sequence[Word], rules: Rules) -> Region:
    """Return text in place of a spaced table without rules and coloured rows that is a single column, but no contents."""
    inside = _loose_words(region, words, rules) if region.spaced else []
    return _as_text(region) if inside and _is_single(inside) else region


def _loose_words(region: Region, words: Sequence[Word], rules: Rules) -> list[Word]:
    """Return the words of a table that has neither rules across nor coloured rows, none of any other region.

    Rules above and below all lines, and a colour behind all of them, tell no rows: listings have them too.
    """
    inside = words_in(words, region.box) if region.kind == "table" else []
    top, bottom = min((word.box[3] for word in inside), default=0.0), max((word.box[1] for word in inside), default=0.0)
    if not inside or any(top < rule.at < bottom for rule in rules_in(rules, region.box).horizontals):
        return []
    coloured = [any(y0 - 1 < word.box[1] and word.box[3] < y1 + 1 for _, y0, _, y1 in rules.bands) for word in inside]
    return [] if any(coloured) and not all(coloured) else inside


def _as_text(region: Region) -> Region:
    return replace(region, kind="paragraph", spaced=False, role="text")


def is_listing(words: Sequence[Word]) -> bool:
    """Return whether words are in fixed-width type: that is what a program printed. On a typewritten page it may be a table."""
    return sum(word.mono for word in words) >= LISTED * len(words)


def _is_single(inside: Sequence[Word]) -> bool:
    """Return whether no line has several pieces, as in a list, or in a column beside what the model takes for text."""
    if not all(word.upright for word in inside) or any(len(pieces_of(line, ())) > 1 for line in text_lines(inside)):
        return False
    return entries_of(inside) is None
