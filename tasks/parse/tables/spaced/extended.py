"""Extended: rows of a table that the layout model leaves outside, above its first line or below its last."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from tasks.parse.layout.geometry import Box, centre, holds, union
from tasks.parse.layout.regions import FRAMED, Region
from tasks.parse.layout.rules import Rules
from tasks.parse.layout.words import Word, words_in
from tasks.parse.tables.spaced.breaks import SAME, baseline
from tasks.parse.tables.spaced.columns import Extent, in_columns
from tasks.parse.tables.spaced.pieces import MEASURED, Line, Piece, pieces_of
from tasks.parse.tables.text_lines import text_lines
from tasks.parse.tables.thresholds import ALIKE

FAR = 2.6
"""Largest distance between rows, in type sizes, at which a line may be one of them."""
OFF = 0.4
"""Largest distance of a piece from the edge or the middle of its column, in type sizes."""


class _Shape(NamedTuple):
    """What the lines of a table show: where its columns are, and how far its lines are apart at most, in points."""

    lines: list[Line]
    columns: list[Extent]
    pitch: float
    size: float


def extended(words: Sequence[Word], regions: Sequence[Region], rules: Rules) -> list[Region]:
    """Return `regions`, their tables with the lines above and below whose pieces stand in their columns as rows do.

    Text loses these lines. Frames show all rows of a table that they are drawn around: such tables stay.
    """
    found = list(regions)
    for n, region in enumerate(found):
        if region.kind == "table" and region.spaced and region.role != FRAMED:
            others = [other.box for other in found if other is not region and other.kind in ("table", "figure", "furniture")]
            free = [word for word in words if word.upright and not any(holds(box, centre(word.box)) for box in others)]
            found[n] = _grown(region, free, rules)
            if found[n] is not region:
                found = [kept for other in found for kept in text_outside(other, [found[n]], words)]
    return found


def text_outside(region: Region, others: Sequence[Region], words: Sequence[Word]) -> list[Region]:
    """Return a region of text as far as it is outside of others, any other as it is."""
    if region.kind in ("table", "figure"):
        return [region]
    own = words_in(words, region.box)
    beside = [word.box for word in own if not any(holds(other.box, centre(word.box)) for other in others)]
    if len(beside) == len(own):
        return [region]
    return [replace(region, box=union(beside))] if beside else []


def _grown(region: Region, words: Sequence[Word], rules: Rules) -> Region:
    """Return a table with the rows that go on above and below it."""
    shape = _shape(words_in(words, region.box), rules)
    if shape is None:
        return region
    boxes = [region.box]
    for way in (-1, 1):
        edge = shape.lines[0 if way < 0 else -1]
        for line in _beyond(words, region.box, edge, way, shape.pitch):
            if not _is_row(line, edge, shape):
                break
            boxes.append(union(piece.box for piece in line))
            edge = line
    boxes += _last_heading(words, union(boxes), shape)
    return replace(region, box=union(boxes)) if len(boxes) > 1 else region


def _shape(words: Sequence[Word], rules: Rules) -> _Shape | None:
    """Return the shape of a table of at least two lines and columns."""
    lines = [pieces_of(line, rules.verticals) for line in text_lines(words)]
    if sum(len(line) > 1 for line in lines) < 2:
        return None
    placed, columns = in_columns(lines)
    at = [_height(line) for line in placed]
    size = max(piece.size for line in placed for piece in line)
    return _Shape(placed, columns, max(b - a for a, b in pairwise(at)), size) if len(columns) > 1 else None


def _beyond(words: Sequence[Word], box: Box, edge: Line, way: int, pitch: float) -> list[Line]:
    """Return the lines above (-1) or below (1) a table, the nearest first, each with all that stands at its height."""
    far = max(piece.box[3] if way > 0 else -piece.box[1] for piece in edge)
    outside = [word for word in words if way * centre(word.box)[1] > far and way * centre(word.box)[1] < far + 6 * pitch]
    near = text_lines([word for word in outside if word.box[2] > box[0] and word.box[0] < box[2]])
    return [pieces_of(line, ()) for line in near[::way]]


def _is_row(line: Line, edge: Line, shape: _Shape) -> bool:
    """Return whether a line outside a table is one of its rows, next to the line `edge`."""
    distance = abs(_height(line) - _height(edge))
    if len(line) < 2 or distance > min(FAR * shape.size, shape.pitch + SAME * shape.size):
        return False
    if not _are_alike([*line, *edge]):
        return False
    at = [_column(piece, shape.columns) for piece in line]
    return None not in at and len(set(at)) == len(at)


def _last_heading(words: Sequence[Word], box: Box, shape: _Shape) -> list[Box]:
    """Return the box of a heading of rows that follow on the next page: the last line of all, which stands as others above do."""
    below = text_lines([word for word in words if centre(word.box)[1] > box[3] and box[0] < centre(word.box)[0] < box[2]])
    line = pieces_of(below[0], ()) if len(below) == 1 else []
    above = [heading[0] for row, heading in pairwise(shape.lines) if len(heading) == 1 < len(row) and heading[0].first == 0]
    if len(line) != 1 or not above:
        return []
    near = _height(line) - max(_height(row) for row in shape.lines) <= shape.pitch + SAME * shape.size
    short = line[0].box[2] < centre(box)[0]
    alike = near and short and any(_is_like(line[0], heading, shape.size) for heading in above)
    return [line[0].box] if alike else []


def _is_like(piece: Piece, other: Piece, size: float) -> bool:
    """Return whether a piece starts below another, in type of its size."""
    flush = abs(piece.box[0] - other.box[0]) <= OFF * size
    return flush and _are_alike([piece, other])


def _are_alike(pieces: Sequence[Piece]) -> bool:
    """Return whether pieces have one type size; in a scan, as far as it can be measured."""
    sizes = [piece.size for piece in pieces]
    if any(piece.words[0].font for piece in pieces):
        return max(sizes) <= ALIKE * min(sizes)
    return max(sizes) - min(sizes) <= MEASURED * max(sizes)


def _column(piece: Piece, columns: Sequence[Extent]) -> int | None:
    """Return the only column that a piece stands in, at its edge or in its middle; None if there is none."""
    over = [n for n, (start, end) in enumerate(columns) if min(piece.box[2], end) - max(piece.box[0], start) > 0]
    if len(over) != 1:
        return None
    start, end = columns[over[0]]
    off = min(abs(piece.box[0] - start), abs(piece.box[2] - end), abs(piece.box[0] + piece.box[2] - start - end) / 2)
    return over[0] if off < OFF * piece.size else None


def _height(line: Line) -> float:
    return baseline([word for piece in line for word in piece.words])
