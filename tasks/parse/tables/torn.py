"""Torn words: words too wide for their column, which go on in the next line of their cell without a hyphen.

Words that wrap leave room; one that is torn fills its line. A column tears words if one of them leaves a rest that is no word.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from tasks.parse.layout.prose import join_lines
from tasks.parse.layout.words import Word, WordRow, rows_of

_REST = re.compile(
    r"^([bcdfhjklnpqrstvwxz]{1,2}"
    r"|[\u0433\u0434\u0437\u043b\u043d\u043f\u0440\u0442\u0444-\u0449\u044c]{1,2})$"
)
"""Letters without a vowel, which are no word and no unit."""
_PART = re.compile(r"^\W*[\d.,]*\d[\d.,]{2,}$")
_DIGITS = re.compile(r"^[.,]?\d{1,3}\W*$")
_DECIMALS = re.compile(r"^\d{1,9}\W*$|^e[-+]?\d{1,3}$")
"""What a figure with a point goes on with: any number of digits, or a power of ten."""
MANY = 3
"""Fewest words that a column tears if no rest shows it that is no word."""
_IN_GROUPS = re.compile(r"^\W*\d{1,3}(,\d{3})+(\.\d+)?\W*$")
"""A figure whose digits are in groups of three."""


def texts_of(cells: Sequence[Sequence[Word]], columns: Sequence[int | None]) -> list[str]:
    """Return the texts of cells, torn words whole. `columns` are the columns of the cells, None for one over several."""
    rows = [rows_of(words) for words in cells]
    by_column: dict[int, list[int]] = defaultdict(list)
    for n, column in enumerate(columns):
        if column is not None:
            by_column[column].append(n)
    torn: set[tuple[int, int]] = set()
    for numbers in by_column.values():
        torn |= {(numbers[cell], line) for cell, line in _torn([rows[n] for n in numbers])}
    return [_joined(found, {line for cell, line in torn if cell == n}) for n, found in enumerate(rows)]


def _torn(cells: Sequence[Sequence[WordRow]]) -> set[tuple[int, int]]:
    """Return cell and line of each word of a column that goes on in the next line."""
    widest = max((_width(row) for rows in cells for row in rows), default=0.0)
    pairs = {(cell, line): pair for cell, rows in enumerate(cells) for line, pair in enumerate(pairwise(rows))}
    full = {at: pair for at, pair in pairs.items() if _is_full(*pair, widest)}
    rests = {(cell, line + 1) for (cell, line), pair in full.items() if _goes_on(*pair)}
    others = [pair for at, pair in pairs.items() if at not in full and at not in rests]
    if _are_torn(others, list(full.values())):
        return {at for at, pair in full.items() if _goes_on(*pair)}
    able = {at: rest.text.split()[0] for at, (row, rest) in full.items() if _may_be_torn(row, rest)}
    figures = {at for at, rest in able.items() if rest[0].isdigit() or rest[0] in ".," or _DECIMALS.match(rest)}
    words = able.keys() - figures
    return figures | (words if any(_is_no_word(able[at]) for at in words) else set())


def _are_torn(others: Sequence[tuple[WordRow, WordRow]], full: Sequence[tuple[WordRow, WordRow]]) -> bool:
    """Return whether a column breaks words wherever its lines are full: several differ, and none that may go on has room.

    `others` are lines that are not full, without those that end a torn word: the next word may be too long to begin there.
    """
    goes_on = {(row.text, rest.text) for row, rest in full if _goes_on(row, rest)}
    return len(goes_on) >= MANY and not any(_goes_on(row, rest) for row, rest in others)


def _goes_on(row: WordRow, rest: WordRow) -> bool:
    """Return whether a line is one word whose last sign and the first of the next line are both small letters, or both digits."""
    if " " in row.text or not row.text or not rest.text:
        return False
    last, first = row.text[-1], rest.text[0]
    shorter = len(rest.text) < len(row.text) or len(row.text) == 1
    return (last.isalpha() and first.islower()) or (last.isdigit() and first.isdigit() and shorter)


def _is_full(row: WordRow, rest: WordRow, widest: float) -> bool:
    """Return whether a line leaves no room for a letter more."""
    return bool(rest.text) and _width(row) + 0.8 * _width(rest) / len(rest.text) >= widest


def _may_be_torn(row: WordRow, rest: WordRow) -> bool:
    """Return whether a line is one word, and the next line may go on with it."""
    if " " in row.text or not row.text:
        return False
    first = rest.text.split()[0]
    if may_go_on(row.text, first):
        return True
    if first[0].isdigit() or first[0] in ".,":
        return False
    alike = first[0].islower() if not row.text.isupper() else first.isupper()
    return row.text[-1].isalpha() and alike


def may_go_on(figure: str, rest: str) -> bool:
    """Return whether a text may be the rest of a figure, torn off behind a digit, a comma or a point.

    >>> may_go_on("-0.55", "8"), may_go_on("7.89", "e-26"), may_go_on("0.55", "0.8"), may_go_on("12", "8")
    (True, True, False, False)
    """
    return bool(_PART.match(figure) and _DIGITS.match(rest)) or is_torn(figure, rest)


def is_torn(figure: str, rest: str) -> bool:
    """Return whether a figure has a point and goes on with digits, or is none before a text that makes its groups whole.

    >>> is_torn("-0.55", "8"), is_torn("$46,6", "23.72"), is_torn("(114,10", "5)"), is_torn("1,460", "23.72")
    (True, True, True, False)
    """
    if "." in figure:
        return bool(_PART.match(figure) and _DECIMALS.match(rest))
    return bool(_IN_GROUPS.match(figure + rest)) and "," in figure and not _IN_GROUPS.match(figure)


def _is_no_word(rest: str) -> bool:
    return bool(_REST.match(rest.strip(".,;:!?()").lower()))


def _joined(rows: Sequence[WordRow], torn: set[int]) -> str:
    lines: list[str] = []
    for n, row in enumerate(rows):
        if n - 1 in torn:
            lines[-1] += row.text
        else:
            lines.append(row.text)
    return join_lines(lines)


def _width(row: WordRow) -> float:
    return row.box[2] - row.box[0]
