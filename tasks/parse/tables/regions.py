"""Regions of tables: corrects those of the layout model by the rules on the page and by captions."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from tasks.parse.layout.geometry import Box, centre, grown, holds, share, union
from tasks.parse.layout.regions import FRAMED, Region
from tasks.parse.layout.rules import Rules, places, rules_in
from tasks.parse.layout.words import Word, words_in
from tasks.parse.tables.captioned import captioned
from tasks.parse.tables.cells import Cell, extent
from tasks.parse.tables.cuts import apart_from_title, cut_at_prose, without_first, without_headings, without_lone, without_tail
from tasks.parse.tables.frames import frames_of
from tasks.parse.tables.lattice import ruled_cells
from tasks.parse.tables.page_columns import apart_at, in_page_columns, page_gutters, strips
from tasks.parse.tables.spaced.aligned import aligned_tables
from tasks.parse.tables.spaced.apart import tables_in
from tasks.parse.tables.spaced.between import tables_between
from tasks.parse.tables.spaced.extended import extended
from tasks.parse.tables.spaced.loose import as_text, is_loose
from tasks.parse.tables.text_lines import text_lines

MOSTLY = 0.8
"""A frame belongs to a region that contains at least this share of it."""
LEAST_FILLED = 0.6
"""A frame outside all table regions is a table if at least this share of its places has text, unlike charts and forms."""

OVERLAP = 0.3
"""Tables with a larger share of one in the other are one."""

LARGER = 1.1
"""Smallest type size of a heading above a table, by that of the table."""
MORE = 2
"""Fewest lines that a table has beside those that the model sees as one."""
SPACER = 24.0
"""Largest white space between rows of one table, in points: two lines of text."""


def with_tables(words: Sequence[Word], regions: Sequence[Region], rules: Rules) -> list[Region]:
    """Return `regions` with tables cut, extended or added where rules, captions or paragraphs show it."""
    frames = frames_of(rules)
    gutters = page_gutters(regions, words)
    regions = _parted(gutters, regions, frames, words)
    text = [region for region in regions if region.kind not in ("table", "figure")]
    found = [part for region in _united(regions) for part in _in_columns(region, words, text, rules)]
    found = [part for region in found for part in _cut(region, frames, words, rules)]
    found = [part for region in found for part in _without_prose(region, frames, words, text, rules)]
    found = [part for region in found for part in apart_from_title(region, words, text)]
    found = [as_text(region, words, rules) for region in found]
    for frame in frames:
        found = _with_frame(found, frame, words, rules)
    headings = [region.box for region in text if region.kind in ("heading", "title")]
    for box in tables_between(words, rules):
        found = _with_ruled(found, without_lone(without_headings(box, words, headings), words, rules), words)
    loose = [region for region in found if is_loose(region, rules)]
    others = [region for region in found if region not in loose]
    for box in aligned_tables(words, others, [region.box for region in loose], gutters):
        found = _with_aligned(found, without_lone(without_headings(box, words, headings), words, rules), words)
    found = captioned(words, extended(words, found, rules), rules)
    return [replace(region, rules=rules) if region.kind == "table" else region for region in found]


def _parted(gutters: Sequence[float], regions: Sequence[Region], frames: Sequence[Box], words: Sequence[Word]) -> list[Region]:
    """Return regions apart at the columns of the page, parts of tables without the text that the model sees above their rows.

    Those around frames stay: frames show where their tables are.
    """
    texts = [region.box for region in regions if region.kind not in ("table", "figure")]
    found: list[Region] = []
    for region in regions:
        framed = any(share(frame, region.box) > MOSTLY for frame in frames)
        parts = [region] if framed else apart_at(gutters, [region], words)
        if region.kind == "table" and len(parts) > 1:
            parts = [replace(part, box=_below_texts(part.box, words, texts)) for part in parts]
        found += parts
    return found


def _below_texts(box: Box, words: Sequence[Word], texts: Sequence[Box]) -> Box:
    """Return the box of a table's part below the lines that it begins with and that are in regions of text, unless all are."""
    for line in text_lines(words_in(words, box)):
        if not all(any(holds(text, centre(word.box)) for text in texts) for word in line):
            return box[0], min(word.box[1] for word in line) - 0.5, box[2], box[3]
    return box


def _in_columns(region: Region, words: Sequence[Word], text: Sequence[Region], rules: Rules) -> list[Region]:
    """Return a table as one for each column of the page that it reaches over, without the heading that a part begins with."""
    prose = [other.box for other in text if other.kind in ("paragraph", "list_item")]
    parts = in_page_columns(region, words, rules, prose)
    if parts == [region]:
        return parts
    headings = [other.box for other in text if other.kind in ("heading", "title")]
    return [replace(part, box=_below_heading(part.box, words, headings)) for part in parts]


def _united(regions: Sequence[Region]) -> list[Region]:
    """Return `regions` with tables that overlap as one: the model sees some columns of a table twice."""
    found: list[Region] = []
    for region in regions:
        n = next((n for n, other in enumerate(found) if _overlap(region, other)), None)
        if n is None:
            found.append(region)
        else:
            found[n] = replace(found[n], box=union([found[n].box, region.box]))
    return found


def _overlap(a: Region, b: Region) -> bool:
    return a.kind == b.kind == "table" and max(share(a.box, b.box), share(b.box, a.box)) > OVERLAP


def _with_frame(regions: list[Region], frame: Box, words: Sequence[Word], rules: Rules) -> list[Region]:
    """Return `regions` with a table in `frame`, if its cells are filled, in place of all that the model sees of it in pieces.

    What lies in a table's cells is the table's, whatever else the model takes it for: paragraphs, lists, headings, other tables.
    A table that has most of the frame stays, and so do tables that reach over it.
    """
    touched = [region.box for region in regions if region.kind == "table" and _touches(region.box, frame)]
    if not all(share(box, frame) > MOSTLY and share(frame, box) < 0.5 for box in touched):
        return regions
    if not _is_filled(frame, words, rules):
        return regions
    others = [region for region in regions if region.kind == "figure" or share(region.box, frame) < MOSTLY]
    return [*others, Region(frame, "table", role=FRAMED)]


def _with_ruled(regions: list[Region], box: Box, words: Sequence[Word]) -> list[Region]:
    """Return `regions` with a table between the rules of `box` in place of text that the model sees there, unless it has one.

    A table that lacks columns, which text beside it shows, is none.
    """
    touched = [region for region in regions if region.kind in ("table", "figure") and _touches(region.box, box)]
    if not all(region.kind == "table" and _lacks_columns(region.box, box, words) for region in touched):
        return regions
    if any(0.1 < share(region.box, box) < MOSTLY for region in regions):
        return regions
    return [*(region for region in regions if share(region.box, box) < MOSTLY), Region(box, "table", spaced=True)]


def _lacks_columns(part: Box, whole: Box, words: Sequence[Word]) -> bool:
    """Return whether most lines of a part of a table have words of the whole beside them."""
    lines = text_lines(words_in(words, (whole[0], part[1], whole[2], part[3])))
    beside = [line for line in lines if any(not part[0] < centre(word.box)[0] < part[2] for word in line)]
    return share(part, whole) > MOSTLY and 2 * len(beside) > len(lines)


def _with_aligned(regions: list[Region], box: Box, words: Sequence[Word]) -> list[Region]:
    """Return `regions` with a table in `box` in place of text that the model sees there; regions keep what is not in it.

    It is also in place of tables within it, which are the model's of some of its rows; where it has no other rows, all stay.
    """
    within = [region for region in regions if region.kind == "table" and share(region.box, box) > 0]
    more = [word for word in words_in(words, box) if not any(holds(region.box, centre(word.box)) for region in within)]
    if len(text_lines(more)) < MORE or any(share(region.box, grown(box, 2, 2)) < MOSTLY for region in within):
        return regions
    regions = [region for region in regions if region not in within]
    found = [Region(grown(box, 1, 1), "table", spaced=True)]
    for region in regions:
        beside = [word.box for word in words_in(words, region.box) if not holds(box, centre(word.box))]
        if share(region.box, box) < 0.1 or region.kind in ("table", "figure"):
            found.append(region)
        elif beside:
            found.append(replace(region, box=union(beside)))
    return found


def _touches(a: Box, b: Box) -> bool:
    return max(share(a, b), share(b, a)) >= 0.2


def _cut(region: Region, frames: Sequence[Box], words: Sequence[Word], rules: Rules) -> list[Region]:
    """Return a table as one region for each of several frames in it, or extended to the single frame that it mostly fills."""
    if region.kind != "table":
        return [region]
    inside = [frame for frame in frames if share(frame, region.box) > MOSTLY]
    if len(inside) > 1:
        parts = _apart(inside, words, rules)
        if len(parts) > 1:
            return [Region(box, "table", region.spaced) for box in parts]
    around = [frame for frame in frames if share(region.box, frame) > MOSTLY and share(frame, region.box) > 0.5]
    return [replace(region, box=union([region.box, *around]), role=FRAMED if around else region.role)]


def _without_prose(
    region: Region, frames: Sequence[Box], words: Sequence[Word], text: Sequence[Region], rules: Rules
) -> list[Region]:
    """Cut a table at the paragraphs in it and into several tables, unless it is framed: paragraphs in a frame are cells."""
    if region.kind != "table" or any(share(region.box, frame) > MOSTLY for frame in frames):
        return [region]
    columns = strips([region.box for region in text if region.kind != "furniture"])
    gutters = [(a[1] + b[0]) / 2 for a, b in pairwise(columns)]
    whole = [without_first(without_tail(box, words, rules), words, rules) for box in cut_at_prose(region, words, text)]
    whole = [without_lone(box, words, rules) for box in whole]
    boxes = [part for box in whole for part in tables_in(words, rules, box, gutters)]
    headings = [region.box for region in text if region.kind in ("heading", "title")]
    boxes = boxes if len(boxes) == 1 else [_below_heading(box, words, headings) for box in boxes]
    return [replace(region, box=box, words=[]) for box in boxes]


def _below_heading(box: Box, words: Sequence[Word], headings: Sequence[Box]) -> Box:
    """Return the box of a part of a table's region without the heading in larger type that it begins with."""
    for heading in headings:
        inside = words_in(words, box)
        own, below = words_in(inside, heading), [word for word in inside if centre(word.box)[1] > heading[3]]
        if own and below and len(own) + len(below) == len(inside) and own[0].size > LARGER * below[0].size:
            return box[0], heading[3], box[2], box[3]
    return box


def _apart(frames: Sequence[Box], words: Sequence[Word], rules: Rules) -> list[Box]:
    """Join frames below each other with the same columns, no text between them, and different headings."""
    parts: list[Box] = []
    for frame in frames:
        n = next((n for n, part in enumerate(parts) if _goes_on(part, frame, words, rules)), None)
        if n is None:
            parts.append(frame)
        else:
            parts[n] = union([parts[n], frame])
    return parts


def _goes_on(above: Box, below: Box, words: Sequence[Word], rules: Rules) -> bool:
    edges = [places(rules_in(rules, box).verticals) for box in (above, below)]
    if len(edges[0]) != len(edges[1]) or any(abs(a - b) > 3 for a, b in zip(*edges, strict=True)):
        return False
    gap = above[0], above[3], above[2], below[1]
    return (
        below[1] - above[3] < SPACER
        and not words_in(words, gap)
        and _first_row(above, words, rules) != _first_row(below, words, rules)
    )


def _first_row(box: Box, words: Sequence[Word], rules: Rules) -> list[str]:
    cells = ruled_cells(words_in(words, box), rules) or []
    return [cell.text for cell in cells if cell.row == 0]


def _is_filled(frame: Box, words: Sequence[Word], rules: Rules) -> bool:
    """Return whether enough cells of a frame have text, with at least two cells in at least two rows."""
    cells = [cell for cell in ruled_cells(words_in(words, frame), rules) or [] if cell.text]
    n_rows, n_columns = extent(cells)
    full = [n for n in range(n_rows) if sum(cell.row == n for cell in cells) > 1]
    return len(full) > 1 and sum(map(_places, cells)) >= LEAST_FILLED * n_rows * n_columns


def _places(cell: Cell) -> int:
    return cell.rows * cell.columns
