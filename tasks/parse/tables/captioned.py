"""Captioned tables: tables next to a table caption that the layout model takes for something else."""

import re
from collections.abc import Sequence
from dataclasses import replace
from statistics import median
from typing import NamedTuple

from tasks.parse.layout.geometry import Box, gaps_across, overlap, share
from tasks.parse.layout.regions import Region
from tasks.parse.layout.rules import TOUCHING, Rule, Rules, places
from tasks.parse.layout.words import Word, words_in
from tasks.parse.tables.text_lines import text_lines

_LABEL = re.compile(
    r"^(table|tableau|tabelle|tabla|exhibit)\s+(([A-Z][.-]?)?\d+([.-]\d+)*|[IVX]+)([.:)]|\s+[^a-z]|$)", re.IGNORECASE
)
_WORD = re.compile(r"^\S+\s+\S+\s+[a-z]")
NEAR = 40.0
"""Largest distance between a caption and its table, in points."""
GUTTER, WIDE_GUTTER = 0.7, 1.5
"""Smallest white space between columns, in type sizes: between rules, and where there is only white space."""
SHORT = 0.8
"""Largest share of the width between rules that lines of a one-column table fill. Lines of a paragraph fill more."""
CAPTIONS = ("caption", "heading", "title", "paragraph", "furniture")


class _TableCandidate(NamedTuple):
    """A possible table: its rectangle, its number of horizontal rules, and its distance from the caption."""

    box: Box
    n_rules: int
    distance: float


def captioned(words: Sequence[Word], regions: Sequence[Region], rules: Rules) -> list[Region]:
    """Return `regions`, with text replaced by a table for each table caption that has no table."""
    found = list(regions)
    for region in regions:
        label = " ".join(word.text for word in words_in(words, region.box)[:12]) if region.kind in CAPTIONS else ""
        if not _LABEL.match(label) or _WORD.match(label):
            continue
        table = next(filter(None, (_as_table(block, words, found) for block in _blocks(region.box, found, rules))), None)
        if table:
            found = [other for other in found if share(other.box, table.box) < 0.5] + [table]
        else:
            found = [_headed(other, region.box, found, rules) for other in found]
    return found


def _headed(table: Region, caption: Box, regions: Sequence[Region], rules: Rules) -> Region:
    """Return a table extended up to the rule below its caption, if rules of one width enclose it."""
    x0, y0, x1, y1 = table.box
    if table.kind != "table" or not 0 < y0 - caption[3] < 2 * NEAR:
        return table
    block = _between_rules(caption, [region for region in regions if region is not table], rules, 1)
    if not block or block.distance > NEAR or share(table.box, block.box) < 0.9:
        return table
    return replace(table, box=(x0, min(y0, block.box[1]), x1, y1))


def _blocks(caption: Box, regions: Sequence[Region], rules: Rules) -> list[_TableCandidate]:
    """Return the areas between rules above and below the caption and the text below it, the nearest first."""
    tables = [_distance(caption, region.box) for region in regions if region.kind == "table"]
    drawn = [_between_rules(caption, regions, rules, way) for way in (1, -1)]
    bare = [
        _TableCandidate(region.box, 0, _distance(caption, region.box))
        for region in regions
        if region.kind in ("paragraph", "figure", "list_item") and region.box[1] > caption[3] - TOUCHING
    ]
    blocks = sorted((block for block in drawn if block), key=lambda block: block.distance)
    blocks += sorted(bare, key=lambda block: block.distance)[:1]
    return [block for block in blocks if block.distance < min([NEAR, *tables])]


def _distance(caption: Box, box: Box) -> float:
    """Return the vertical distance of two boxes in points; infinity if they are side by side."""
    beside = overlap(caption[0], caption[2], box[0], box[2]) < 0.3
    return float("inf") if beside else max(box[1] - caption[3], caption[1] - box[3], 0.0)


def _between_rules(caption: Box, regions: Sequence[Region], rules: Rules, way: int) -> _TableCandidate | None:
    """Follow rules of one width away from the caption, downwards (1) or upwards (-1), up to the next table or caption."""
    across = [rule for rule in rules.horizontals if overlap(caption[0], caption[2], rule.start, rule.end) > 0.3]
    start = caption[3] if way > 0 else caption[1]
    ahead = sorted((rule for rule in across if (rule.at - start) * way > -TOUCHING), key=lambda rule: rule.at * way)
    if not ahead:
        return None
    first = ahead[0]
    chain = [first]
    for rule in ahead[1:]:
        box = first.start, min(first.at, rule.at), first.end, max(first.at, rule.at)
        if not _same_ends(rule, first) or any(_stops(region, caption, box) for region in regions):
            break
        chain.append(rule)
    box = first.start, min(rule.at for rule in chain), first.end, max(rule.at for rule in chain)
    return _TableCandidate(box, len(places(chain)), abs(first.at - start)) if len(chain) > 1 else None


def _same_ends(a: Rule, b: Rule) -> bool:
    return max(abs(a.start - b.start), abs(a.end - b.end)) <= TOUCHING


def _stops(region: Region, caption: Box, box: Box) -> bool:
    return region.kind in ("table", "caption") and region.box != caption and share(region.box, box) > 0.5


def _as_table(block: _TableCandidate, words: Sequence[Word], regions: Sequence[Region]) -> Region | None:
    """Return the candidate as a table if it has rows of several columns, or short lines between at least three rules."""
    cut = [region for region in regions if 0.05 < share(region.box, block.box) < 0.5]
    lines = text_lines([word for word in words_in(words, block.box) if word.upright])
    if len(lines) < 2 or cut:
        return None
    gutters = _gutters(lines, GUTTER if block.n_rules else WIDE_GUTTER)
    several = [line for line in lines if any(min(w.box[2] for w in line) < x < max(w.box[0] for w in line) for x in gutters)]
    if not block.n_rules and (len(lines) < 3 or len(several) < 0.6 * len(lines)):
        return None
    if not gutters and (block.n_rules < 3 or _fill(lines, block.box) > SHORT):
        return None
    return Region(block.box, "table", spaced=True)


def _fill(lines: Sequence[Sequence[Word]], box: Box) -> float:
    widths = [max(word.box[2] for word in line) - min(word.box[0] for word in line) for line in lines]
    return median(widths) / (box[2] - box[0])


def _gutters(lines: Sequence[Sequence[Word]], least: float) -> list[float]:
    """Return the middles of the white space that runs through all lines and is at least `least` type sizes wide."""
    words = [word for line in lines for word in line]
    size = median(word.size for word in words)
    return [(start + end) / 2 for start, end in gaps_across(word.box for word in words) if end - start >= least * size]
