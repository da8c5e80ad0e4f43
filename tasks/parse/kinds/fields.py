"""Fields: boxes of a form, each with a label above a value, which the layout model takes for a table."""

from collections.abc import Sequence

from tasks.parse.layout.geometry import Box, centre, holds, union
from tasks.parse.layout.regions import FRAMED, Region
from tasks.parse.layout.words import Word, words_in
from tasks.parse.tables.text_lines import text_lines

FEWEST = 2
"""Fewest boxes of a form."""


def with_fields(words: Sequence[Word], regions: Sequence[Region], frames: Sequence[Box]) -> list[Region]:
    """Return `regions` with a paragraph for each box in place of a table whose words all stand in boxes of a form.

    `frames` are the boxes drawn on the page. Boxes that share their sides are cells of a framed table, which stays.
    """
    return [part for region in regions for part in _fields(region, words, frames)]


def _fields(region: Region, words: Sequence[Word], frames: Sequence[Box]) -> list[Region]:
    if region.kind != "table" or region.role == FRAMED:
        return [region]
    inside = words_in(words, region.box)
    boxes = [box for box in frames if any(holds(box, centre(word.box)) for word in inside)]
    held = [words_in(words, box) for box in boxes if not any(_is_within(other, box) for other in boxes)]
    if len(held) < FEWEST or not all(map(_is_field, held)):
        return [region]
    own = {id(word) for found in held for word in found}
    if any(id(word) not in own for word in inside):
        return [region]
    return [Region(union(word.box for word in found), "paragraph", role="text") for found in held]


def _is_within(inner: Box, outer: Box) -> bool:
    return inner != outer and holds(outer, inner[:2]) and holds(outer, inner[2:])


def _is_field(words: Sequence[Word]) -> bool:
    """Tell whether words are a bold label above a value that is not bold."""
    lines = text_lines(words)
    bold = [all(word.bold for word in line) for line in lines]
    plain = [not any(word.bold for word in line) for line in lines]
    n = next((n for n, is_bold in enumerate(bold) if not is_bold), len(lines))
    return 0 < n < len(lines) and all(plain[n:])
