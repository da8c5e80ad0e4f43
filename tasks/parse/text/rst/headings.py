"""Headings: lines of text under, or between, rows of one punctuation character."""

import re
from collections.abc import Sequence

from tasks.parse.layout.levels import MAX_LEVEL
from tasks.parse.text.rst.lines import width_of

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*\Z")
SURE = 4
"""A row of so many characters is an adornment, however long the title."""


class HeadingStyles:
    """The styles of a document's headings, outermost first: their order of appearance gives the levels."""

    def __init__(self) -> None:
        self._styles: list[tuple[str, bool]] = []

    def level(self, adornment: str, overlined: bool) -> int:
        """Return the level of a heading, from 1, at most MAX_LEVEL."""
        style = adornment[0], overlined
        if style not in self._styles:
            self._styles.append(style)
        return min(self._styles.index(style) + 1, MAX_LEVEL)


def is_adornment(line: str) -> bool:
    """Return whether a line is a row of one punctuation character; `::` and `..` mean something else.

    >>> is_adornment("===="), is_adornment("=-="), is_adornment("::")
    (True, False, False)
    """
    return bool(_ADORNMENT.match(line)) and line not in ("::", "..")


def _adorns(row: str, title: str) -> bool:
    return is_adornment(row) and len(row) >= min(SURE, width_of(title.strip()))


def heading_rows(lines: Sequence[str], at: int) -> int:
    """Return how many lines the heading at line `at` has: 2, or 3 with a row above it; 0 if there is none."""
    first, second, third = [*lines[at : at + 3], "", ""][:3]
    if is_adornment(first) and second and third[:1] == first[0] and _adorns(third, second) and _adorns(first, second):
        return 3
    return 2 if first and first[0] != " " and _adorns(second, first) else 0


def is_transition(lines: Sequence[str], at: int) -> bool:
    """Return whether line `at` is a row of punctuation that stands alone."""
    return is_adornment(lines[at]) and len(lines[at]) >= SURE and not any(lines[at + 1 : at + 2])
