"""Aligned tables: the cells of a table that white space separates, along a grid of its rows and columns."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from tasks.parse.layout.geometry import Box, centre, overlap, union
from tasks.parse.layout.rules import Rule, Rules
from tasks.parse.layout.words import Word, word_space
from tasks.parse.tables.cells import Cell, figures_of
from tasks.parse.tables.column_edges import CURRENCIES, columns_of, missing_edges
from tasks.parse.tables.heads import RunLine, WordRun, spread, uncrowded

CLOSE = 1.4
"""Largest distance between lines of one cell, in type sizes."""


def aligned_cells(words: Sequence[Word], horizontals: Sequence[float], verticals: Sequence[float], rules: Rules) -> list[Cell]:
    """Return the cells between the given edges; every word is in one. Rows and columns without words are dropped."""
    verticals = [*verticals, *_drawn_down(words, rules)]
    verticals = sorted([*verticals, *missing_edges(text_lines(words), verticals)])
    lines = _lines(words, sorted([*horizontals, *_drawn_between(words, rules)]), verticals)
    lines = uncrowded(_without_empty_columns(lines))
    n_columns = max((run.last for line in lines for run in line), default=-1) + 1
    head = _head(lines, n_columns)
    lines, head = _with_wraps(lines, head, rules)
    return spread(lines, head, n_columns, rules)


def _drawn_between(words: Sequence[Word], rules: Rules) -> list[float]:
    """Return the positions of horizontal rules that separate words above and below without touching any."""
    x0, y0, x1, y1 = union(word.box for word in words)
    across = [rule for rule in rules.horizontals if y0 < rule.at < y1 and min(rule.end, x1) - max(rule.start, x0) > (x1 - x0) / 4]
    return [rule.at for rule in across if not any(_is_struck(word.box, rule) for word in words)]


def _drawn_down(words: Sequence[Word], rules: Rules) -> list[float]:
    """Return the positions of vertical rules that separate words over half the table's height without touching any."""
    x0, y0, x1, y1 = union(word.box for word in words)
    down = [rule for rule in rules.verticals if x0 < rule.at < x1 and min(rule.end, y1) - max(rule.start, y0) > (y1 - y0) / 2]
    turned = [(w.box[1], w.box[0], w.box[3], w.box[2]) for w in words]
    return [rule.at for rule in down if not any(_is_struck(box, rule) for box in turned)]


def _is_struck(box: Box, rule: Rule) -> bool:
    return box[1] + 1 < rule.at < box[3] - 1 and box[0] < rule.end and box[2] > rule.start


def _lines(words: Sequence[Word], horizontals: Sequence[float], verticals: Sequence[float]) -> list[RunLine]:
    rows: dict[int, list[Word]] = {}
    for word in words:
        rows.setdefault(bisect_left(horizontals, centre(word.box)[1]), []).append(word)
    parts = [part for n in sorted(rows) for part in _parts([_pieces(line, verticals) for line in text_lines(rows[n])])]
    return [_runs(part) for part in parts]


def text_lines(words: Sequence[Word]) -> list[list[Word]]:
    """Return the words of each height, top to bottom."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda word: centre(word.box)[1]):
        if lines and overlap(word.box[1], word.box[3], lines[-1][0].box[1], lines[-1][0].box[3]) > 0.5:
            lines[-1].append(word)
        else:
            lines.append([word])
    return lines


def _pieces(line: Sequence[Word], verticals: Sequence[float]) -> RunLine:
    """Cut a line at the columns' edges, except where words cross an edge, as in a heading over several columns."""
    ordered = sorted(line, key=lambda word: word.box[0])
    columns = columns_of(ordered, verticals)
    pieces = [[0]]
    for n, (before, after) in enumerate(pairwise(ordered)):
        apart = after.box[0] - before.box[2] > word_space(before)
        figures = any(c.isdigit() for c in before.text) and any(c.isdigit() or c in CURRENCIES for c in after.text)
        if columns[n] != columns[n + 1] and (apart or figures):
            pieces.append([])
        pieces[-1].append(n + 1)
    held = [[columns[n] for n in piece] for piece in pieces]
    return [WordRun(tuple(ordered[n] for n in piece), min(c), max(c)) for piece, c in zip(pieces, held, strict=True)]


def _parts(lines: Sequence[RunLine]) -> list[list[RunLine]]:
    """Separate lines that the grid wrongly takes for one row: two levels of headings, or figures of two rows."""
    parts = [[lines[0]]]
    for line in lines[1:]:
        if _is_alone(line, parts[-1]) or any(_apart(above, line) for above in parts[-1]):
            parts.append([])
        parts[-1].append(line)
    return parts


def _is_alone(line: RunLine, above: Sequence[RunLine]) -> bool:
    """Tell whether a line neither continues a cell above nor is beside one, so that it is not in the same row."""
    held = [run for other in above for run in other]
    bottom = max(run.box[3] for run in held)
    return all(run.box[1] > bottom and not any(_share(run, other) for other in held) for run in line)


def _share(a: WordRun, b: WordRun) -> bool:
    return a.first <= b.last and b.first <= a.last


def _apart(above: RunLine, below: RunLine) -> bool:
    wide = [(a, b) for a, b in ((above, below), (below, above)) for run in a if sum(_within(r, run) for r in b) > 1]
    figures = [run for run in below if run.is_figure() and any(r.is_figure() and _within(r, run) for r in above)]
    return bool(wide) or len(figures) > 1


def _within(inner: WordRun, outer: WordRun) -> bool:
    return outer.first <= inner.first and inner.last <= outer.last


def _runs(lines: Sequence[RunLine]) -> RunLine:
    """Join the pieces in one column of a row, with those in all columns that one of the pieces crosses."""
    spans: list[tuple[int, int]] = []
    for first, last in sorted((run.first, run.last) for line in lines for run in line):
        if spans and first <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(spans[-1][1], last)
        else:
            spans.append((first, last))
    return [
        WordRun(tuple(word for line in lines for run in line if first <= run.first <= last for word in run.words), first, last)
        for first, last in spans
    ]


def _without_empty_columns(lines: Sequence[RunLine]) -> list[RunLine]:
    """Drop columns in which no run starts or ends by itself: an edge that only headings cross separates nothing."""
    used = sorted({run.first for line in lines for run in line if run.first == run.last})
    if not used:
        used = sorted({run.first for line in lines for run in line})
    return [_renumbered(line, used) for line in lines]


def _renumbered(line: RunLine, used: Sequence[int]) -> RunLine:
    """Give runs the numbers of their columns among `used`; a run in none of them joins the column of its neighbour."""
    found: dict[tuple[int, int], list[Word]] = {}
    for run in line:
        inside = [n for n, column in enumerate(used) if run.first <= column <= run.last]
        nearest = min(range(len(used)), key=lambda n: abs(used[n] - run.first))
        place = (inside[0], inside[-1]) if inside else (nearest, nearest)
        found.setdefault(place, []).extend(run.words)
    return [WordRun(tuple(words), *place) for place, words in sorted(found.items())]


def _head(lines: Sequence[RunLine], n_columns: int) -> int:
    """Return the number of rows of headings: those above the first row of figures, or up to and including the first full row."""
    with_figures = [n for n, line in enumerate(lines) if _has_figures(line)]
    for n, line in enumerate(lines):
        if with_figures and n == with_figures[0]:
            return n
        full = sum(run.first == run.last for run in line) >= max(2, 0.7 * n_columns)
        if full and not (with_figures and _goes_on_heading(line, lines[n + 1])):
            return n + 1
    return min(1, len(lines))


def _has_figures(line: RunLine) -> bool:
    beyond = [run.text for run in line if run.first > 0]
    return bool(beyond) and len(figures_of(beyond)) * 2 >= len(beyond)


def _pitch(above: RunLine, below: RunLine) -> float:
    """Return the distance in points from the last line of one row to the first line of the next."""
    last = max(word.box[3] for run in above for word in run.words)
    first = min(centre(word.box)[1] for run in below for word in run.words)
    return first - min(centre(word.box)[1] for run in above for word in run.words if word.box[3] > last - 0.5 * word.size)


def _size(line: RunLine) -> float:
    return max(word.size for run in line for word in run.words)


def _with_wraps(lines: Sequence[RunLine], head: int, rules: Rules) -> tuple[list[RunLine], int]:
    """Join rows that continue the text of the row above, and count the remaining rows of headings."""
    joined: list[RunLine] = []
    heads = 0
    for n, line in enumerate(lines):
        above = lines[n - 1] if n else []
        wraps = bool(joined) and (n < head) == (n - 1 < head) and not _ruled(above, line, rules)
        if wraps and (
            _goes_on_heading(above, line) if n < head else _goes_on(lines[max(n - 2, 0) : n], line, lines[n + 1 : n + 2])
        ):
            joined[-1] = _both(joined[-1], line)
        else:
            joined.append(line)
            heads += n < head
    return joined, heads


def _ruled(above: RunLine, below: RunLine, rules: Rules) -> bool:
    top, bottom = max(centre(run.box)[1] for run in above), min(centre(run.box)[1] for run in below)
    x0, _, x1, _ = union(run.box for run in below)
    return any(top < rule.at < bottom and min(rule.end, x1) - max(rule.start, x0) > 3 for rule in rules.horizontals)


def _goes_on_heading(above: RunLine, below: RunLine) -> bool:
    """Tell whether a row continues wrapped headings above. A heading over several columns has its own row."""
    single = all(run.first == run.last and not run.is_figure() for run in [*above, *below])
    wrapped = any(_share(a, b) for a in above for b in below)
    return single and wrapped and _pitch(above, below) < CLOSE * _size(below)


def _goes_on(before: Sequence[RunLine], below: RunLine, after: Sequence[RunLine]) -> bool:
    """Tell whether a row is the rest of the row above: only text, in columns filled above, and closer to it than to the next.

    A row with text in the first column is separate, unless it is closer than earlier rows are, or continues a sentence.
    """
    above = before[-1]
    columns = {run.first for run in above}
    if any(run.is_figure() or run.first != run.last or run.first not in columns for run in below):
        return False
    space = _pitch(above, below)
    if space >= CLOSE * _size(below) or (len(below) >= len(above) and (len(above) < 2 or not after)):
        return False
    if min(columns) < min(run.first for run in below) or _amid_sentence(above, below):
        return True
    nearer = not after or space < 0.8 * _pitch(below, after[0])
    return nearer and (len(before) < 2 or space < 0.8 * _pitch(before[0], above))


def _amid_sentence(above: RunLine, below: RunLine) -> bool:
    """Tell whether all runs start in lower case, one with several words, and no run of the row above does."""
    small = all(run.text[0].islower() for run in below) and any(" " in run.text for run in below)
    return small and not any(run.text[0].islower() for run in above)


def _both(above: RunLine, below: RunLine) -> RunLine:
    found: dict[tuple[int, int], list[Word]] = {}
    for run in [*above, *below]:
        found.setdefault((run.first, run.last), []).extend(run.words)
    return [WordRun(tuple(words), *place) for place, words in sorted(found.items())]
