"""Fields: boxes and lines of a form, each with a label and a value, which the layout model takes for a table."""

from bisect import bisect
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from schemas.tables.elements import HEADINGS
from tasks.parse.layout.geometry import Box, area, centre, common, grown, holds, union
from tasks.parse.layout.regions import FIELD, FRAMED, Region
from tasks.parse.layout.rules import TOUCHING, Rule, enclosed, places, rules_in
from tasks.parse.layout.words import Word, words_in
from tasks.parse.tables.spaced.breaks import baseline
from tasks.parse.tables.spaced.extended import text_outside
from tasks.parse.tables.spaced.filled import are_filled
from tasks.parse.tables.text_lines import text_lines

FEWEST = 2
"""Fewest boxes of a form, and fewest lines of one without boxes."""

NEAR = 1.2
"""Largest distance of a rule above or below the lines of a table, in type sizes."""

SHORT = 8
"""Most words that are filled in."""


def with_fields(words: Sequence[Word], regions: Sequence[Region], frames: Sequence[Box]) -> list[Region]:
    """Return `regions` with a paragraph for each field in place of a table whose words are all in fields of a form.

    `frames` are the boxes drawn on the page: a field is one of them, a cell of a framed table, or a line that no rules part.
    Text loses the words that are in fields.
    """
    parted = [part for region in regions for part in _without_lines(region, words)]
    parts = [(region, _fields(region, words, frames)) for region in parted]
    fields = [field for _, found in parts for field in found]
    others = [region for region, found in parts if not found]
    return [*(kept for other in others for kept in text_outside(other, fields, words)), *fields]


def without_values(regions: Sequence[Region], filled: Sequence[Box]) -> list[Region]:
    """Return `regions` with headings whose words all stand in the `filled` fields of a form as paragraphs, however large."""
    return [
        replace(region, kind="paragraph") if filled and region.kind in HEADINGS and _is_in(filled, region.words) else region
        for region in regions
    ]


def _is_in(boxes: Sequence[Box], words: Sequence[Word]) -> bool:
    return bool(words) and all(any(holds(box, centre(word.box)) for box in boxes) for word in words)


def _without_lines(region: Region, words: Sequence[Word]) -> list[Region]:
    """Return a table as one of what rules enclose, and one of its other words if these are lines of a form."""
    inside = words_in(words, region.box) if region.kind == "table" and region.role != FRAMED else []
    boxes = [box for box in enclosed(region.rules) if any(holds(box, centre(word.box)) for word in inside)]
    lines = [word.box for word in inside if not any(holds(box, centre(word.box)) for box in boxes)]
    if not boxes or not lines:
        return [region]
    apart = region.rules._replace(horizontals=tuple(_outside(region.rules.horizontals, boxes)))
    form = replace(region, box=union(lines), rules=apart)
    if not _in_lines(words_in(words, form.box), form, FEWEST):
        return [region]
    return [replace(region, box=union(boxes), role=FRAMED), form]


def _outside(across: Sequence[Rule], boxes: Sequence[Box]) -> list[Rule]:
    """Return the rules that are not at the height of boxes."""
    return [rule for rule in across if not any(box[1] - TOUCHING < rule.at < box[3] + TOUCHING for box in boxes)]


def _fields(region: Region, words: Sequence[Word], frames: Sequence[Box]) -> list[Region]:
    """Return the fields of a form that the layout model takes for a table, nothing if a region is none."""
    inside = words_in(words, region.box) if region.kind == "table" else []
    if not inside:
        return []
    held = [] if region.role == FRAMED else _in_boxes(words, inside, frames)
    if not _are_fields(held):
        drawn = (
            _in_cells(inside, region) if region.role == FRAMED else _in_boxes(words, inside, (*frames, *enclosed(region.rules)))
        )
        held = drawn if _are_fields(drawn) and all(map(_is_short, drawn)) else []
    own = {word for found in held for word in found}
    rest = [word for word in inside if word not in own]
    lines = _in_lines(rest, region, 1 if held else FEWEST)
    if rest and not lines:
        return []
    role = FIELD if all(map(_is_short, held)) else "text"
    return [Region(union(word.box for word in found), "paragraph", role=role) for found in [*held, *lines]]


def _are_fields(held: Sequence[Sequence[Word]]) -> bool:
    return len(held) >= FEWEST and all(map(_is_field, held))


def _is_short(words: Sequence[Word]) -> bool:
    """Return whether a box holds what is filled in, rather than a text, as cards do."""
    return sum(not word.bold for word in words) <= SHORT


def _in_boxes(words: Sequence[Word], inside: Sequence[Word], frames: Sequence[Box]) -> list[list[Word]]:
    """Return the words of each box that has words of a table."""
    boxes = [box for box in set(frames) if any(holds(box, centre(word.box)) for word in inside)]
    inner = sorted((box for box in boxes if not any(_is_within(other, box) for other in boxes)), key=lambda box: (box[1], box[0]))
    held: dict[tuple[Word, ...], list[Word]] = {tuple(own): own for own in (words_in(words, box) for box in inner)}
    return list(held.values())


def _in_cells(inside: Sequence[Word], region: Region) -> list[list[Word]]:
    """Return the words of each cell that the rules of a framed table enclose."""
    rules = rules_in(region.rules, region.box)
    across, down = places(rules.horizontals), places(rules.verticals)
    cells: dict[tuple[int, int], list[Word]] = defaultdict(list)
    for word in inside:
        x, y = centre(word.box)
        cells[bisect(across, y), bisect(down, x)].append(word)
    return [cells[at] for at in sorted(cells)]


def _in_lines(rest: Sequence[Word], region: Region, fewest: int) -> list[list[Word]]:
    """Return the words of each line of a form that no rules and coloured rows part; nothing for other tables.

    `fewest` are the lines that it takes. A rule below the last line ends a form, too.
    """
    if not rest or not all(word.upright for word in rest):
        return []
    box = grown(union(word.box for word in rest), 0, NEAR * rest[0].size)
    if any(area(common(band, union(word.box for word in rest))) > 0 for band in region.rules.bands):
        return []
    lines = text_lines(rest)
    end = baseline(lines[-1])
    above = [other for other in enclosed(region.rules) if other[3] < rest[0].box[3]]
    across = [rule for rule in _outside(region.rules.horizontals, above) if box[1] < rule.at < end]
    rules = region.rules._replace(horizontals=tuple(across))
    return lines if len(lines) >= fewest and are_filled(lines, rules) else []


def _is_within(inner: Box, outer: Box) -> bool:
    return inner != outer and holds(outer, inner[:2]) and holds(outer, inner[2:])


def _is_field(words: Sequence[Word]) -> bool:
    """Return whether words are a bold label above a value that is not bold."""
    lines = text_lines(words)
    bold = [all(word.bold for word in line) for line in lines]
    plain = [not any(word.bold for word in line) for line in lines]
    n = next((n for n, is_bold in enumerate(bold) if not is_bold), len(lines))
    return 0 < n < len(lines) and all(plain[n:])
