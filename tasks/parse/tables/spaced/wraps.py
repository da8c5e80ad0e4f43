"""Wraps: what speaks for and against a line being the rest of the cells above it."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from tasks.parse.tables.spaced.breaks import ROUNDED, SAME, TOUCHING
from tasks.parse.tables.spaced.columns import FLUSH, Extent
from tasks.parse.tables.spaced.pieces import Line, Piece
from tasks.parse.tables.torn import is_torn

SPACE = 0.3
"""Width of a space, in type sizes."""
NEW, FIGURES, FITS, FULL, SMALL, ALL = 1.2, 3.0, 0.8, 1.0, -0.2, 1.0
"""Costs of a line that goes on: text in a column that the row lacks, figures under each other, a word that had room in the line
above, a cell over several columns, and all columns; what it saves that it starts in lower case."""
MISSED, NO_STUB, LOWER, AMID = 0.8, 0.6, 0.4, 1.8
"""Costs of a line that begins a row: all its cells look wrapped, the first column is empty, it starts in lower case, and all its
cells do after a line of which none does."""
UNRULED = 2.0
"""Cost of a line that begins a row without a rule above it, where rules part rows."""
REST = 2.0
"""Cost of a line that begins a row, though all its cells look wrapped, where no row follows that it could be a heading of."""

TORN = 0.5
"""Cost of one or two digits under a longer figure: one that is too wide for its column is torn."""
_TORN = re.compile(r"^\d{1,2}%?$")
DIGIT = 0.8
"""Share of a digit's width that a figure must leave free not to be torn."""
AGAIN = 1.5
"""Cost of a line that goes on with the words that stand above it."""
CAPITALS = 2.0
"""Cost of a line that goes on in all columns and starts in lower case in none."""
NAMED = 0.5
"""Cost of a first column that goes on with a capital letter."""
BESIDE = 5.0
"""Cost of parting lines that touch."""
_UNIT = re.compile(r"^[%\u2030\u00b0)\]]+$")
_CURRENCY = re.compile(r"^-?(?:[A-Z]{3}|[$\u20ac\u00a3\u00a5])$")
BROKEN, NARROW = 2.5, 4.0
"""Cost of a row that begins with the rest of a word, and the largest width of a column that breaks words, in type sizes."""
OPEN = "-,(/&"
"""What a text ends with that goes on."""
UNCLOSED = 3.0
"""Cost of a line that begins a row while a bracket is open that is closed in the same column."""
FAR_CLOSED = 5
"""Most lines that a bracket is open."""
_CALL, _BRACKET = re.compile(r"\w[(\[]|[)\]]"), re.compile(r"[(\[](?=\w)|\w[(\[]|[)\]]")
"""Brackets that touch a word: behind it, as those of arguments, the only ones that count in names, or before it."""
SHORT = 8
"""Most characters of two words that say nothing about their having room on one line."""


class Wraps:
    """The lines of a table's body, and the widths of its columns."""

    def __init__(self, lines: Sequence[Line], distances: Sequence[float], columns: Sequence[Extent], within: float = 0.0) -> None:
        """Look at lines; `within` is the distance of lines in one cell of the head, 0 where it is not known."""
        self.lines = lines
        self.beside = [distance < TOUCHING for distance in distances]
        least = min((distance for distance in distances[1:] if distance >= TOUCHING), default=0.0)
        self.near = {n for n, distance in enumerate(distances) if distance <= least + ROUNDED}
        self.columns = columns
        self.stubs = sum(any(p.first == 0 for p in line) for line in lines)
        self.over = self._over()
        self.broken = {n for n in self.near if self._is_broken(n)}
        stubs = [line[0] for n, line in enumerate(lines) if line[0].first == 0 and n not in self.broken]
        self.small = sum(piece.text[0].islower() for piece in stubs) * 2 > len(stubs)
        self.rests = self._rests(distances, within)
        self.open = {n for column in range(len(columns)) for n in self._unclosed(column)}
        self.join = lru_cache(maxsize=None)(self._join)

    def part(self, n: int, ruled: bool) -> float:
        """Return what it costs that line `n` begins a row without a rule above it; in a `ruled` table others have one."""
        line, above = self.lines[n], self.lines[n - 1]
        cost = UNRULED * ruled + BESIDE * self.beside[n] + UNCLOSED * (n in self.open) + BROKEN * (n in self.broken)
        over = {p.first: p for p in above}
        known = [(over.get(p.first), p) for p in line]
        if len(line) <= len(above) and all(a is not None and self._is_full(a, p) for a, p in known):
            cost += MISSED * (len(line) < len(above)) + REST * (n in self.rests)
        if not any(p.first == 0 for p in line) and self.stubs * 2 > len(self.lines):
            cost += NO_STUB
        small = all(p.text[0].islower() for p in line)
        if small and any(" " in p.text for p in line) and not any(p.text[0].islower() for p in above):
            cost += AMID
        elif line[0].text[0].islower() and not any(p.is_figure() for p in line) and not (self.small and line[0].first == 0):
            cost += LOWER
        return cost

    def _rests(self, distances: Sequence[float], within: float) -> set[int]:
        """Return the lines below the last one with text in half of the columns, of which there are three at least.

        Those are none that are as far from the line above them as two such lines from each other, unless lines of one cell of the
        head are as far.
        """
        full = [n for n, line in enumerate(self.lines) if 2 * len(line) >= len(self.columns) > 2]
        rows = min((distances[b] for a, b in pairwise(full) if b == a + 1), default=float("inf"))
        near = max(rows - SAME, within + SAME)
        return {n for n in range(full[-1] + 1 if full else len(self.lines), len(self.lines)) if distances[n] < near}

    def _is_broken(self, n: int) -> bool:
        """Return whether a line is no whole row, as near to the one above as lines are, and begins with what had no room there.

        That is a small letter, or a digit alone below digits, in a column too narrow for words.
        """
        (m, above), stub = self.over[n][0], self.lines[n][0]
        if stub.first or not above or m != n - 1 or len(self.lines[n]) == len(self.columns) or len(above.words) > 1:
            return False
        start, end = self.columns[0]
        digits = len(self.lines[n]) == 1 and stub.text.isdecimal() and above.text.isdecimal()
        return end - start < NARROW * stub.size and (stub.text[0].islower() or digits) and self._is_full(above, stub)

    def _over(self) -> list[list[tuple[int, Piece | None]]]:
        """Return for each piece of each line the last one above it in its column and the line of that, None if there is none."""
        last: dict[int, tuple[int, Piece | None]] = {}
        found = []
        for n, line in enumerate(self.lines):
            found.append([last.get(piece.first, (0, None)) for piece in line])
            last.update({piece.first: (n, piece) for piece in line})
        return found

    def _unclosed(self, column: int) -> list[int]:
        """Return the lines that begin, in a column, between a bracket that touches a word and the one that closes it."""
        found: list[int] = []
        pending: list[int] = []
        depth = 0
        for n, line in enumerate(self.lines):
            text = next((piece.text for piece in line if piece.first == column == piece.last), "")
            if depth and text:
                pending.append(n)
            for bracket in (_BRACKET if column else _CALL).findall(text):
                depth = max(depth + (1 if bracket[-1] in "([" else -1), 0)
            if not depth:
                found += pending
            if not depth or len(pending) > FAR_CLOSED:
                pending, depth = [], 0
        return found

    def _join(self, first: int, n: int) -> float:
        """Return what it costs that line `n` is the rest of the row that begins with line `first`."""
        line = self.lines[n]
        known = [(above, p) for p, (m, above) in zip(line, self.over[n], strict=True) if above and m >= first]
        new = len(known) < len(line) and not self.beside[n]
        cost = NEW * new + sum(self._cost(a, p) for a, p in known if p.first or n not in self.broken)
        full = len(line) > 1 and len(line) >= len(self.lines[first])
        if full and not any(p.text[0].islower() for p in line):
            return cost + CAPITALS
        return cost + ALL * (full and len(line) > 2 and cost > 0)

    def _cost(self, above: Piece, piece: Piece) -> float:
        if piece.wide or above.wide:
            return FULL
        if piece.text == above.text:
            return AGAIN
        if self._is_torn(above, piece) or _is_unit_of(above, piece):
            return 0.0
        if _is_value(piece) and _is_value(above) and above.text[-1] not in OPEN:
            return TORN if _TORN.match(piece.text) and len(piece.text) < len(above.text) else FIGURES
        cost = 0.0 if self._is_full(above, piece) and len(above.text) + len(piece.text) > SHORT else FITS
        cost += NAMED * (piece.first == 0 and piece.text[0].isupper())
        return cost + SMALL * (piece.text[0].islower() or above.text[-1] in OPEN)

    def _is_torn(self, above: Piece, piece: Piece) -> bool:
        """Return whether a piece is the rest of a figure that leaves no room for one more digit in its column."""
        if not is_torn(above.text, piece.text):
            return False
        start, end = self.columns[piece.first]
        widths = [p.box[2] - p.box[0] for p in (above, piece)]
        return widths[0] + DIGIT * widths[1] / len(piece.text) > end - start

    def _is_full(self, above: Piece, piece: Piece) -> bool:
        """Return whether the first word of `piece` had no room after `above`, between the ends of the column."""
        word = piece.words[0]
        more = SPACE * word.size + word.box[2] - word.box[0] + 0.1 * word.size
        start, end = self.columns[piece.first]
        if abs(above.box[0] - piece.box[0]) < FLUSH:
            return above.box[2] + more > end
        if abs(above.box[2] - piece.box[2]) < FLUSH:
            return above.box[0] - more < start
        return above.box[2] - above.box[0] + more > end - start


def _is_unit_of(above: Piece, piece: Piece) -> bool:
    """Return whether one piece is a currency or a sign such as % and the other its figure."""
    return (bool(_UNIT.match(piece.text)) and above.text[-1].isdigit()) or (
        bool(_CURRENCY.match(above.text)) and piece.is_figure()
    )


def _is_value(piece: Piece) -> bool:
    """Return whether it is a figure, or one word with a digit, such as 52K."""
    return piece.is_figure() or (len(piece.words) == 1 and any(map(str.isdigit, piece.text)))
