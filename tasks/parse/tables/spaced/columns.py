"""Columns: where they are, from the pieces of all lines; lines of many pieces show more of them than lines of few."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median

from tasks.parse.layout.geometry import centre
from tasks.parse.tables.cells import FIGURE
from tasks.parse.tables.spaced.pieces import Line, Piece, covers, joined_by_column, overlaps, parted, piece_of
from tasks.parse.tables.thresholds import FLUSH

Extent = tuple[float, float]
NARROW = 0.4
"""Smallest white space between figures in columns that stand close together, in type sizes."""
USUAL, WIDER = 0.22, 1.35
"""Least usual space between words, in type sizes, and how much wider one between columns is."""
FILLED = 0.75
"""Least share of the pieces of the fullest line that a line has whose pieces show how wide columns are."""
SURELY = 0.55
"""White space between words that is no usual space, in type sizes."""
TIGHT = 0.1
"""Smallest white space between figures of different columns, in type sizes."""
TOP = 4
"""Most lines of a head."""


def in_columns(lines: Sequence[Line]) -> tuple[list[Line], list[Extent]]:
    """Return the lines, their pieces with the columns that they are in, and where each column starts and ends, in points."""
    columns = _found(lines)
    space = WIDER * _word_space(lines)
    lines = [[part for piece in line for part in _cut_between(piece, columns, space)] for line in lines]
    columns = _found(lines)
    while True:
        placed = [[_placed(piece, columns) for piece in line] for line in lines]
        n = _needless(placed, len(columns))
        if n is None:
            break
        joined = (columns[n][0], columns[n + 1][1])
        columns = [*columns[:n], joined, *columns[n + 2 :]]
    whole = [joined_by_column([_placed(piece, columns) for piece in line]) for line in lines]
    return _uncrowded(whole), [_extent(whole, n, column) for n, column in enumerate(columns)]


def _extent(lines: Sequence[Line], n: int, column: Extent) -> Extent:
    """Return where the pieces start and end that stand in column `n` alone."""
    boxes = [piece.box for line in lines for piece in line if piece.first == n == piece.last]
    return (min(box[0] for box in boxes), max(box[2] for box in boxes)) if boxes else column


def _word_space(lines: Sequence[Line]) -> float:
    """Return the usual white space between words of a piece, in type sizes."""
    pairs = [pair for line in lines for piece in line for pair in pairwise(piece.words)]
    gaps = [(b.box[0] - a.box[2]) / a.size for a, b in pairs]
    return max(median([gap for gap in gaps if gap < NARROW] or [0.0]), USUAL)


def _cut_between(piece: Piece, columns: Sequence[Extent], space: float) -> list[Piece]:
    """Cut a piece between columns that other lines show: figures at any space, words where it is wide and both are flush."""
    pairs = list(pairwise(piece.words))
    least = WIDER * min((b.box[0] - a.box[2] for a, b in pairs), default=0.0) if len(pairs) > 1 else 0.0
    figures, words = [], []
    for a, b in pairs:
        gap = b.box[0] - a.box[2]
        middle = (a.box[2] + b.box[0]) / 2
        if any(min(b.box[0], d[0] + 0.5) > max(a.box[2], c[1] - 0.5) for c, d in pairwise(columns)):
            if FIGURE.match(a.text) and FIGURE.match(b.text) and gap > TIGHT * a.size:
                figures.append(middle)
            elif gap > min(max(space * a.size, least), SURELY * a.size):
                words.append(middle)
    parts = parted(piece, [*figures, *words])
    flush = all(any(_is_flush(part, column) for column in columns) for part in parts)
    return parts if flush else parted(piece, figures)


def _is_flush(piece: Piece, column: Extent) -> bool:
    """Return whether a piece stands at an edge or in the middle of a column."""
    x0, _, x1, _ = piece.box
    off = min(abs(x0 - column[0]), abs(x1 - column[1]), abs(x0 + x1 - column[0] - column[1]) / 2)
    return off < 0.3 * piece.size


def _uncrowded(lines: Sequence[Line]) -> list[Line]:
    """Cut pieces over at least three columns where each word after a cut starts flush with what is below or above it.

    These are headings close together. With two columns that may be a coincidence.
    """
    starts: dict[int, list[float]] = defaultdict(list)
    for piece in (piece for line in lines for piece in line if not piece.wide):
        starts[piece.first].append(piece.box[0])
    lefts = {n: min(found) for n, found in starts.items() if len(found) > 1 and max(found) - min(found) < FLUSH}
    return [
        [part for piece in line for part in (_cut(piece, lefts) if piece.last > piece.first + 1 else [piece])] for line in lines
    ]


def _cut(piece: Piece, lefts: Mapping[int, float]) -> list[Piece]:
    cuts = [0]
    for column in range(piece.first + 1, piece.last + 1):
        at = [n for n, word in enumerate(piece.words) if column in lefts and abs(word.box[0] - lefts[column]) < FLUSH]
        if not at or at[0] <= cuts[-1]:
            return [piece]
        cuts.append(at[0])
    parts = pairwise([*cuts, len(piece.words)])
    return [piece_of(piece.words[a:b], n, n) for n, (a, b) in enumerate(parts, piece.first)]


def _found(lines: Sequence[Line]) -> list[Extent]:
    """Return columns from lines of many pieces to lines of few, which do not make a column wider.

    A piece that reaches over two columns says nothing.
    """
    columns: list[Extent] = []
    most = max(map(len, lines))
    for line in sorted(lines, key=lambda line: -len(line)):
        for piece in line:
            over = [n for n, column in enumerate(columns) if overlaps(piece.box, *column)]
            if not over:
                columns = sorted([*columns, (piece.box[0], piece.box[2])])
            elif len(over) == 1 and len(line) >= FILLED * most:
                start, end = columns[over[0]]
                columns[over[0]] = min(start, piece.box[0]), max(end, piece.box[2])
    return sorted(columns)


def _placed(piece: Piece, columns: Sequence[Extent]) -> Piece:
    left, _, right, _ = piece.box
    over = [n for n, (start, end) in enumerate(columns) if start < right and end > left and covers(piece.box, start, end)]
    if not over:
        middle = centre(piece.box)[0]
        nearest = min(range(len(columns)), key=lambda n: max(columns[n][0] - middle, middle - columns[n][1]))
        over = [nearest]
    return piece._replace(first=over[0], last=over[-1])


def _needless(lines: Sequence[Line], n_columns: int) -> int | None:
    """Return a column that is one with the next; None if there is none.

    More lines join the two than keep them apart, or one of them has nothing but a head whose words are not over the figures.
    """
    filled = [{at for at, line in enumerate(lines) for p in line if p.first <= n <= p.last} for n in range(n_columns)]
    for n in range(n_columns - 1):
        if n and not filled[n] & filled[n + 1] and _is_head_of(filled[n], filled[n + 1]):
            return n
        both = sum(any(p.last == n for p in line) and any(p.first == n + 1 for p in line) for line in lines)
        across = sum(0.5 if len(line) == 1 else 1 for line in lines if any(p.first <= n < p.last for p in line))
        if across > both:
            return n
    return None


def _is_head_of(a: set[int], b: set[int]) -> bool:
    """Return whether one column has lines of a head only, above the lines of the other, but for a label over both above it."""
    return not a or not b or _ends_above(a, b) or _ends_above(b, a)


def _ends_above(head: set[int], others: set[int]) -> bool:
    below = [line for line in others if line > min(head)]
    return bool(below) and max(head) < min(TOP, *below)
