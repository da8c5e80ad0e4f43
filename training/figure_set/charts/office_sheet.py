"""The canvas of charts as office programs, plotters and web pages draw them: frame, walls, grid, ticks, legend."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw

from training.figure_set.fonts import font
from training.figure_set.words import Generator, axis_label, between, category_names, chance, colour, count, phrase, pick, title

Colour = tuple[int, int, int]
OFFICE = [(79, 129, 189), (192, 80, 77), (155, 187, 89), (128, 100, 162), (75, 172, 198), (247, 150, 70)]
PLAIN = [(255, 0, 0), (0, 0, 255), (0, 160, 0), (255, 0, 255), (255, 165, 0), (0, 255, 255), (255, 255, 0)]
FLAT = [(51, 102, 204), (220, 57, 18), (255, 153, 0), (16, 150, 24), (153, 0, 153), (0, 153, 198)]
OLD = [(153, 153, 255), (153, 51, 102), (255, 255, 204), (204, 255, 255), (102, 0, 102), (255, 128, 128)]
GREYS = [(0, 0, 0), (160, 160, 160), (255, 255, 255), (80, 80, 80), (210, 210, 210), (120, 120, 120)]


class Sheet(NamedTuple):
    """A canvas, the plot area in it, and what is drawn with."""

    image: Image.Image
    pen: ImageDraw.ImageDraw
    area: tuple[int, int, int, int]
    palette: list[Colour]
    ink: Colour
    size: int


def sheet(rng: Generator, axes: bool = True) -> Sheet:
    """Return a canvas with background, frame, title and, with `axes`, a plot area with grid, ticks and labels."""
    width = count(rng, 260, 900)
    height = int(width * pick(rng, (0.3, 0.5, 0.6, 0.7, 0.75, 0.8, 1.0, 1.1)))
    dark = chance(rng, 0.07)
    back = colour(rng, 0, 50) if dark else pick(rng, ((255, 255, 255),) * 5 + (colour(rng, 200, 255),))
    ink = (230, 230, 230) if dark else pick(rng, ((0, 0, 0), (0, 0, 0), (70, 70, 70)))
    image = Image.new("RGB", (width, height), back)
    if chance(rng, 0.06):
        image = shaded(rng, width, height, back, colour(rng, 150, 255))
    pen = ImageDraw.Draw(image)
    size = max(8, int(height * between(rng, 0.028, 0.055)))
    palette = [pick(rng, (OFFICE, PLAIN, FLAT, OLD, GREYS, [colour(rng) for _ in range(6)]))[k] for k in range(6)]
    area = (
        int(width * between(rng, 0.06, 0.16)),
        int(height * between(rng, 0.04, 0.2)),
        int(width * between(rng, 0.7, 0.97)),
        int(height * between(rng, 0.72, 0.9)),
    )
    made = Sheet(image, pen, area, list(rng.permutation(palette).tolist()) and palette, ink, size)
    if axes:
        _axes(rng, made)
    if chance(rng, 0.5):
        pen.text((width / 2, size), title(rng), fill=ink, font=font(rng, int(size * 1.3)), anchor="mm")
    if chance(rng, 0.25):
        pen.rectangle((0, 0, width - 1, height - 1), outline=ink, width=count(rng, 1, 3))
    return made


def shaded(rng: Generator, width: int, height: int, low: Colour, high: Colour) -> Image.Image:
    """Return a picture that goes from one colour to another, along one of its sides."""
    ramp = np.linspace(0, 1, height)[:, None, None] if chance(rng, 0.5) else np.linspace(0, 1, width)[None, :, None]
    values = np.array(low) * (1 - ramp) + np.array(high) * ramp
    return Image.fromarray(np.broadcast_to(values, (height, width, 3)).astype(np.uint8))


def _axes(rng: Generator, on: Sheet) -> None:
    x0, y0, x1, y1 = on.area
    letters, small = font(rng, on.size), font(rng, max(7, int(on.size * 0.85)))
    if chance(rng, 0.35):
        on.pen.rectangle(on.area, fill=pick(rng, ((192, 192, 192), (238, 238, 238), colour(rng, 215, 255))))
    n, top = count(rng, 3, 10), 10 ** count(rng, 0, 5) * pick(rng, (1, 2, 5))
    grid = pick(rng, ("none", "across", "across", "both"))
    rule = pick(rng, (on.ink, (200, 200, 200), (170, 170, 170)))
    for k in range(n + 1):
        y = y1 - (y1 - y0) * k / n
        if grid != "none":
            rule_across(on.pen, (x0, x1, y), rule, pick(rng, (0, 0, 4)))
        on.pen.line((x0 - 3, y, x0, y), fill=on.ink)
        on.pen.text((x0 - 5, y), f"{top * k / n:g}", fill=on.ink, font=small, anchor="rm")
        if grid == "both":
            x = x0 + (x1 - x0) * k / n
            on.pen.line((x, y0, x, y1), fill=rule)
    on.pen.line((x0, y0, x0, y1, x1, y1), fill=on.ink, width=pick(rng, (1, 1, 2)))
    if chance(rng, 0.4):
        on.pen.rectangle(on.area, outline=on.ink)
    if chance(rng, 0.6):
        on.pen.text(
            ((x0 + x1) / 2, min(on.image.height - 4, y1 + on.size * 2.6)), axis_label(rng), fill=on.ink, font=letters, anchor="mm"
        )
    if chance(rng, 0.5):
        name = Image.new("L", (y1 - y0, on.size + 4), 0)
        ImageDraw.Draw(name).text(((y1 - y0) / 2, on.size / 2 + 2), axis_label(rng), fill=255, font=letters, anchor="mm")
        on.image.paste(on.ink, (2, y0), name.rotate(90, expand=True))


def rule_across(pen: ImageDraw.ImageDraw, place: tuple[float, float, float], ink: Colour, dash: int) -> None:
    """Draw a horizontal line from x0 to x1 at y, in dashes of `dash` pixels or, with 0, whole."""
    x0, x1, y = place
    if not dash:
        pen.line((x0, y, x1, y), fill=ink)
        return
    for x in np.arange(x0, x1, 2 * dash):
        pen.line((x, y, min(x1, x + dash), y), fill=ink)


def names_below(rng: Generator, on: Sheet, places: Sequence[float]) -> None:
    """Write the categories' names below the axis."""
    small = font(rng, max(7, int(on.size * 0.85)))
    for x, name in zip(places, category_names(rng, len(places)), strict=True):
        on.pen.text((x, on.area[3] + on.size * 0.9), name, fill=on.ink, font=small, anchor="mm")


def legend(rng: Generator, on: Sheet, n: int, line: bool = False) -> None:
    """Write a legend of `n` entries at the right, in the plot, or below."""
    beside, inside = (on.area[2] + 8.0, on.area[1] + 10.0), (on.area[0] + 20.0, on.area[1] + 8.0)
    x, y = pick(rng, (beside, inside, (on.area[0] + 20.0, on.image.height - on.size * 2.0)))
    flat = y > on.area[3]
    letters = font(rng, on.size)
    if chance(rng, 0.4) and not flat:
        on.pen.rectangle((x - 4, y - 4, x + on.size * 7, y + on.size * 1.5 * n), outline=on.ink, fill=(255, 255, 255))
    for k in range(n):
        if line:
            on.pen.line((x, y + on.size / 2, x + on.size * 1.5, y + on.size / 2), fill=on.palette[k % 6], width=2)
        else:
            on.pen.rectangle((x, y, x + on.size * 0.8, y + on.size * 0.8), fill=on.palette[k % 6], outline=on.ink)
        on.pen.text((x + on.size * 1.8, y + on.size / 2), phrase(rng, 1, 1), fill=on.ink, font=letters, anchor="lm")
        x, y = (x + on.size * 8, y) if flat else (x, y + on.size * 1.4)
