"""Touching words: a name as wide as its column, or wider, and the text beside it or on top of it, which MuPDF takes for one word.

They are two where lines near by begin, if the first ends with a bracket or the second has another type, as names of code have.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from tasks.parse.layout.geometry import Box
from tasks.parse.layout.raw_page import TextLine

FLUSH = 0.4
"""Largest distance of a letter from where lines begin, in points."""
NEAR = 4.0
"""Largest distance of such a line, in heights of lines."""
_CLOSED = re.compile(r"[)\]}][^\W_]")


class LineStart(NamedTuple):
    """Where a line begins, and how high it is."""

    x: float
    top: float
    bottom: float


def line_starts(lines: Sequence[TextLine]) -> list[LineStart]:
    """Return where the upright lines of MuPDF begin, those at whose left edge others begin, too."""
    upright = [line["bbox"] for line in lines if line["dir"][0] > 0.99]
    found = sorted(LineStart(x, top, bottom) for x, top, _, bottom in upright)
    alike = [after.x - one.x <= FLUSH for one, after in pairwise(found)]
    return (
        [one for one, before, after in zip(found, [False, *alike], [*alike, False], strict=True) if before or after]
        if found
        else []
    )


def begins_at(x: float, top: float, bottom: float, starts: Sequence[LineStart]) -> bool:
    """Return whether several lines above or below begin at `x`, one of them near."""
    at = [one for one in starts if abs(one.x - x) <= FLUSH and (one.bottom <= top + FLUSH or one.top >= bottom - FLUSH)]
    return len(at) > 1 and min(max(one.top - bottom, top - one.bottom) for one in at) <= NEAR * (bottom - top)


def may_touch(line: TextLine, words: Sequence[tuple[Box, str]], starts: Sequence[LineStart]) -> bool:
    """Return whether a line has a word in which another may begin: a span begins there, or a letter follows a bracket."""
    _, top, _, bottom = line["bbox"]
    for before, span in zip(line["spans"], line["spans"][1:], strict=False):
        glued = is_other(before["text"][-1:], span["text"][:1], same_type=False)
        if glued and begins_at(span["bbox"][0], top, bottom, starts):
            return True
    closed = [box for box, text in words if _CLOSED.search(text)]
    return any(box[0] < one.x < box[2] and begins_at(one.x, top, bottom, starts) for box in closed for one in starts)


def is_other(before: str, after: str, same_type: bool) -> bool:
    """Return whether two characters may be the end and the beginning of two words."""
    return bool(_CLOSED.match(before + after)) or (not same_type and before.isalnum() and after.isalnum())
