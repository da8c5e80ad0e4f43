"""Gutters: the white space between columns of prose, which no region of text reaches over.

One region that does would leave the page without columns, and its text in the order of its lines.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from tasks.parse.layout.geometry import Box, common, union
from tasks.parse.layout.regions import Region
from tasks.parse.layout.words import Word, words_in

NARROWEST = 0.8
"""Least width of a gutter, in type sizes."""
LEAST_WIDE = 8.0
"""Least width of a column of prose, in type sizes: bullets and numbers form narrower ones."""
CROSSED = 0.12
"""Largest share of the height of a page's text in words on a gutter, such as those of a title."""
FEWEST, FULL, MOST = 8, 0.75, 0.5
"""A column has so many lines; a line is full if it covers the first share of its column, and at least the second share are."""
APART = 0.8
"""Smallest gap at a gutter between words beside each other, as a share of its width. Words of one line are nearer."""
TEXT = ("paragraph", "list_item", "heading", "title", "caption")
Gutter = tuple[float, float]


def cut_at_gutters(regions: Sequence[Region], words: Sequence[Word]) -> list[Region]:
    """Return the regions of a page, which have no words yet, those of text that reach over a gutter cut there."""
    text = [word for word in words if word.upright]
    gutters = list(_gutters(text)) if any(region.kind in TEXT for region in regions) else []
    found = list(regions)
    for gutter in gutters:
        found = [part for region in found for part in _parts(region, gutter, text)]
    return found


def _parts(region: Region, gutter: Gutter, words: Sequence[Word]) -> Iterator[Region]:
    x0, y0, x1, y1 = region.box
    left, right = (x0, y0, sum(gutter) / 2, y1), (sum(gutter) / 2, y0, x1, y1)
    if region.kind not in TEXT or not (x0 < gutter[0] and x1 > gutter[1]):
        yield region
        return
    inside = words_in(words, region.box)
    sides = words_in(inside, left), words_in(inside, right)
    if not all(sides) or _is_crossed(inside, gutter) or _is_one(*sides, gutter):
        yield region
        return
    for side, mine in zip((left, right), sides, strict=True):
        yield replace(region, box=common(side, union(word.box for word in mine)))


def _is_crossed(words: Sequence[Word], gutter: Gutter) -> bool:
    return any(word.box[0] < gutter[1] - 1 and word.box[2] > gutter[0] + 1 for word in words)


def _is_one(left: Sequence[Word], right: Sequence[Word], gutter: Gutter) -> bool:
    """Tell whether words on both sides are nearer to each other than columns are."""
    least = APART * (gutter[1] - gutter[0])
    ends: dict[int, float] = {}
    starts: dict[int, float] = {}
    for word in left:
        ends[word.line] = max(ends.get(word.line, word.box[2]), word.box[2])
    for word in right:
        starts[word.line] = min(starts.get(word.line, word.box[0]), word.box[0])
    return any(line in ends and start - ends[line] < least for line, start in starts.items())


def _gutters(words: Sequence[Word]) -> Iterator[Gutter]:
    """Yield the strips, from left to right, that nearly no word covers and that have a column of prose on either side."""
    if len(words) < 2 * FEWEST:
        return
    columns = _columns(words)
    least = LEAST_WIDE * _usual_size(words)
    prose = [column[1] - column[0] >= least and _is_prose(words, column) for column in columns]
    for (left, right), found in zip(pairwise(columns), pairwise(prose), strict=True):
        if all(found):
            yield left[1], right[0]


def _columns(words: Sequence[Word]) -> list[Gutter]:
    """Return the strips, from left to right, that more words cover than cross a gutter."""
    start = int(min(word.box[0] for word in words))
    steps = [0.0] * (int(max(word.box[2] for word in words)) + 3 - start)
    for word in words:
        steps[int(word.box[0]) - start] += word.size
        steps[int(word.box[2]) - start + 1] -= word.size
    heights = list(accumulate(steps))
    covered = [x for x, height in enumerate(heights, start) if height > CROSSED * max(heights)]
    size = _usual_size(words)
    breaks = [0, *(n for n, (a, b) in enumerate(pairwise(covered), 1) if b - a > NARROWEST * size), len(covered)]
    return [(float(covered[first]), float(covered[end - 1] + 1)) for first, end in pairwise(breaks)]


def _usual_size(words: Sequence[Word]) -> float:
    return sorted(word.size for word in words)[len(words) // 2]


def _is_prose(words: Sequence[Word], column: Gutter) -> bool:
    lines: dict[int, list[Box]] = defaultdict(list)
    for word in words:
        if word.box[0] >= column[0] - 1 and word.box[2] <= column[1] + 1:
            lines[word.line].append(word.box)
    full = sum(
        max(box[2] for box in line) - min(box[0] for box in line) >= FULL * (column[1] - column[0]) for line in lines.values()
    )
    return len(lines) >= FEWEST and full >= MOST * len(lines)
