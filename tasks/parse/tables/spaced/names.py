"""Names: what tells the names of a table's rows, beside their texts, from labels of lists and from lines of prose."""

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from tasks.parse.layout.lines import LABEL, NUMBER
from tasks.parse.tables.page_columns import CLOSE
from tasks.parse.tables.spaced.pieces import Piece

FAR = 3
"""Most words, in the median, of a name that is far from its text."""
WIDE, FULL = 0.7, 0.75
"""Smallest ratio of the widths of columns of prose, and the least share of its column that a full line covers."""
UNSPACED = "\u2e80"
"""The first character of scripts without spaces between words, such as Chinese."""
_CALL = re.compile(r"^[^\s([]*\w[(\[].*[)\]]\S?$")


def are_calls(lines: Sequence[str]) -> bool:
    """Return whether lines are single words and calls: words with arguments in brackets, which may go on in the next line.

    One at least is a call. No line of prose in a column is a word with all that follows in brackets.

    >>> are_calls(["quad(func, a,", "b[, args])", "trapezoid"]), are_calls(["a name (of", "a thing)"])
    (True, False)
    """
    names: list[str] = []
    depth = 0
    for line in lines:
        names = [*names[:-1], f"{names[-1]} {line}"] if depth > 0 else [*names, line]
        depth = sum((letter in "([") - (letter in ")]") for letter in names[-1])
    called = sum(bool(_CALL.match(name)) for name in names)
    return called > 0 and all(" " not in name or _CALL.match(name) for name in names)


def n_labels(names: Sequence[Piece], headed: bool) -> int:
    """Return how many names label items of a list. Bare numbers and letters do so only if they count up, below no head."""
    bare = [name.text for name in names if name.text.isalnum() and NUMBER.match(name.text)]
    places = [int(text) if text.isdecimal() else ord(text) for text in bare]
    counts = not headed and all(after == place + 1 for place, after in pairwise(places))
    others = [name for name in names if not name.text.isalnum()]
    return counts * len(bare) + sum(bool(LABEL.match(name.words[0].text) or NUMBER.match(name.text)) for name in others)


def are_single(names: Sequence[Piece], texts: Sequence[Piece]) -> bool:
    """Return whether names are single words beside texts of several. Lines in scripts without spaces are no single words."""
    if any(letter >= UNSPACED for piece in (*names, *texts) for letter in piece.text):
        return False
    return median(len(name.words) for name in names) == 1 and median(len(text.words) for text in texts) > 2


def are_columns(names: Sequence[Piece], texts: Sequence[Piece]) -> bool:
    """Return whether two columns are about as wide, and most lines of several words fill them, as prose does."""
    if are_single(names, texts):
        return False
    widths = [[piece.box[2] - piece.box[0] for piece in side] for side in (names, texts)]
    apart = texts[0].box[0] - max(name.box[2] for name in names)
    if apart > CLOSE * max(map(max, widths)) and median(len(name.words) for name in names) <= FAR:
        return False
    if min(map(max, widths)) < WIDE * max(map(max, widths)):
        return False
    return all(sum(width > FULL * max(side) for width in side) * 2 >= len(side) for side in widths)
