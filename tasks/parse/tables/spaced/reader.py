"""Spaced tables: cells from the white space between words, and from the rules that part rows."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import exp
from statistics import median

from tasks.parse.judge.trees import Trees
from tasks.parse.layout.geometry import Box, centre, union
from tasks.parse.layout.regions import Remark
from tasks.parse.layout.rules import Rule, Rules, edges_of
from tasks.parse.layout.words import Word
from tasks.parse.tables.cells import Cell
from tasks.parse.tables.spaced.breaks import SAME, levelled, limits_of, pitches, row_starts
from tasks.parse.tables.spaced.columns import Extent, in_columns
from tasks.parse.tables.spaced.head import all_spans, head_lines, head_starts, heightened, label_pitch, near_limit
from tasks.parse.tables.spaced.pieces import MEASURED, Line, cut_at_edges, joined_by_column, pieces_of
from tasks.parse.tables.spaced.row_features import TableLines, row_features
from tasks.parse.tables.text_lines import text_lines
from tasks.parse.tables.thresholds import ACROSS
from tasks.parse.tables.torn import texts_of

LINES = 8
"""Most lines of a row in a scan, on average: if even fewer are far from the line above them, lines between them were lost."""
RULED = 2
"""Fewest rules within the body for rows to be what lies between rules."""
WEIGHT = 1.0
"""What joining lines costs by each unit of the judge's log-odds that they are two rows; 0.5 and 1 alike on sources left out."""
UNRULED = 2.0
"""What joining a line without a rule above it saves, where rules part rows."""
ANEW = 2.0
"""Cost of joining a line that has text in as many columns as the first of the row, none of it in lower case; 4 is worse."""
SURE = 2.0
"""Least log-odds by which the judge parts or joins lines of a head; 2.0 is 0.88, and as good as 2.9 on sources left out."""


def spaced_cells(words: Sequence[Word], rules: Rules, judge: Trees | None = None) -> list[Cell]:
    """Return the cells of a table; every word is in one. A `judge` of FEATURES has a say in where rows begin."""
    table = lines_of_table(words, rules)
    head, body = row_starts_of(table, _odds(table, judge))
    rows = _rows(table.lines, [*head, *body])
    spanned = all_spans(rows[: len(head) + 1], table.columns, rules)[: len(head)]
    whole_rows = [*spanned, *rows[len(head) :]]
    return heightened(_cells(whole_rows, len(table.columns), len(head)), len(head), len(table.columns))


def explain_rows(words: Sequence[Word], rules: Rules, judge: Trees) -> Iterator[Remark]:
    """Yield what the judge says of each line of a table that `spaced_cells` reads but the first, and whether it begins a row."""
    table = lines_of_table(words, rules)
    odds = _odds(table, judge)
    head, body = row_starts_of(table, odds)
    starts, sure = {*head, *body}, _share_of(SURE)
    for n, line in enumerate(table.lines[1:], 1):
        begins = "begins" if n in starts else "begins no"
        also = "beside distances" if n >= min(body, default=n + 1) else f"alone below {1 - sure:.2f} or above {sure:.2f}"
        what = f"{_share_of(odds[n]):.2f} for a new row, {also}; {begins} row: {' '.join(piece.text for piece in line)}"
        yield Remark(union(piece.box for piece in line), what)


def _share_of(odds: float) -> float:
    """Return the probability, in [0, 1], of log-odds."""
    return 1 / (1 + exp(-odds))


def lines_of_table(words: Sequence[Word], rules: Rules) -> TableLines:
    """Return the lines and columns that the words of a table form."""
    words = of_one_size(words)
    lines, columns = in_columns(cut_at_edges([pieces_of(line, rules.verticals) for line in levelled(text_lines(words))]))
    whole, any_rule = ([_parted(lines, n, rules, columns, each) for n in range(len(lines))] for each in (True, False))
    return TableLines(lines, columns, pitches(lines), whole, any_rule)


def row_starts_of(table: TableLines, odds: Sequence[float]) -> tuple[list[int], list[int]]:
    """Return the first line of each row of the head, and of each of the body, given the log-odds that lines begin rows."""
    lines, distances = table.lines, table.distances
    n_head = head_lines(lines, table.ruled, distances)
    scanned = not any(word.font for line in lines for piece in line for word in piece.words)
    limits = limits_of(distances[1:], sum(table.ruled[n_head:][1:]) >= RULED, not scanned)
    inner = label_pitch(lines[:n_head], distances)
    body = TableLines(lines[n_head:], table.columns, distances[n_head:], table.ruled[n_head:], table.underlined[n_head:])
    starts, near = _body(body, odds[n_head:], limits, inner, scanned)
    if not n_head:
        return [], starts
    head = head_starts(lines[:n_head], distances[:n_head], table.underlined[:n_head], near, table.columns)
    head = [n for n in range(n_head) if not n or odds[n] > SURE or (odds[n] > -SURE and n in head)]
    return head, [n + n_head for n in starts]


def _odds(table: TableLines, judge: Trees | None) -> list[float]:
    """Return the log-odds that each line begins a row, 0 for the first and without a judge."""
    if judge is None or len(table.lines) < 2:
        return [0.0] * len(table.lines)
    return [0.0, *judge.scores(row_features(table))[:, 0].tolist()]


def of_one_size(words: Sequence[Word]) -> Sequence[Word]:
    """Return words with those of a scan in the table's usual type size that seem nearly as large."""
    if any(word.font for word in words):
        return words
    usual = median(word.size for word in words)
    return [word._replace(size=usual) if abs(word.size - usual) <= MEASURED * max(word.size, usual) else word for word in words]


def _body(
    table: TableLines, odds: Sequence[float], limits: Sequence[float], within: float, scanned: bool
) -> tuple[list[int], float | None]:
    """Return the first line of each row of a body, and the distance below which lines are of one row.

    `within` is the distance of lines in one cell of the head, 0 where none has two.
    """
    lines, distances, forced = table.lines, table.distances, table.underlined
    if not lines:
        return [], None
    ruled = sum(forced[1:]) >= RULED
    few = max(1.0, len(lines) / LINES) if scanned else 1.0

    def cost_of_joining(first: int, n: int) -> float:
        return WEIGHT * odds[n] + ANEW * _begins_anew(lines[first], lines[n]) - UNRULED * ruled

    starts, _ = row_starts(distances, forced, cost_of_joining, limits, within, few)
    return starts, near_limit(distances, starts, SAME)


def _begins_anew(first: Line, line: Line) -> bool:
    """Return whether a line has as many texts as the first line of a row, several, and none that starts in lower case."""
    return 1 < len(line) >= len(first) and not any(piece.text[0].islower() for piece in line)


def _parted(lines: Sequence[Line], n: int, rules: Rules, columns: Sequence[Extent], whole: bool) -> bool:
    """Return whether a rule is between line `n` and the line above it.

    A `whole` one reaches over the first column and most others. Edges of coloured surfaces count only if they do.
    """
    if not n:
        return False
    top, bottom = max(centre(piece.box)[1] for piece in lines[n - 1]), min(centre(piece.box)[1] for piece in lines[n])
    left, right = columns[0][0], columns[-1][1]
    drawn = [rule for rule in rules.horizontals if top < rule.at < bottom and rule.start < right and rule.end > left]
    between = [*drawn, *(edge for edge in edges_of(rules.bands) if top < edge.at < bottom)]
    over = [any(min(rule.end, end) - max(rule.start, start) > 0.5 * (end - start) for rule in between) for start, end in columns]
    if over[0] and sum(over) > ACROSS * len(over):
        return True
    words = [word.box for line in lines[n - 1 : n + 1] for piece in line for word in piece.words]
    return not whole and any(rule.end - rule.start > 3 and not any(_is_struck(word, rule) for word in words) for rule in drawn)


def _is_struck(box: Box, rule: Rule) -> bool:
    return box[1] + 1 < rule.at < box[3] - 1 and box[0] < rule.end and box[2] > rule.start


def _rows(lines: Sequence[Line], starts: Sequence[int]) -> list[Line]:
    return [_merged(lines[a:b]) for a, b in pairwise([*starts, len(lines)])]


def _merged(lines: Sequence[Line]) -> Line:
    """Join the pieces of a row that share columns."""
    return joined_by_column(sorted((piece for line in lines for piece in line), key=lambda piece: (piece.first, piece.last)))


def _cells(rows: Sequence[Line], n_columns: int, n_head: int) -> list[Cell]:
    """Return a cell for each piece; one alone beside an empty first column stands over all others."""
    numbered = [(number, piece) for number, row in enumerate(rows) for piece in row]
    texts = texts_of([piece.words for _, piece in numbered], [None if piece.wide else piece.first for _, piece in numbered])
    found = []
    for (number, piece), text in zip(numbered, texts, strict=True):
        row = rows[number]
        banner = number >= n_head and len(row) == 1 and piece.first > 0 and n_columns > 2 and not piece.is_figure()
        first, last = (1, n_columns - 1) if banner else (piece.first, piece.last)
        found.append(Cell(number, first, text, 1, last - first + 1))
    return found
