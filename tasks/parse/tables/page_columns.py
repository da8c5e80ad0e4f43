"""Page columns: parts a table's region that reaches over columns of its page, with text or tables of its own in each.

The layout model makes one table of what two columns of a page hold where lines of both look alike.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from tasks.parse.layout.geometry import Box, share, union
from tasks.parse.layout.regions import Region
from tasks.parse.layout.rules import Rule, Rules, edges_of
from tasks.parse.layout.words import Word, words_in
from tasks.parse.tables.cuts import run_starts
from tasks.parse.tables.spaced.apart import gutters_in
from tasks.parse.tables.text_lines import text_lines

ROWS, LONG = 2, 5
"""Fewest lines of several cells of a table, and fewest lines of a paragraph: what an option is said to do may have some."""
WIDE = 0.6
"""Least share of its column that a paragraph covers."""
WHOLE = 0.8
"""Least share of its column that a rule over all of a table covers."""
MARGIN = 6.0
"""How far a rule of a table may be above or below its words, in points."""


class _Side(NamedTuple):
    """What stands on one side of a gutter: its rectangle, its lines, and where the second cells of its rows begin."""

    box: Box
    lines: list[list[Word]]
    seconds: list[float]


def in_page_columns(region: Region, words: Sequence[Word], texts: Sequence[Box], rules: Rules) -> list[Region]:
    """Return a table's region as one for each column of the page that has a table of it, or as it is.

    Two columns are shown by a paragraph among `texts` that reaches over cells of its own side only, or by rules over all of
    each side. No rule goes over the space between columns.
    """
    if region.kind != "table":
        return [region]
    inside = [word for word in words_in(words, region.box) if word.upright]
    for start, end in gutters_in(inside):
        sides = [_side([word for word in inside if (word.box[0] < end) == left]) for left in (True, False)]
        if _are_columns(sides, (start + end) / 2, texts, rules):
            halves = [replace(region, box=side.box, words=[]) for side in sides if len(side.seconds) >= ROWS]
            return [part for half in halves for part in in_page_columns(half, words, texts, rules)]
    return [region]


def _side(words: Sequence[Word]) -> _Side:
    lines = text_lines(words)
    starts = [run_starts(line) for line in lines]
    return _Side(union(word.box for word in words), lines, [found[1] for found in starts if len(found) > 1])


def _are_columns(sides: Sequence[_Side], middle: float, texts: Sequence[Box], rules: Rules) -> bool:
    top, bottom = (min(side.box[1] for side in sides) - MARGIN, max(side.box[3] for side in sides) + MARGIN)
    across = [rule for rule in (*rules.horizontals, *edges_of(rules.bands)) if top < rule.at < bottom]
    if any(rule.start < middle < rule.end for rule in across) or all(len(side.seconds) < ROWS for side in sides):
        return False
    ruled = all(len(side.seconds) >= ROWS and any(_is_over(rule, side.box) for rule in across) for side in sides)
    return ruled or any(_is_paragraph(text, side) for side in sides for text in texts)


def _is_over(rule: Rule, box: Box) -> bool:
    return min(rule.end, box[2]) - max(rule.start, box[0]) > WHOLE * (box[2] - box[0])


def _is_paragraph(text: Box, side: _Side) -> bool:
    """Tell whether a text on a side has several lines and reaches over where its rows have their second cells."""
    wide = text[2] - text[0] > WIDE * (side.box[2] - side.box[0])
    if not wide or share(text, side.box) < WHOLE:
        return False
    own = [line for line in side.lines if share(union(word.box for word in line), text) > WHOLE]
    size = max((word.size for line in own for word in line), default=0.0)
    over = [x for x in side.seconds if text[0] + size < x < text[2] - size]
    return len(own) >= LONG and 2 * len(over) >= max(len(side.seconds), 1)
