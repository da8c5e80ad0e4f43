"""Page drawing: the elements of a page as numbered boxes on its picture, with a panel that explains them."""

import io
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from tasks.parse.layout.geometry import Box, area, centre, common, grown, scaled

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

COLOURS = {
    "title": (176, 0, 32),
    "heading": (217, 72, 15),
    "paragraph": (37, 99, 175),
    "list_item": (0, 128, 128),
    "table": (21, 128, 61),
    "figure": (147, 51, 200),
    "caption": (190, 24, 120),
    "code": (71, 85, 105),
    "equation": (161, 98, 7),
    "footnote": (112, 82, 60),
    "note": (202, 138, 4),
    "furniture": (128, 128, 128),
    "hidden": (0, 0, 0),
}
OTHER = (0, 0, 0)
PAPER, INK, FAINT = (243, 244, 246), (31, 41, 55), (107, 114, 128)
MARGIN, PANEL, GUTTER = 44, 340, 16
TEXT, SMALL, LINE = 15, 13, 20
AIR = 2.0
"""Pixels between the edge of a box and its content."""
TITLE_CHARS, NOTE_CHARS = 38, 44
WASH, HALO, THREAD = 26, 160, 110
"""Opacity, at most 255: of a box's surface, of the white edge for dark pages, of the line in reading order."""
WIDE = "\u1100"
"""Characters from this one on use the font for Chinese, Japanese and Korean."""
LABEL_GAP = 2.0
LABEL_STEPS = 4
"""How many places for a label are tried along each side of a box. Their distance is the height of a label."""
WORSE_THAN_COVERING = 50.0
"""Cost per unit of area of covering another label. The cost of covering a box is 1."""


class Mark(NamedTuple):
    """An element to draw. `level` is the level of a heading. The boxes of the element and of its cells are in points."""

    number: int
    kind: str
    level: int | None
    box: Box
    cells: Sequence[Box]
    text: str


def draw_marked_page(picture: "Image", scale: float, marks: Sequence[Mark], title: str, notes: Sequence[str]) -> bytes:
    """Return a PNG of the page with `marks` in reading order. `scale` is pixels per point; `notes` go below the legend."""
    from PIL import Image, ImageDraw

    lines = _make_legend_lines(marks, title, notes)
    height = max(picture.height + 2 * MARGIN, len(lines) * LINE + 2 * MARGIN)
    canvas = Image.new("RGB", (picture.width + 2 * MARGIN + PANEL, height), PAPER)
    canvas.paste(picture, (MARGIN, MARGIN))
    placed = [_convert_mark_to_canvas(mark, scale) for mark in marks]
    layer = Image.new("RGBA", canvas.size, (0, 0, 0, 0))
    _draw_boxes(ImageDraw.Draw(layer), placed)
    _draw_labels(ImageDraw.Draw(layer), placed, (0.0, 0.0, picture.width + 2.0 * MARGIN, float(height)))
    canvas.paste(layer, (0, 0), layer)
    _draw_legend(ImageDraw.Draw(canvas), lines, picture.width + 2 * MARGIN + GUTTER)
    sink = io.BytesIO()
    canvas.save(sink, "PNG", optimize=False)
    return sink.getvalue()


def _convert_mark_to_canvas(mark: Mark, scale: float) -> Mark:
    return mark._replace(
        box=_convert_box_to_canvas(mark.box, scale, AIR), cells=[_convert_box_to_canvas(cell, scale) for cell in mark.cells]
    )


def _convert_box_to_canvas(box: Box, scale: float, air: float = 0.0) -> Box:
    x0, y0, x1, y1 = scaled(box, scale)
    around = min(x0, x1) + MARGIN, min(y0, y1) + MARGIN, max(x0, x1) + MARGIN, max(y0, y1) + MARGIN
    return grown(around, air, air)


def _choose_colour(kind: str) -> tuple[int, int, int]:
    return COLOURS.get(kind, OTHER)


def _draw_boxes(draw: "ImageDraw", marks: Sequence[Mark]) -> None:
    for mark in marks:
        colour = _choose_colour(mark.kind)
        draw.rectangle(grown(mark.box, 1, 1), outline=(255, 255, 255, HALO), width=1)
        draw.rectangle(mark.box, fill=(*colour, WASH), outline=(*colour, 230), width=2)
        for cell in mark.cells:
            draw.rectangle(cell, outline=(*colour, 150), width=1)


def _draw_labels(draw: "ImageDraw", marks: Sequence[Mark], canvas: Box) -> None:
    names = [str(mark.number) + (f" h{mark.level}" if mark.level else "") for mark in marks]
    sizes = [(draw.textlength(name, font=_load_font(TEXT)) + 8.0, TEXT + 5.0) for name in names]
    places = place_labels([mark.box for mark in marks], sizes, canvas)
    for before, after in pairwise(places):
        draw.line([centre(before), centre(after)], fill=(*INK, THREAD), width=1)
    for mark, name, place in zip(marks, names, places, strict=True):
        draw.rounded_rectangle(place, radius=4, fill=(*_choose_colour(mark.kind), 255))
        draw.text(centre(place), name, fill="white", font=_load_font(TEXT), anchor="mm")


def place_labels(boxes: Sequence[Box], sizes: Sequence[tuple[float, float]], canvas: Box) -> list[Box]:
    """Return a place on `canvas` for the label of each box, near the top left corner of the box if that is free.

    Labels do not cover each other and, if possible, no content of boxes.

    `sizes` are the (width, height) of the labels. No label may be larger than the canvas.
    """
    placed: list[Box] = []
    for box, size in zip(boxes, sizes, strict=True):
        able = [_move_inside_canvas(place, canvas) for place in _list_label_places(box, *size)]
        costs = [(_compute_label_overlap(place, boxes, placed) + n, place) for n, place in enumerate(able)]
        placed.append(min(costs)[1])
    return placed


def _list_label_places(box: Box, width: float, height: float) -> Iterator[Box]:
    x0, y0, x1, y1 = box
    for step in range(LABEL_STEPS):
        down = y0 + step * height
        if step and down + height > y1:
            break
        yield x0 - LABEL_GAP - width, down, x0 - LABEL_GAP, down + height
        yield x1 + LABEL_GAP, down, x1 + LABEL_GAP + width, down + height
    yield x0, y0 - LABEL_GAP - height, x0 + width, y0 - LABEL_GAP
    yield x1 - width, y0 - LABEL_GAP - height, x1, y0 - LABEL_GAP
    yield x0, y1 + LABEL_GAP, x0 + width, y1 + LABEL_GAP + height
    yield x0, y0, x0 + width, y0 + height
    yield x1 - width, y0, x1, y0 + height


def _move_inside_canvas(place: Box, canvas: Box) -> Box:
    dx = max(0.0, canvas[0] - place[0]) - max(0.0, place[2] - canvas[2])
    dy = max(0.0, canvas[1] - place[1]) - max(0.0, place[3] - canvas[3])
    return place[0] + dx, place[1] + dy, place[2] + dx, place[3] + dy


def _compute_label_overlap(place: Box, boxes: Sequence[Box], placed: Sequence[Box]) -> float:
    covered = sum(area(common(place, box)) for box in boxes)
    return covered + WORSE_THAN_COVERING * sum(area(common(place, label)) for label in placed)


class _Line(NamedTuple):
    text: str
    colour: tuple[int, int, int] = INK
    size: int = TEXT
    swatch: tuple[int, int, int] | None = None


def _make_legend_lines(marks: Sequence[Mark], title: str, notes: Sequence[str]) -> list[_Line]:
    counts = Counter(mark.kind for mark in marks)
    kinds = [kind for kind in COLOURS if counts[kind]] + [kind for kind in counts if kind not in COLOURS]
    lines = [_Line(text) for text in textwrap.wrap(title, TITLE_CHARS)]
    lines += [_Line("numbers and thin line: reading order", FAINT, SMALL), _Line("")]
    lines += [_Line(f"{kind.replace('_', ' ')}  {counts[kind]}", swatch=_choose_colour(kind)) for kind in kinds]
    for note in notes:
        lines += [_Line(""), *(_Line(text, FAINT, SMALL) for text in textwrap.wrap(note, NOTE_CHARS))]
    headings = [mark for mark in marks if mark.level]
    lines += [_Line(""), _Line("headings")] if headings else []
    for mark in headings:
        lead = f"{mark.number}  " + "   " * ((mark.level or 1) - 1)
        shown = textwrap.shorten(mark.text, NOTE_CHARS - len(lead), placeholder=" …")
        lines.append(_Line(lead + shown, _choose_colour(mark.kind), SMALL))
    return lines


def _draw_legend(draw: "ImageDraw", lines: Sequence[_Line], left: int) -> None:
    for n, line in enumerate(lines):
        top = MARGIN + n * LINE
        if line.swatch:
            draw.rounded_rectangle((left, top + 2, left + 14, top + 16), radius=3, fill=line.swatch)
        draw.text(
            (left + (22 if line.swatch else 0), top), line.text, fill=line.colour, font=_load_font(line.size, line.text >= WIDE)
        )


@cache
def _load_font(size: int, wide: bool = False) -> "FreeTypeFont":
    import pymupdf
    from PIL import ImageFont

    font = resources.files("matplotlib") / "mpl-data/fonts/ttf/DejaVuSans.ttf"
    if wide:
        return ImageFont.truetype(io.BytesIO(pymupdf.Font("cjk").buffer), size)
    return ImageFont.truetype(io.BytesIO(font.read_bytes()), size)
