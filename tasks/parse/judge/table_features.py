"""Features of a region of a page, by which it is judged whether it is a table: training and parsing both use these.

A region is described by its lines, cut into pieces by white space, and the columns that these form; by its texts; by what stands
around it; and by what the layout model makes of its place. Distances are in type sizes of the region, shares from 0 to 1. NaN is
what a region has not.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import log, nan
from statistics import fmean, median

import numpy as np

from tasks.parse.judge.trees import Array
from tasks.parse.layout.geometry import Box, area, centre, common, share, union
from tasks.parse.layout.page_model import CLASSES, LineClasses, PageModel
from tasks.parse.layout.regions import Region
from tasks.parse.layout.rules import Rule, places, rules_in
from tasks.parse.layout.words import Word, words_in
from tasks.parse.tables.spaced.breaks import pitches
from tasks.parse.tables.spaced.columns import Extent, in_columns
from tasks.parse.tables.spaced.names import are_calls
from tasks.parse.tables.spaced.pieces import Line, Piece, cut_at_edges, pieces_of
from tasks.parse.tables.text_lines import text_lines

KINDS = ("table", "paragraph", "figure")
"""Kinds of what the layout model sees that are told."""
FULL, SAID = 0.85, 4
"""Least share of its column that a full piece covers, and fewest words of one that may be prose."""
LOW = 0.2
"""The share of lines of a region that are less likely of a table than what is told."""
WHOLE = 0.8
"""Least share of a region's width that a rule across goes over."""
_CODE = re.compile(r"\w[_(\[]|\w[.:]+\w|^[-\u2013_$@]")
"""What names in code have: underscores, brackets or points in them, or signs before them."""

OF_LINES = (
    "lines pieces three words gap_median gap_most white widths first_width pitch_least "
    "words_median words_first letters mono stops single code calls lower ratio full first_full"
).split()
OF_PLACE = "gap_above gap_below x beside beyond over_by_line".split()
OF_SEEN = (*(f"seen_{kind}" for kind in KINDS), "seen_same", *(f"likely_{name}" for name in CLASSES), "likely_least")
FEATURES = (*OF_LINES, *OF_PLACE, *OF_SEEN)


def features_of_tables(boxes: Sequence[Box], page: PageModel) -> Array:
    """Return a row of FEATURES (n, features) for each of `boxes` on a page, by the words in them."""
    lines = text_lines([word for word in page.words if word.upright])
    rows = [_features(words, page, lines) if (words := words_in(page.words, box)) else [nan] * len(FEATURES) for box in boxes]
    return np.array(rows, np.float64).reshape(len(rows), len(FEATURES))


def _features(words: Sequence[Word], page: PageModel, around: Sequence[Sequence[Word]]) -> list[float]:
    box, size = union(word.box for word in words), median(word.size for word in words)
    rules = rules_in(page.rules, box)
    lines, columns = in_columns(cut_at_edges([pieces_of(line, rules.verticals) for line in text_lines(words)]))
    over = [rule for rule in rules.horizontals if box[1] - 6 <= rule.at <= box[3] + 6 and _goes_over(rule, box)]
    return [
        *_of_lines(lines, columns, box, size),
        *_gaps_around(words, box, size, around),
        (box[0] - page.box[0]) / (page.box[2] - page.box[0]),
        sum(_is_beside(line, box) for line in around) / len(lines),
        max((rule.end - rule.start for rule in over), default=nan) / (box[2] - box[0]),
        len(places(over)) / len(lines),
        *_seen(page.seen, box),
        *_likely(page.lines, box),
    ]


def _of_lines(lines: Sequence[Line], columns: Sequence[Extent], box: Box, size: float) -> list[float]:
    """Return OF_LINES of lines whose pieces are in columns."""
    pieces = [piece for line in lines for piece in line]
    words = [word for piece in pieces for word in piece.words]
    gaps = [b[0] - a[1] for a, b in pairwise(columns)]
    inner = [b.box[0] - a.box[2] for line in lines for a, b in pairwise(line)]
    widths = [end - start for start, end in columns]
    first, beyond = [piece for piece in pieces if not piece.first], [piece for piece in pieces if piece.first]
    name, text = (_mean([len(piece.text) for piece in side]) for side in (first, beyond))
    return [
        len(lines),
        len(pieces) / len(lines),
        _mean([len(line) > 2 for line in lines]),
        log(len(words)),
        median(inner) / size if inner else nan,
        max(gaps, default=nan) / size,
        sum(gaps) / (box[2] - box[0]),
        min(widths) / max(widths) if gaps and max(widths) > 0 else nan,
        widths[0] / max(sum(widths), 1.0),
        min(pitches(lines)[1:], default=nan),
        median(len(piece.words) for piece in pieces),
        median(len(piece.words) for piece in first) if first else nan,
        fmean(len(word.text) for word in words),
        _mean([word.mono for word in words]),
        _mean([piece.text[-1] in ".,;:?!" for piece in pieces]),
        _mean([len(piece.words) == 1 for piece in first]),
        _mean([bool(_CODE.search(piece.text)) for piece in first]),
        are_calls([piece.text for piece in first]),
        _mean([piece.text[0].islower() for piece in pieces]),
        text / name if first and beyond else nan,
        _mean(list(_are_full(pieces, columns))),
        _mean([_is_full(piece, columns) for piece in first]),
    ]


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else nan


def _are_full(pieces: Sequence[Piece], columns: Sequence[Extent]) -> Iterator[bool]:
    """Yield for each piece below which its column goes on whether it fills it, as lines of prose do."""
    for n in range(len(columns)):
        own = [piece for piece in pieces if piece.first == n == piece.last]
        yield from (len(piece.words) >= SAID and _is_full(piece, columns) for piece in own[:-1])


def _is_full(piece: Piece, columns: Sequence[Extent]) -> bool:
    start, end = columns[piece.first]
    return piece.box[2] - piece.box[0] > FULL * (end - start)


def _goes_over(rule: Rule, box: Box) -> bool:
    return min(rule.end, box[2]) - max(rule.start, box[0]) > WHOLE * (box[2] - box[0])


def _gaps_around(words: Sequence[Word], box: Box, size: float, around: Sequence[Sequence[Word]]) -> list[float]:
    """Return the distances to the nearest lines above and below that are over the region's width."""
    own = set(words)
    others = [word.box for line in around for word in line if word not in own and word.box[2] > box[0] and word.box[0] < box[2]]
    above = [box[1] - other[3] for other in others if centre(other)[1] <= box[1]]
    below = [other[1] - box[3] for other in others if centre(other)[1] >= box[3]]
    return [min(side, default=nan) / size for side in (above, below)]


def _is_beside(line: Sequence[Word], box: Box) -> bool:
    """Return whether a line of the page that stands at a region's height has words outside it."""
    return box[1] < centre(line[0].box)[1] < box[3] and any(word.box[2] <= box[0] or word.box[0] >= box[2] for word in line)


def _seen(seen: Sequence[Region], box: Box) -> list[float]:
    """Return shares of a region that the layout model sees as each of KINDS, and how far one of its tables is the region."""
    parts = {kind: sum(share(box, region.box) for region in seen if region.kind == kind) for kind in KINDS}
    tables = [region.box for region in seen if region.kind == "table"]
    return [*parts.values(), max((min(share(box, table), share(table, box)) for table in tables), default=0.0)]


def _likely(lines: LineClasses | None, box: Box) -> list[float]:
    """Return how likely lines in a region are of each class, the mean by area, and of a table what a fifth falls short of."""
    weights = np.array([area(common(tuple(line), box)) for line in lines.boxes]) if lines is not None else np.zeros(0)
    if lines is None or not weights.any():
        return [nan] * (len(CLASSES) + 1)
    tables = lines.likely[weights > 0][:, CLASSES.index("table")]
    return [*(weights @ lines.likely / weights.sum()).tolist(), float(np.quantile(tables, LOW))]
