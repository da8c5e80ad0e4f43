"""Contents: lists of headings with their pages, which the layout model takes for tables."""

import re
from collections.abc import Sequence
from itertools import pairwise

from tasks.parse.layout.lines import LEADERS, lines_of
from tasks.parse.layout.words import Word

FEWEST, FEWEST_BARE = 3, 5
"""Fewest entries of a list with leaders, and of one without."""
MOSTLY = 0.6
"""Smallest share of the lines that end with leaders and a page."""
_PAGE = re.compile(r"^\d{1,4}$")


def entries_of(words: Sequence[Word]) -> list[str] | None:
    """Return the lines of a table's words, if they are entries of a list of contents, else None.

    Most lines end with leaders and a page; or each is a text and, after a gap, a number no smaller than the one above.
    """
    if not words or not all(word.upright for word in words):
        return None
    lines = lines_of(words)
    texts = [line.text for line in lines]
    led = sum(bool(LEADERS.search(text)) for text in texts)
    if led >= max(FEWEST, MOSTLY * len(lines)):
        return texts
    counted = len(lines) >= FEWEST_BARE and all(_is_entry(line.words, line.wide) for line in lines)
    return texts if counted and _ascending([int(line.words[-1].text) for line in lines]) else None


def _is_entry(words: Sequence[Word], wide: Sequence[int]) -> bool:
    """Tell whether a line is a text that has letters and, after its only wide gap, a number."""
    text = "".join(word.text for word in words[:-1])
    return list(wide) == [len(words) - 1] and bool(_PAGE.match(words[-1].text)) and any(map(str.isalpha, text))


def _ascending(pages: Sequence[int]) -> bool:
    return all(a <= b for a, b in pairwise(pages)) and pages[0] < pages[-1]
