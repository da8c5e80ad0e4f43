"""Contents: lists of headings with their pages, and indexes, which the layout model takes for tables."""

import re
from collections.abc import Sequence
from itertools import pairwise
from math import inf
from operator import itemgetter

from tasks.parse.layout.geometry import gaps_across
from tasks.parse.layout.lines import LEADERS, TextLine, lines_of
from tasks.parse.layout.words import Word

FEWEST, FEWEST_BARE = 3, 5
"""Fewest entries of a list with leaders, and of one without."""
MOSTLY, MANY = 0.6, 0.4
"""Smallest share of the lines that end with leaders and a page, and with a page alone: in narrow columns entries go on."""
_PAGE = re.compile(r"^(?:\d{1,4}|[ivxl]{1,7})$")
GUTTER = 0.8
"""Smallest white space between the columns of an index, in type sizes. Dots of leaders are closer."""
ORDERED = 0.8
"""Least share of the entries of an index that do not come before the entry above in the alphabet."""
INDENT = 0.5
"""Least indent of a term below another, in type sizes."""
_INDEXED = re.compile(r"[^\W\d_].*(?:,|\.)\s*\d{1,4}(?:\s?[,\u2013-]\s?\d{1,4})*,?$")


def entries_of(words: Sequence[Word]) -> list[str] | None:
    """Return the lines of a table's words, if they are entries of a list of contents, else None; those of columns in turn.

    Most lines end with leaders and a page, or with a comma and a page in the order of the alphabet, as in an index; or most are a
    text and, after a gap, a page no smaller than the one above, and the others, which name parts or go on in the next line, are
    texts without a gap. Roman pages come before all others.
    """
    if not words or not all(word.upright for word in words):
        return None
    lines = lines_of(words)
    indexed = _index_of(words, lines)
    if indexed:
        return indexed
    columns = _columns(lines, words)
    listed = [_listed(lines_of(column)) for column in columns] if len(columns) > 1 else []
    if listed and all(listed):
        return [text for texts in listed for text in texts or ()]
    return _listed(lines)


def _index_of(words: Sequence[Word], lines: Sequence[TextLine]) -> list[str] | None:
    """Return the lines of an index, column by column, None if words are none: most lines are terms with pages, in order."""
    cuts = [end for start, end in gaps_across(word.box for word in words) if end - start >= GUTTER * lines[0].size]
    parts = [[word for word in words if a <= word.box[0] < b] for a, b in pairwise((-inf, *cuts, inf))]
    columns: list[list[TextLine]] = []
    for part in parts:
        column = lines_of(part)
        if len(column) < FEWEST_BARE or sum(map(_is_indexed, column)) < MANY * len(column):
            return None
        columns.append(column)
    initials = [initial for column in columns for initial in _initials(column)]
    ordered = sum(a <= b for a, b in pairwise(initials))
    return [line.text for column in columns for line in column] if ordered >= ORDERED * (len(initials) - 1) else None


def _initials(column: Sequence[TextLine]) -> list[str]:
    """Return the first letters or digits of the terms that stand at the left edge of a column. Terms below them are indented."""
    left = min(line.box[0] for line in column)
    terms = [line.text.casefold() for line in column if _is_indexed(line) and line.box[0] < left + INDENT * line.size]
    return [next(filter(str.isalnum, term)) for term in terms]


def _is_indexed(line: TextLine) -> bool:
    return not line.wide and bool(_INDEXED.search(line.text))


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
    """Return whether a line is a text that has letters and, after its only wide gap, a number."""
    text = "".join(word.text for word in words[:-1])
    return list(wide) == [len(words) - 1] and bool(_PAGE.match(words[-1].text)) and any(map(str.isalpha, text))


def _ascending(pages: Sequence[str]) -> bool:
    """Return whether pages ascend: those in Roman numerals are first and are not compared."""
    numbers = [int(page) if page.isdigit() else 0 for page in pages]
    return all(a <= b for a, b in pairwise(numbers)) and numbers[0] < numbers[-1]
