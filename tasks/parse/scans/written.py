"""Parts of a scan where the model that knows words alone sees more: pictures of words, tables without rules, and headings."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median
from typing import Any

import numpy as np
import numpy.typing as npt

from tasks.parse.layout.geometry import MOSTLY, Box, centre, grown, holds, share, union
from tasks.parse.layout.pixels import Picture
from tasks.parse.layout.prose import is_right_to_left
from tasks.parse.layout.regions import PROSE, Region
from tasks.parse.layout.rules import Rules
from tasks.parse.layout.words import Word, words_in
from tasks.parse.scans.typefaces.sizes import UNSPACED
from tasks.parse.tables.spaced.pieces import SPACE, pieces_of
from tasks.parse.tables.text_lines import text_lines

INK = 0.3
"""Darkness, from paper (0) to ink (1), from which a pixel is drawn: coloured paper behind text is lighter."""
MARGIN = 1.5
"""Width in points of what is blurred around letters and rules."""
MOST_ELSE = 0.1
"""Largest share of the ink of written text outside its words and rules: bullets, and signs that OCR does not know."""
MIN_LINES = 3
"""Fewest lines of written text: a picture may have a title."""

LARGER = 1.15
"""Smallest ratio of the type size of a heading to that of its text, from which they are surely unlike on a scan."""


def written_in(regions: Sequence[Region], words: Sequence[Word], rules: Rules, picture: Picture, points: float) -> list[Region]:
    """Return the pictures among regions that are only words, and frames around words.

    `picture` is dark on light, and its pixels are `points` wide.
    """
    figures = [region for region in regions if region.kind == "figure"]
    if not figures:
        return []
    drawn = _drawn(picture)
    else_drawn = drawn.copy()
    for box in [*(word.box for word in words), *_boxes(rules)]:
        _part(else_drawn, grown(box, MARGIN, MARGIN), points)[:] = False
    return [region for region in figures if _is_written(region, words, drawn, else_drawn, points)]


def replaced(regions: Sequence[Region], written: Sequence[Region], others: Sequence[Region]) -> list[Region]:
    """Return the regions with the `others` that lie where a picture was `written`, in its place; those beside them stay."""
    kept = [region for region in regions if not any(region is picture for picture in written)]
    text = [region.box for region in kept if region.kind != "figure"]
    found = [other for other in others if other.kind != "figure" and _lies_in(other.box, [region.box for region in written])]
    return [*kept, *(other for other in found if not _lies_in(other.box, text))]


def mixed_in(regions: Sequence[Region], words: Sequence[Word]) -> list[Region]:
    """Return the paragraphs among regions with lines in larger or bold type before or between others: they may be headings.

    A bold line that ends where the next word would not fit is none: its sentence goes on, as that of bold words at a paragraph's
    beginning does.
    """
    return [region for region in regions if region.kind == "paragraph" and _is_mixed(words_in(words, region.box))]


def _is_mixed(words: Sequence[Word]) -> bool:
    lines = text_lines(words)
    size = median(word.size for word in words) if words else 0.0
    larger = [min(word.size for word in line) >= LARGER * size for line in lines]
    bold = [all(word.bold for word in line) for line in lines]
    ended = [_has_room(line, below, words) for line, below in pairwise(lines)]
    may_be = any(is_larger or (is_bold and ends) for is_larger, is_bold, ends in zip(larger, bold, ended, strict=False))
    return may_be and not all(map(max, larger, bold))


def _has_room(line: Sequence[Word], below: Sequence[Word], words: Sequence[Word]) -> bool:
    """Return whether the first word of the line `below` would fit at a line's end; without spaces, its first character."""
    leftward = is_right_to_left("".join(word.text for word in words))
    first = (max if leftward else min)(below, key=lambda word: word.box[0])
    (x0, _, x1, _), (start, _, end, _) = (union(word.box for word in part) for part in (words, line))
    width = first.size if UNSPACED.search(first.text) else first.box[2] - first.box[0] + SPACE * first.size
    return (start - x0 if leftward else x1 - end) > width


def with_headings_of(regions: Sequence[Region], mixed: Sequence[Region], others: Sequence[Region]) -> list[Region]:
    """Return the regions with each paragraph that is `mixed` as the `others` in its place, if a heading is among these."""
    found = list(regions)
    for paragraph in mixed:
        inside = [other for other in others if _lies_in(other.box, [paragraph.box])]
        if any(other.kind == "heading" for other in inside) and any(other.kind in PROSE for other in inside):
            found = replaced(found, [paragraph], inside)
    return found


def may_have_tables(regions: Sequence[Region], words: Sequence[Word]) -> bool:
    """Return whether `with_tables_of` may find a table: several lines where `regions` have nothing but text have columns."""
    taken = [region.box for region in regions if region.kind not in PROSE]
    return _has_columns([word for word in words if not any(holds(box, centre(word.box)) for box in taken)])


def with_tables_of(regions: Sequence[Region], others: Sequence[Region], words: Sequence[Word]) -> list[Region]:
    """Return the regions with those tables among `others` that lie where `regions` have nothing but text, in place of it.

    Several lines of such a table have columns: words with a wide space between them.
    """
    found = list(regions)
    for other in others:
        near = [region for region in found if share(region.box, other.box) > 0]
        if other.kind != "table" or not all(r.kind in PROSE and share(r.box, other.box) > MOSTLY for r in near):
            continue
        if _has_columns(words_in(words, other.box)):
            found = [*(region for region in found if all(region is not text for text in near)), other]
    return found


def _has_columns(words: Sequence[Word]) -> bool:
    return sum(len(pieces_of(line, ())) > 1 for line in text_lines(words)) >= MIN_LINES


def _lies_in(box: Box, places: Iterable[Box]) -> bool:
    return any(share(box, place) > MOSTLY for place in places)


def _is_written(region: Region, words: Sequence[Word], drawn: object, else_drawn: object, points: float) -> bool:
    if len({word.line for word in words_in(words, region.box)}) < MIN_LINES:
        return False
    ink = np.count_nonzero(_part(drawn, region.box, points))
    return bool(np.count_nonzero(_part(else_drawn, region.box, points)) <= MOST_ELSE * ink)


def _drawn(picture: Picture) -> npt.NDArray[np.bool_]:
    paper, ink = float(np.median(picture)), float(np.percentile(picture, 0.1))
    found: npt.NDArray[np.bool_] = picture < paper - INK * (paper - ink)
    return found


def _boxes(rules: Rules) -> Iterable[Box]:
    yield from ((rule.start, rule.at, rule.end, rule.at) for rule in rules.horizontals)
    yield from ((rule.at, rule.start, rule.at, rule.end) for rule in rules.verticals)


def _part(picture: Any, box: Box, points: float) -> Any:
    """Return the part of a picture in a box of points."""
    x0, y0, x1, y1 = (max(0, round(edge / points)) for edge in box)
    return picture[y0:y1, x0:x1]
