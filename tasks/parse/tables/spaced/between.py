"""Between rules: tables that the layout model takes for text, shown by rules of one width with columns between them."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from tasks.parse.layout.geometry import Box
from tasks.parse.layout.lines import LABEL
from tasks.parse.layout.rules import TOUCHING, Rule, Rules
from tasks.parse.layout.words import Word, words_in
from tasks.parse.tables.cells import Cell, extent
from tasks.parse.tables.cuts import has_cell
from tasks.parse.tables.spaced.candidate import Candidate
from tasks.parse.tables.spaced.loose import is_listing
from tasks.parse.tables.spaced.names import are_calls
from tasks.parse.tables.spaced.pieces import Line, lines_in
from tasks.parse.tables.spaced.reader import spaced_cells
from tasks.parse.tables.spaced.stacked import below_each_other
from tasks.parse.tables.text_lines import text_lines
from tasks.parse.tables.thresholds import FLUSH

LONG = 8
"""Fewest words of a line of prose."""
SHORT = 4
"""Most words, in the median, of the cells between two rules that are a table without a head, or of those in its first column."""
FILLED = 0.6
"""Least share of a table's places that have text."""
FLAT = 3.0
"""Largest height of a row with a single cell, in type sizes."""
MAX_RULES = 400
"""A page with more rules across has a map, a chart or a form."""


def tables_between(words: Sequence[Word], rules: Rules, typewritten: bool = False) -> list[Box]:
    """Return the rectangles of the tables among `candidates_between`."""
    return [one.box for one in candidates_between(words, rules, typewritten) if not one.veto]


def candidates_between(words: Sequence[Word], rules: Rules, typewritten: bool = False) -> list[Candidate]:
    """Return the rectangles between rules of one width that contain no prose: tables where they have rows of several columns.

    What is in fixed-width type is a listing unless the page is `typewritten`.
    """
    if len(rules.horizontals) > MAX_RULES:
        return []
    runs = [box for chain in _chains(rules.horizontals) for box in _runs(words, rules, chain)]
    found = [part for box in runs for part in below_each_other(words, rules, box)]
    parts = [(box, [word for word in words_in(words, box) if word.upright]) for box in found]
    return [Candidate(box, _veto(inside, rules, box, typewritten)) for box, inside in parts]


def _chains(across: Sequence[Rule]) -> list[list[Rule]]:
    """Group rules that start and end at the same places, top to bottom."""
    chains: list[list[Rule]] = []
    for rule in sorted(across, key=lambda rule: rule.at):
        home = next((c for c in chains if max(abs(c[0].start - rule.start), abs(c[0].end - rule.end)) <= TOUCHING), None)
        if home is None:
            chains.append([rule])
        else:
            home.append(rule)
    return [chain for chain in chains if len(chain) > 1]


def _runs(words: Sequence[Word], rules: Rules, chain: Sequence[Rule]) -> list[Box]:
    """Return the rectangles of consecutive rules with nothing but parts of tables between them."""
    found: list[list[float]] = []
    whole = False
    for above, below in pairwise(chain):
        box = above.start, above.at, above.end, below.at
        if _is_side(above, rules, top=False) or _is_side(below, rules, top=True):
            whole = False
            continue
        lines = lines_in(words, rules, box)
        if not _may_be_rows(lines, box):
            whole = False
            continue
        if whole:
            found[-1][1] = below.at
        else:
            found.append([above.at, below.at])
        whole = True
    return [(chain[0].start, top, chain[0].end, bottom) for top, bottom in found]


def _is_side(rule: Rule, rules: Rules, top: bool) -> bool:
    """Return whether a rule is the upper (`top`) or the lower side of a box, and nothing goes on at its other side."""
    near = [down for down in rules.verticals if rule.start - TOUCHING <= down.at <= rule.end + TOUCHING]
    above = [down.at for down in near if down.start < rule.at - TOUCHING <= down.end]
    below = [down.at for down in near if down.start <= rule.at + TOUCHING < down.end]
    inside, outside = (below, above) if top else (above, below)
    return not outside and all(any(abs(x - end) <= TOUCHING for x in inside) for end in (rule.start, rule.end))


def _may_be_rows(lines: Sequence[Line], box: Box) -> bool:
    """Return whether lines may be rows: none is prose, and one has several pieces at least, or it is alone.

    Long lines that begin where the second piece of others does are the rest of a cell.
    """
    several = [line for line in lines if len(line) > 1]
    edge = min((line[1].box[0] for line in several), default=box[2]) - 1
    if not lines or any(_is_prose(line, edge) for line in lines):
        return False
    return bool(several) or (len(lines) == 1 and box[3] - box[1] < FLAT * lines[0][0].size)


def _is_prose(line: Line, edge: float) -> bool:
    """Return whether a line of many words starts before the second column, and has no cell that starts there."""
    long = len(line) == 1 and len(line[0].words) >= LONG and line[0].box[0] < edge
    return long and not has_cell(line[0].words, edge + 1)


def _veto(words: Sequence[Word], rules: Rules, box: Box, typewritten: bool) -> str:
    """Return why words in a box form no rows of several columns, "" if they do."""
    if not words:
        return "no upright words"
    cells = [cell for cell in spaced_cells(words, rules) if cell.text]
    n_rows, n_columns = extent(cells)
    within = sum(box[1] - 1 < rule.at < box[3] + 1 and rule.start < box[2] and rule.end > box[0] for rule in rules.horizontals)
    if within < 3 and not typewritten and is_listing(words):
        return "it is a listing"
    if _are_code_names(words):
        return ""
    least = 2 + (within < 3 and not _are_full(cells, n_rows, n_columns))
    if n_rows < least or n_columns < 2:
        return "too few rows or columns"
    if len(cells) < FILLED * n_rows * n_columns:
        return "too few of its cells have text"
    several = {n for n in range(n_rows) if sum(cell.row == n for cell in cells) > 1}
    names = [cell.text for cell in cells if cell.column == 0 and cell.columns == 1]
    if 2 * sum(bool(LABEL.match(name)) for name in names) > len(names):
        return "names are labels of a list"
    stubs = [len(name.split()) for name in names]
    short = any(median(lengths) <= SHORT for lengths in (stubs, [len(cell.text.split()) for cell in cells]) if lengths)
    if len(several) <= n_rows / 2:
        return "too few rows of several cells"
    return "" if within > 2 or short else "cells are too long"


def _are_full(cells: Sequence[Cell], n_rows: int, n_columns: int) -> bool:
    """Return whether all rows have a text in each column: a name of one word, or a call, and another, or three and more."""
    names = [cell.text for cell in cells if not cell.column]
    named = are_calls(names) or not any(" " in name for name in names)
    return len(cells) == n_rows * n_columns and (n_columns > 2 or named)


def _are_code_names(words: Sequence[Word]) -> bool:
    """Return whether all lines at the left begin with one word in fixed-width type, and most of the others are in other type."""
    left = min(word.box[0] for word in words)
    lines = [sorted(line, key=lambda word: word.box[0]) for line in text_lines(words)]
    names = [line[0] for line in lines if line[0].box[0] <= left + FLUSH]
    others = [word for line in lines for word in line if not any(word is name for name in names)]
    typed = all(name.mono for name in names) and 2 * sum(word.mono for word in others) < len(others)
    return len(names) > 1 and typed
