"""Sideways tables: turns tables upright that are printed along the long side of a page."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from tasks.parse.layout.geometry import Box
from tasks.parse.layout.regions import Region
from tasks.parse.layout.rules import Rule, Rules
from tasks.parse.layout.words import Word


def turned_upright(region: Region) -> Region:
    """Return the region with its words and rules as if the page were turned, if most of its words are vertical.

    Positions are then no longer those of the page. Such text is a table only where rules enclose its cells.
    """
    downwards = _direction(region.words)
    if not downwards:
        return region
    words = [word._replace(box=_turned(word.box, downwards), turn=0, base=None) for word in region.words]
    return replace(region, words=words, rules=_turned_rules(region.rules, downwards))


def _direction(words: Sequence[Word]) -> float:
    """Return a positive number for text written downwards, a negative one for upwards, 0 for any other."""
    if sum(word.upright for word in words) * 2 >= len(words):
        return 0
    neighbours = [(a.box, b.box) for a, b in pairwise(words) if a.line == b.line and not a.upright]
    across = sum(abs(b[0] - a[0]) for a, b in neighbours)
    down = sum(b[1] - a[1] for a, b in neighbours)
    return down if abs(down) > across else 0


def _turned(box: Box, downwards: float) -> Box:
    x0, y0, x1, y1 = box
    return (y0, -x1, y1, -x0) if downwards > 0 else (-y1, x0, -y0, x1)


def _turned_rules(rules: Rules, downwards: float) -> Rules:
    bands = tuple(_turned(band, downwards) for band in rules.bands)
    if downwards > 0:
        verticals = (Rule(rule.at, -rule.end, -rule.start) for rule in rules.horizontals)
        return Rules(tuple(rule._replace(at=-rule.at) for rule in rules.verticals), tuple(verticals), bands)
    horizontals = (Rule(rule.at, -rule.end, -rule.start) for rule in rules.verticals)
    return Rules(tuple(horizontals), tuple(rule._replace(at=-rule.at) for rule in rules.horizontals), bands)
