"""Regions of tables: passes that correct those of the layout model by the rules, the words and the columns of the page."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from schemas.tables.elements import HEADINGS
from tasks.parse.layout.geometry import Box, centre, grown, holds, share, union
from tasks.parse.layout.page_model import PageModel
from tasks.parse.layout.regions import FRAMED, Region, Remark
from tasks.parse.layout.rules import Rules
from tasks.parse.layout.words import Word, words_in
from tasks.parse.tables.cells import Cell, extent
from tasks.parse.tables.cuts import apart_from_title, cut_at_prose, without_headings
from tasks.parse.tables.lattice import ruled_cells
from tasks.parse.tables.page_columns import apart_at
from tasks.parse.tables.spaced.aligned import aligned_candidates
from tasks.parse.tables.spaced.between import candidates_between
from tasks.parse.tables.spaced.candidate import Candidate
from tasks.parse.tables.spaced.loose import is_loose
from tasks.parse.tables.text_lines import text_lines
from tasks.parse.tables.thresholds import LARGER

MOSTLY = 0.8
"""A frame belongs to a region that contains at least this share of it."""
LEAST_FILLED = 0.6
"""A frame outside all table regions is a table if at least this share of its places has text, unlike charts and forms."""

MORE = 2
"""Fewest lines that a table has beside those that the model sees as one."""


def apart_at_page_columns(page: PageModel, regions: Sequence[Region]) -> list[Region]:
    """Return regions apart at the columns of the page, parts of tables without the text that the model sees above their rows.

    Those around frames stay: frames show where their tables are.
    """
    texts = [region.box for region in regions if region.kind not in ("table", "figure")]
    found: list[Region] = []
    for region in regions:
        framed = any(share(frame, region.box) > MOSTLY for frame in page.grids)
        parts = [region] if framed else apart_at(page.gutters, [region], page.words)
        if region.kind == "table" and len(parts) > 1:
            parts = [replace(part, box=_below_texts(part.box, page.words, texts)) for part in parts]
        found += parts
    return found


def _below_texts(box: Box, words: Sequence[Word], texts: Sequence[Box]) -> Box:
    """Return the box of a table's part below the lines that it begins with and that are in regions of text, unless all are."""
    for line in text_lines(words_in(words, box)):
        if not all(any(holds(text, centre(word.box)) for text in texts) for word in line):
            return box[0], min(word.box[1] for word in line) - 0.5, box[2], box[3]
    return box


def _headings(regions: Sequence[Region]) -> list[Box]:
    return [region.box for region in regions if region.kind in HEADINGS]


def with_framed_tables(page: PageModel, regions: Sequence[Region]) -> list[Region]:
    """Return `regions` with a table in each grid whose cells are filled, in place of all that the model sees of it in pieces.

    What lies in a table's cells is the table's, whatever else the model takes it for: paragraphs, lists, headings, other tables.
    A table that has most of the grid stays, and so do tables that reach over it.
    """
    found = list(regions)
    for grid in page.grids:
        if not _grid_veto(grid, found, page):
            others = [region for region in found if region.kind == "figure" or share(region.box, grid) < MOSTLY]
            found = [*others, Region(grid, "table", role=FRAMED)]
    return found


def explain_framed_tables(page: PageModel, regions: Sequence[Region]) -> Iterator[Remark]:
    """Yield the grids in which `with_framed_tables` makes no table, and why."""
    vetoes = ((grid, _grid_veto(grid, regions, page)) for grid in page.grids)
    return (Remark(grid, f"no table: {veto}") for grid, veto in vetoes if veto)


def _grid_veto(grid: Box, regions: Sequence[Region], page: PageModel) -> str:
    """Return why no new table is in a grid, "" if one is."""
    touched = [region.box for region in regions if region.kind == "table" and _touches(region.box, grid)]
    if not all(share(box, grid) > MOSTLY and share(grid, box) < 0.5 for box in touched):
        return "a table is there already"
    return "" if _is_filled(grid, page.words, page.rules) else "too few cells of the grid have text"


def with_booktabs_tables(page: PageModel, regions: Sequence[Region]) -> list[Region]:
    """Return `regions` with tables between rules of one width, as booktabs draws them, in place of text that the model sees."""
    found, _ = _with_candidates(page, regions, candidates_between(page.words, page.rules, page.typewritten), _with_ruled)
    return found


def explain_booktabs_tables(page: PageModel, regions: Sequence[Region]) -> list[Remark]:
    """Return where `with_booktabs_tables` makes no table between rules, and why."""
    _, refused = _with_candidates(page, regions, candidates_between(page.words, page.rules, page.typewritten), _with_ruled)
    return refused


def with_stream_tables(page: PageModel, regions: Sequence[Region]) -> list[Region]:
    """Return `regions` with tables that white space alone shows, by lines that start at the same places, in place of text."""
    found, _ = _with_candidates(page, regions, _stream_candidates(page, regions), _with_aligned)
    return found


def explain_stream_tables(page: PageModel, regions: Sequence[Region]) -> list[Remark]:
    """Return the lines beside each other of which `with_stream_tables` makes no table, and why."""
    _, refused = _with_candidates(page, regions, _stream_candidates(page, regions), _with_aligned)
    return refused


def _stream_candidates(page: PageModel, regions: Sequence[Region]) -> list[Candidate]:
    loose = [region for region in regions if is_loose(region, page.rules)]
    others = [region for region in regions if region not in loose]
    return aligned_candidates(page.words, others, [region.box for region in loose], page.gutters)


def _with_candidates(
    page: PageModel,
    regions: Sequence[Region],
    candidates: Sequence[Candidate],
    place: Callable[[list[Region], Box, Sequence[Word]], list[Region]],
) -> tuple[list[Region], list[Remark]]:
    """Return `regions` with a table for each candidate that nothing speaks against, and remarks on all others."""
    found, headings = list(regions), _headings(regions)
    refused: list[Remark] = []
    for box, veto in candidates:
        before = found
        if not veto:
            found = place(before, without_headings(box, page.words, headings), page.words)
        if found is before:
            refused.append(Remark(box, f"no table: {veto or 'a table or figure is there, or a region that reaches over it'}"))
    return found, refused


def _with_ruled(regions: list[Region], box: Box, words: Sequence[Word]) -> list[Region]:
    """Return `regions` with a table between the rules of `box` in place of text that the model sees there, unless it has one."""
    if any(region.kind in ("table", "figure") and _touches(region.box, box) for region in regions):
        return regions
    if any(0.1 < share(region.box, box) < MOSTLY for region in regions):
        return regions
    return [*(region for region in regions if share(region.box, box) < MOSTLY), Region(box, "table", spaced=True)]


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


def cut_at_grids(page: PageModel, regions: Sequence[Region]) -> list[Region]:
    """Return tables as one for each of several grids in them, or extended to the single grid that they mostly fill."""
    return [part for region in regions for part in _cut(region, page.grids)]


def _cut(region: Region, grids: Sequence[Box]) -> list[Region]:
    if region.kind != "table":
        return [region]
    inside = [grid for grid in grids if share(grid, region.box) > MOSTLY]
    if len(inside) > 1:
        return [replace(region, box=box, role="") for box in inside]
    around = [grid for grid in grids if share(region.box, grid) > MOSTLY and share(grid, region.box) > 0.5]
    return [replace(region, box=union([region.box, *around]), role=FRAMED)] if around else [region]


def cut_tables_at_prose(page: PageModel, regions: Sequence[Region]) -> list[Region]:
    """Return tables cut at the paragraphs in them, unless they are in a grid: paragraphs in a grid are cells."""
    text = [region for region in regions if region.kind not in ("table", "figure")]
    return _with_boxes(page, regions, lambda region: cut_at_prose(region, page.words, text))


def trimmed_by(trim: Callable[[Box, Sequence[Word], Rules], Box]) -> Callable[[PageModel, Sequence[Region]], list[Region]]:
    """Return the pass that trims the boxes of tables that are in no grid."""
    return lambda page, regions: _with_boxes(page, regions, lambda region: [trim(region.box, page.words, page.rules)])


def apart_by(parts: Callable[[Sequence[Word], Rules, Box], list[Box]]) -> Callable[[PageModel, Sequence[Region]], list[Region]]:
    """Return the pass that splits tables that are in no grid."""
    return lambda page, regions: _with_boxes(page, regions, lambda region: parts(page.words, page.rules, region.box))


def apart_from_titles(page: PageModel, regions: Sequence[Region]) -> list[Region]:
    """Return scanned tables and the headings in much larger type that they begin with apart."""
    text = [region for region in regions if region.kind not in ("table", "figure")]
    return [part for region in regions for part in apart_from_title(region, page.words, text)]


def with_rules(page: PageModel, regions: Sequence[Region]) -> list[Region]:
    """Return tables with the rules of the page, by which their cells are read."""
    return [replace(region, rules=page.rules) if region.kind == "table" else region for region in regions]


def _with_boxes(page: PageModel, regions: Sequence[Region], parts: Callable[[Region], list[Box]]) -> list[Region]:
    """Return tables that are in no grid in the boxes of their `parts`, several below the headings that they begin with."""
    headings = _headings(regions)
    found: list[Region] = []
    for region in regions:
        free = region.kind == "table" and not any(share(region.box, grid) > MOSTLY for grid in page.grids)
        boxes = parts(region) if free else [region.box]
        if boxes == [region.box]:
            found.append(region)
        else:
            made = [replace(region, box=box) for box in boxes]
            found += made if len(made) == 1 else [_below_heading(part, page.words, headings) for part in made]
    return found


def _below_heading(table: Region, words: Sequence[Word], headings: Sequence[Box]) -> Region:
    """Return a part of a table's region without the heading in larger type that it begins with."""
    box = table.box
    for heading in headings:
        inside = words_in(words, box)
        own, below = words_in(inside, heading), [word for word in inside if centre(word.box)[1] > heading[3]]
        if own and below and len(own) + len(below) == len(inside) and own[0].size > LARGER * below[0].size:
            return replace(table, box=(box[0], heading[3], box[2], box[3]))
    return table


def _is_filled(frame: Box, words: Sequence[Word], rules: Rules) -> bool:
    """Return whether enough cells of a frame have text, with at least two cells in at least two rows."""
    cells = [cell for cell in ruled_cells(words_in(words, frame), rules) or [] if cell.text]
    n_rows, n_columns = extent(cells)
    full = [n for n in range(n_rows) if sum(cell.row == n for cell in cells) > 1]
    return len(full) > 1 and sum(map(_places, cells)) >= LEAST_FILLED * n_rows * n_columns


def _places(cell: Cell) -> int:
    return cell.rows * cell.columns
