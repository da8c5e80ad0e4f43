"""Page columns: where they are, and regions that reach over them, parted.

The layout model makes one table of what two columns of a page hold where lines of both look alike.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from tasks.parse.layout.geometry import Box, union
from tasks.parse.layout.regions import Region
from tasks.parse.layout.words import Word, words_in
from tasks.parse.tables.spaced.apart import gutters_in
from tasks.parse.tables.spaced.breaks import baseline
from tasks.parse.tables.text_lines import text_lines

ALIKE = 0.75
"""Smallest ratio of the widths of two columns of a page."""
COLUMNS = (4, 3, 2)
"""Numbers of columns of a page."""
LINES, OFF, ALONE = 8, 0.1, 1 / 3
"""Fewest lines of each column of a page, largest distance of the baselines of lines beside each other, in type sizes, and least
share of the lines of each that have none beside them: most names of a table have.
"""
MIXED = ("paragraph", "list_item", "table")
"""Kinds of regions in which the layout model mixes columns of a page."""
CLOSE = 1.0
"""Largest white space between columns of a page, by the width of the widest: names and texts of a table stand farther apart."""


def strips(texts: Sequence[Box]) -> list[tuple[float, float]]:
    """Return where the columns of a page start and end: about as wide as each other, no text over the space between them."""
    found: list[tuple[float, float]] = []
    for start, end in sorted((box[0], box[2]) for box in texts):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    widths = [end - start for start, end in found]
    far = any(b[0] - a[1] > CLOSE * max(widths) for a, b in pairwise(found))
    if len(found) > 1 and (far or min(widths) < ALIKE * max(widths)):
        return [(found[0][0], max(end for _, end in found))]
    return found


def page_gutters(regions: Sequence[Region], words: Sequence[Word]) -> list[float]:
    """Return the middles of the white space between the columns of a page, if no line of text but running ones joins these."""
    kept = {word for region in regions if region.kind in ("furniture", "figure") for word in words_in(words, region.box)}
    body = [word for word in words if word.upright and word not in kept]
    return _gutters(body) if body else []


def apart_at(gutters: Sequence[float], regions: Sequence[Region], words: Sequence[Word]) -> list[Region]:
    """Return regions, those over several columns of the page as one for each."""
    found = list(regions)
    for middle in gutters:
        found = [part for region in found for part in _halves(region, words, middle)]
    return found


def _gutters(words: Sequence[Word]) -> list[float]:
    size = median(word.size for word in words)
    free = [(start + end) / 2 for start, end in gutters_in(words) if end - start >= size]
    left, right = min(word.box[0] for word in words), max(word.box[2] for word in words)
    for count in COLUMNS if free else ():
        ideal = [left + (right - left) * n / count for n in range(1, count)]
        middles = sorted({min(free, key=lambda x: abs(x - at)) for at in ideal})
        if len(middles) == count - 1 and _are_page_columns(words, middles, size):
            return middles
    return []


def _are_page_columns(words: Sequence[Word], middles: Sequence[float], size: float) -> bool:
    """Return whether what places part are columns of many lines and alike in width, most of whose lines have none beside them."""
    edges = [float("-inf"), *middles, float("inf")]
    columns = [text_lines([word for word in words if a <= word.box[0] < b]) for a, b in pairwise(edges)]
    if min(map(len, columns)) < LINES:
        return False
    widths = [max(w.box[2] for line in lines for w in line) - min(w.box[0] for line in lines for w in line) for lines in columns]
    if min(widths) < ALIKE * max(widths):
        return False
    heights = [[baseline(line) for line in lines] for lines in columns]
    return all(_n_alone(a, b, OFF * size) > ALONE * len(a) for one, two in pairwise(heights) for a, b in ((one, two), (two, one)))


def _n_alone(heights: Sequence[float], others: Sequence[float], off: float) -> int:
    return sum(all(abs(at - other) > off for other in others) for at in heights)


def _halves(region: Region, words: Sequence[Word], middle: float) -> list[Region]:
    """Return a region as two where it has words on both sides of a place."""
    if region.kind not in MIXED or not region.box[0] < middle < region.box[2]:
        return [region]
    inside = words_in(words, region.box)
    sides = [[word.box for word in inside if (word.box[0] < middle) == left] for left in (True, False)]
    return [replace(region, box=union(boxes)) for boxes in sides if boxes] if all(sides) else [region]
