"""Contents: lists of headings with their pages, which the layout model takes for tables."""

import re
from collections.abc import Sequence
from itertools import pairwise
from operator import itemgetter

from tasks.parse.layout.lines import LEADERS, TextLine, lines_of
from tasks.parse.layout.words import Word

FEWEST, FEWEST_BARE = 3, 5
"""Fewest entries of a list with leaders, and of one without."""
MOSTLY, MANY = 0.6, 0.4
"""Smallest share of the lines that end with leaders and a page, and with a page alone: in narrow columns entries go on."""
_PAGE = re.compile(r"^(?:\d{1,4}|[ivxl]{1,7})$")


def entries_of(words: Sequence[Word]) -> list[str] | None:
    """Return the lines of a table's words, if they are entries of a list of contents, else None; those of two columns in turn.

    Most lines end with leaders and a page; or most are a text and, after a gap, a page no smaller than the one above, and the
    others, which name parts or go on in the next line, are texts without a gap. Roman pages come before all others.
    """
    if not words or not all(word.upright for word in words):
        return None
    lines = lines_of(words)
    columns = [_listed(lines_of(column)) for column in _columns(lines, words)]
    if len(columns) > 1 and all(columns):
        return [text for column in columns for text in column or ()]
    return _listed(lines)


def _columns(lines: Sequence[TextLine], words: Sequence[Word]) -> list[list[Word]]:
    """Return the words left and right of where most entries begin after the page of another, if no word is across."""
    pairs = [(a, b) for line in lines for a, b in list(pairwise(line.words))[1:] if _PAGE.match(a.text)]
    free = [b.box[0] for _, b in pairs if not any(word.box[0] < b.box[0] < word.box[2] for word in words)]
    follows = {x: sum(a.box[2] <= x <= b.box[0] for a, b in pairs) for x in free}
    x, n = max(follows.items(), key=itemgetter(1), default=(0.0, 0))
    if n < FEWEST:
        return [list(words)]
    return [[word for word in words if word.box[0] < x], [word for word in words if word.box[0] >= x]]


def _listed(lines: Sequence[TextLine]) -> list[str] | None:
    """Return the lines if they are entries."""
    texts = [line.text for line in lines]
    led = sum(bool(LEADERS.search(text)) for text in texts)
    if led >= max(FEWEST, MOSTLY * len(lines)):
        return texts
    entries = [line for line in lines if _is_entry(line.words, line.wide)]
    counted = len(entries) >= max(FEWEST_BARE, MANY * len(lines)) and all(not line.wide or line in entries for line in lines)
    return texts if counted and _ascending([line.words[-1].text for line in entries]) else None


def _is_entry(words: Sequence[Word], wide: Sequence[int]) -> bool:
    """Tell whether a line is a text that has letters and, after its only wide gap, a number."""
    text = "".join(word.text for word in words[:-1])
    return list(wide) == [len(words) - 1] and bool(_PAGE.match(words[-1].text)) and any(map(str.isalpha, text))


def _ascending(pages: Sequence[str]) -> bool:
    """Tell whether pages ascend: those in Roman numerals are first and are not compared."""
    numbers = [int(page) if page.isdigit() else 0 for page in pages]
    return all(a <= b for a, b in pairwise(numbers)) and numbers[0] < numbers[-1]
