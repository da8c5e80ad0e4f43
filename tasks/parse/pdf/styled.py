"""Pages whose text may be styled: underlined or struck out by drawings, or bold because it is printed twice.

MuPDF finds that out by comparing every character with every drawing, and with all characters before it, which on most pages takes
longer than all else it does.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tasks.parse.layout.geometry import Box, grown, union
from tasks.parse.layout.words import Word, by_line

Areas = npt.NDArray[np.float64]

REACH = 0.5
"""A drawing styles no line of text that is farther away than this share of the line's height: underlines stand close below."""
OVERPRINTED = 0.25
"""Two lines of which a larger share of the smaller one is in the other are printed over each other."""


def line_boxes(words: Sequence[Word]) -> list[Box]:
    """Return the boxes of the lines that words stand in."""
    return [union(word.box for word in line) for line in by_line(words)]


def may_be_ruled(lines: Sequence[Box], drawn: Sequence[Box]) -> bool:
    """Return whether a drawing is at a line of text; `drawn` are boxes of drawings."""
    if not lines or not drawn:
        return False
    near = [grown(box, REACH * (box[3] - box[1]), REACH * (box[3] - box[1])) for box in lines]
    return bool(_shared(near, [grown(box, 1, 1) for box in drawn]).any())


def may_be_doubled(lines: Sequence[Box]) -> bool:
    """Return whether lines of text are printed over each other."""
    if not lines:
        return False
    shared = _shared(lines, lines)
    areas = np.diagonal(shared)
    return bool((shared > OVERPRINTED * np.minimum(areas[:, None], areas)).sum() > len(lines))


def _shared(boxes: Sequence[Box], others: Sequence[Box]) -> Areas:
    """Return the area that each box (row) has in common with each of `others` (column)."""
    one, other = np.array(boxes)[:, None], np.array(others)
    sides = np.minimum(one[..., 2:], other[:, 2:]) - np.maximum(one[..., :2], other[:, :2])
    result: Areas = np.maximum(sides, 0).prod(axis=2)
    return result
