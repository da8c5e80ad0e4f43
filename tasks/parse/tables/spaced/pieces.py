"""Pieces: the words of a line that stand together, cut where white space or a drawn rule parts columns."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from tasks.parse.layout.geometry import Box, centre, overlap, union
from tasks.parse.layout.rules import Rule, Rules
from tasks.parse.layout.words import Word, words_in
from tasks.parse.tables.cells import FIGURE
from tasks.parse.tables.text_lines import text_lines

CURRENCIES = frozenset("$\u20ac\u00a3\u00a5")
GAP, MONO_GAP = 0.8, 1.1
"""Smallest white space between two pieces, in type sizes: in usual and in fixed-width type, whose space is 0.6."""

EDGES, EXACT = 2, 0.4
"""Fewest pieces that start at one place and show an edge, and how far from it, in points, a word may start."""
OVER = 0.2
"""How far a word is at least over the end of one that it is printed over, in type sizes."""
SPACE, OTHER = 0.25, 0.3
"""Usual space between two words, in type sizes, and least difference of one that is none, by the usual one."""
MEASURED = 0.25
"""Largest difference of type sizes in a scan, by the larger one, that is an error of measure: small letters tell little of it."""


class Piece(NamedTuple):
    """Words of one line that stand together, with the first and last column that they are in."""

    words: tuple[Word, ...]
    box: Box
    text: str
    first: int = 0
    last: int = 0

    @property
    def size(self) -> float:
        """Return the type size of its first word, in points."""
        return self.words[0].size

    @property
    def wide(self) -> bool:
        """Return whether it stands in several columns."""
        return self.last > self.first

    def is_figure(self) -> bool:
        """Return whether it is a number, perhaps with signs around it."""
        return bool(FIGURE.match(self.text))


Line = list[Piece]


def piece_of(words: Sequence[Word], first: int = 0, last: int = 0) -> Piece:
    """Return words, from left to right, as one piece."""
    if len(words) == 1:
        return Piece((words[0],), words[0].box, words[0].text, first, last)
    return Piece(tuple(words), union([word.box for word in words]), " ".join([word.text for word in words]), first, last)


def is_bold(line: Line) -> bool:
    """Return whether all words of a line are bold."""
    return all(word.bold for piece in line for word in piece.words)


def pieces_of(line: Sequence[Word], down: Sequence[Rule]) -> Line:
    """Cut the words of a line at wide white space, and at rules `down` the page that stand between words."""
    ordered = sorted(line, key=lambda word: word.box[0])
    if len({word.line for word in ordered}) > 1 and any(_is_over(word, before) for before, word in pairwise(ordered)):
        return [piece for run in _apart(ordered) for piece in _parted_at_gaps(run, down)]
    return _parted_at_gaps(ordered, down)


def lines_in(words: Sequence[Word], rules: Rules, box: Box) -> list[Line]:
    """Return the pieces of each line of the upright words in a box."""
    return [pieces_of(line, rules.verticals) for line in text_lines([word for word in words_in(words, box) if word.upright])]


def _is_over(word: Word, before: Word) -> bool:
    """Return whether a word is printed over the end of the one before it, of another line of the PDF."""
    return word.line != before.line and word.box[0] < before.box[2] - OVER * word.size


def _apart(words: Sequence[Word]) -> list[list[Word]]:
    """Return words, from left to right, as runs that are printed over each other's ends, each ended where the next begins."""
    lines: dict[int, list[list[Word]]] = {}
    for word in words:
        runs = lines.setdefault(word.line, [])
        if not runs or word.box[0] - runs[-1][-1].box[2] > GAP * word.size:
            runs.append([])
        runs[-1].append(word)
    ordered = sorted((run for runs in lines.values() for run in runs), key=lambda run: run[0].box[0])
    found = [ordered[0]]
    for run in ordered[1:]:
        if any(_is_over(run[0], word) for word in found[-1]):
            found[-1] = ended(found[-1], run[0].box[0])
            found.append(run)
        else:
            found[-1] = [*found[-1], *run]
    return found


def ended(words: Sequence[Word], at: float) -> list[Word]:
    """Return words as if they ended before a place, in points."""
    end = at - EXACT
    return [word._replace(box=(min(word.box[0], end - EXACT), word.box[1], min(word.box[2], end), word.box[3])) for word in words]


def _parted_at_gaps(ordered: Sequence[Word], down: Sequence[Rule]) -> Line:
    """Cut words, from left to right, as `pieces_of` does."""
    y = centre(ordered[0].box)[1]
    walls = [rule.at for rule in down if rule.start < y < rule.end]
    found = [[ordered[0]]]
    end = ordered[0].box[2]
    for before, word in pairwise(ordered):
        gap = word.box[0] - end
        walled = bool(walls) and any(end - 1 < at < word.box[0] + 1 for at in walls)
        wide = gap > (MONO_GAP if word.mono else GAP) * word.size and before.text not in CURRENCIES
        if wide or walled:
            found.append([])
        found[-1].append(word)
        end = max(end, word.box[2])
    return [piece_of(words) for words in found]


def cut_at_edges(lines: Sequence[Line]) -> list[Line]:
    """Cut pieces where a word starts at the left edge of a column: names as long as theirs touch the texts beside them.

    The space before the word is none of a sentence: it differs from the others of its piece and from the usual one. A word that
    reaches over the edge is taken to end before it.
    """
    edges = _left_edges([piece for line in lines for piece in line[1:] if not piece.is_figure()])
    if not edges:
        return list(lines)
    gaps = [gap / piece.size for line in lines for piece in line for gap in _gaps(piece)]
    usual = median(gaps) if gaps else SPACE
    return [[part for piece in line for part in _cut_at(piece, edges, usual)] for line in lines]


def _left_edges(pieces: Sequence[Piece]) -> list[float]:
    """Return where at least `EDGES` pieces start that do not end at one place, as those of columns set flush right do."""
    ordered = sorted(pieces, key=lambda piece: piece.box[0])
    found: list[float] = []
    for n, first in enumerate(ordered):
        alike = [piece for piece in ordered[n : n + EDGES] if piece.box[0] - first.box[0] <= EXACT]
        ends = [piece.box[2] for piece in alike]
        if len(alike) == EDGES and max(ends) - min(ends) > first.size:
            found.append(first.box[0])
    return found


def _gaps(piece: Piece) -> list[float]:
    return [b.box[0] - a.box[2] for a, b in pairwise(piece.words)]


def _cut_at(piece: Piece, edges: Sequence[float], space: float) -> list[Piece]:
    """Cut a piece at the first word that starts at one of the edges, after a gap that is no space."""
    gaps = _gaps(piece)
    spaces = [space * piece.size, *([median(gaps)] if len(gaps) > 1 else [])]
    for n, gap in enumerate(gaps, 1):
        word = piece.words[n]
        start = word.box[0]
        at_edge = any(abs(start - edge) <= EXACT for edge in edges) and piece.box[0] < start - word.size
        if at_edge and all(abs(gap - usual) > OTHER * usual for usual in spaces):
            return [piece_of(ended(piece.words[:n], start)), piece_of(piece.words[n:])]
    return [piece]


def overlaps(piece: Box, start: float, end: float) -> bool:
    """Return whether a box and a column have more than their edges in common."""
    return min(piece[2], end) - max(piece[0], start) > 0.5 or overlap(piece[0], piece[2], start, end) > 0.5


def covers(piece: Box, start: float, end: float) -> bool:
    """Return whether a box has a quarter of its own width or of a column's in common with the column."""
    return overlap(piece[0], piece[2], start, end) > 0.25


def parted(piece: Piece, at: Sequence[float]) -> list[Piece]:
    """Cut a piece where no word reaches over a place in `at`."""
    parts: list[list[Word]] = [[]]
    for before, word in zip((None, *piece.words), piece.words, strict=False):
        if before and any(before.box[2] <= x <= word.box[0] for x in at):
            parts.append([])
        parts[-1].append(word)
    return [piece_of(words) for words in parts]


def joined_by_column(pieces: Iterable[Piece]) -> list[Piece]:
    """Join pieces, given in order of their columns, with those before them whose columns they share."""
    found: list[Piece] = []
    for piece in pieces:
        if found and piece.first <= found[-1].last:
            last = found[-1]
            found[-1] = piece_of([*last.words, *piece.words], min(last.first, piece.first), max(last.last, piece.last))
        else:
            found.append(piece)
    return found
