"""Plain pages: pages whose lines alone show the layout, so that no layout model is needed.

A plain page has one column of upright text, or two that are clearly separated. It has no pictures, no drawings except a few
rules, no cells, and no formulas on their own lines.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from tasks.parse.layout.columns import columns_of
from tasks.parse.layout.geometry import Box, area, union
from tasks.parse.layout.lines import (
    LABEL,
    TextLine,
    has_cells,
    has_leaders,
    in_one_column,
    is_formula,
    is_labelled,
    lines_of,
    most,
    text_of,
)
from tasks.parse.layout.page_edges import MARGIN, PAGE_NUMBER
from tasks.parse.layout.plain_blocks import LARGE, is_note, notes, regions_of
from tasks.parse.layout.prose import is_right_to_left
from tasks.parse.layout.regions import Region
from tasks.parse.layout.rules import Rule, Rules, merged
from tasks.parse.layout.words import Word

MIN_CHARS = 200
"""Fewest characters of a page from which its usual type can be known."""
MAX_RULES = 4
"""Most rules of a plain page: header, footer and footnotes have one each. More belong to tables and forms."""
FLAT = 5
"""Smallest width of a rule by its height."""
SAME_EDGE = 2.0
"""Largest distance between the ends of rules that are of one width, in points."""
CELL_GAP = 0.8
"""Smallest white space between cells, in type sizes."""
FLUSH = 0.5
"""Largest distance between words that start at one place, in points."""
MAX_EDGE = 2
"""Most lines of a running header or footer."""


class PlainPage(NamedTuple):
    """The regions of a plain page: set apart at its top, its body, set apart at its bottom."""

    top: list[Region]
    body: list[Region]
    bottom: list[Region]


def plain_regions(words: Sequence[Word], drawn: Sequence[Box], page: Box) -> PlainPage | None:
    """Return the regions of a plain page in reading order, or None for a page that needs the layout model.

    `drawn` are the rectangles of its drawings. Text set apart at an edge is furniture if it is a page number; otherwise only the
    other pages of the document can show it.
    """
    if not _is_sparse(drawn, page) or not _is_simple(words):
        return None
    lines = lines_of(words)
    if _may_be_ruled(lines, drawn):
        return None
    type_size = _type_size(lines)
    if type_size is None:
        return None
    top, body, bottom = _parted(lines, page, type_size)
    columns = columns_of(body)
    if any(has_cells(column) or _may_be_rows(column) or not in_one_column(column) for column in columns):
        return None
    if any(map(is_formula, body)):
        return None
    regions = [region for column in columns for region in regions_of(column, type_size)]
    return PlainPage(_edge(top, type_size), regions, _edge(bottom, type_size))


def _is_sparse(drawn: Sequence[Box], page: Box) -> bool:
    """Return whether the only drawings are a few horizontal rules or a background."""
    marks = [box for box in drawn if area(box) < 0.9 * area(page)]
    return len(marks) <= MAX_RULES and all(box[3] - box[1] <= 3 for box in marks)


def rules_across(drawn: Sequence[Box]) -> Rules:
    """Return the rules of a plain page, on which all that is drawn is across or behind the whole page."""
    return Rules(merged(Rule((y0 + y1) / 2, x0, x1) for x0, y0, x1, y1 in drawn if y1 - y0 < x1 - x0))


def _may_be_ruled(lines: Sequence[TextLine], drawn: Sequence[Box]) -> bool:
    """Return whether two rules of one width enclose lines with words that start at one place after a gap: they may be a table."""
    rules = [box for box in drawn if box[2] - box[0] > FLAT * (box[3] - box[1])]
    alike = [(a, b) for a in rules for b in rules if a[3] < b[1] and max(abs(a[0] - b[0]), abs(a[2] - b[2])) <= SAME_EDGE]
    return any(_have_columns([line for line in lines if a[3] < line.middle < b[1]]) for a, b in alike)


def _have_columns(lines: Sequence[TextLine]) -> bool:
    """Return whether words of two lines start at one place after a gap. In code they do, but not below a line of other type."""
    starts = sorted(
        (b.box[0], line.mono) for line in lines for a, b in pairwise(line.words) if b.box[0] - a.box[2] > CELL_GAP * line.size
    )
    return any(b[0] - a[0] < SAME_EDGE and not (a[1] and b[1]) for a, b in pairwise(starts))


def _may_be_rows(lines: Sequence[TextLine]) -> bool:
    """Return whether words of two lines below each other start at one place after a gap that is not behind a label."""
    starts = [_cell_starts(line) for line in lines]
    return any(abs(a - b) < FLUSH for above, below in pairwise(starts) for a in above for b in below)


def _cell_starts(line: TextLine) -> list[float]:
    """Return where words start after a gap, but for the label of an item, and in code."""
    if line.mono or is_labelled(line) or has_leaders(line):
        return []
    pairs = list(pairwise(line.words))
    if pairs and LABEL.match(pairs[0][0].text):
        pairs = pairs[1:]
    return [b.box[0] for a, b in pairs if b.box[0] - a.box[2] > CELL_GAP * line.size]


def _is_simple(words: Sequence[Word]) -> bool:
    text = "".join(word.text for word in words)
    if len(text) < MIN_CHARS or is_right_to_left(text):
        return False
    return all(word.upright for word in words)


def _parted(lines: list[TextLine], page: Box, type_size: float) -> tuple[list[TextLine], list[TextLine], list[TextLine]]:
    """Return the lines set apart at the page's top, the others, and those set apart at its bottom."""
    height, n = page[3], len(lines)
    low = [line.box[3] < MARGIN * height and line.size < LARGE * type_size for line in lines[:MAX_EDGE]]
    high = [line.box[1] > (1 - MARGIN) * height for line in reversed(lines[-MAX_EDGE:])]
    gaps = [below.box[1] - above.box[3] for above, below in pairwise(lines)]
    top = next((k for k in range(1, min(MAX_EDGE + 1, n)) if all(low[:k]) and gaps[k - 1] > type_size), 0)
    rest = range(1, min(MAX_EDGE + 1, n - top))
    bottom = next((k for k in rest if all(high[:k]) and gaps[n - k - 1] > type_size), 0)
    return lines[:top], lines[top : n - bottom], lines[n - bottom :]


def _edge(lines: Sequence[TextLine], type_size: float) -> list[Region]:
    """Return text set apart at an edge. Parts of a line, such as a title left and a number right, are separate regions."""
    if lines and is_note(lines[0], type_size):
        return list(notes(lines))
    parts = [line.words[start:end] for line in lines for start, end in pairwise((0, *line.wide, len(line.words)))]
    return [Region(union(word.box for word in part), _edge_kind(part), words=part) for part in parts]


def _edge_kind(words: Sequence[Word]) -> str:
    return "furniture" if PAGE_NUMBER.match(text_of(words)) else "paragraph"


def _type_size(body: Sequence[TextLine]) -> float | None:
    """Return the type size of most of the text, None if no size is usual."""
    counted = [(word.size, len(word.text)) for line in body if not line.mono for word in line.words]
    if sum(n for _, n in counted) < MIN_CHARS:
        return None
    return most(counted)
