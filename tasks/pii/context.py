"""Context: what stands beside a place of a text, where a word may say what a number is."""

import re
from bisect import bisect_right
from functools import cached_property

BEFORE, AFTER = 48, 24
"""Characters before and after a value in which a word may say what it is."""


class Context:
    """A text, of which the surroundings of a place can be asked; blocks end with a blank line, rows of tables begin with |."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _blocks(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer(r"\n\s*\n", self.text))]

    def has_cue(self, cue: re.Pattern[str], start: int, end: int) -> bool:
        """Return whether `cue` stands before the span, closely behind it, or at the head of its column."""
        before = self.text[max(0, start - BEFORE) : start].rpartition("\n\n")[2]
        after = self.text[end : end + AFTER].partition("\n")[0]
        return bool(cue.search(before) or cue.search(after) or cue.search(self._find_head(start)))

    def _find_head(self, start: int) -> str:
        """Return the first cell of the table's column that a place is in; "" outside of tables."""
        line = self.text.rfind("\n", 0, start) + 1
        if not self.text.startswith("|", line):
            return ""
        block = self._blocks[bisect_right(self._blocks, start) - 1]
        cells = self.text[block : self.text.find("\n", block)].split("|")
        column = self.text.count("|", line, start)
        return cells[column] if column < len(cells) else ""
