"""Diagrams and logos, drawn from shapes and strokes."""

from itertools import pairwise
from math import atan2, cos, pi, sin
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from training.figure_set.fonts import font
from training.figure_set.words import Generator, between, chance, colour, count, phrase, pick

Point = tuple[float, float]


def canvas(rng: Generator, white: float = 0.75) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    """Return a picture of any common size, `white` in that share of the calls, and a pen for it."""
    width = count(rng, 240, 800)
    size = width, int(width * pick(rng, (0.35, 0.5, 0.65, 0.75, 1.0, 1.3)))
    image = Image.new("RGB", size, (255, 255, 255) if chance(rng, white) else colour(rng, 0 if chance(rng, 0.3) else 200, 255))
    return image, ImageDraw.Draw(image)


def arrow(pen: ImageDraw.ImageDraw, start: Point, end: Point, ink: tuple[int, ...], width: int) -> None:
    """Draw a line with a head."""
    pen.line((*start, *end), fill=ink, width=width)
    angle, r = atan2(end[1] - start[1], end[0] - start[0]), 5 + 2 * width
    wings = [(end[0] - r * cos(angle + turn), end[1] - r * sin(angle + turn)) for turn in (0.45, -0.45)]
    pen.polygon([end, *wings], fill=ink)


def diagram(rng: Generator) -> Image.Image:
    """Return boxes, discs or diamonds in rows, a tree, a ring or anywhere, joined by lines or arrows."""
    image, pen = canvas(rng)
    w, h = image.size
    ink, n = pick(rng, ((0, 0, 0), (0, 0, 0), (60, 60, 60), colour(rng, 0, 160))), count(rng, 3, 14)
    places, links = _layout(rng, n, w, h)
    rx, ry = w * between(rng, 0.04, 0.1), h * between(rng, 0.03, 0.07)
    fill = pick(rng, (None, None, (255, 255, 255), colour(rng, 190, 255), colour(rng)))
    wide, plain, shape = count(rng, 1, 3), chance(rng, 0.25), pick(rng, ("box", "box", "round", "disc", "mixed", "word"))
    letters = font(rng, max(8, int(ry * between(rng, 0.6, 1.0))))
    for a, b in links:
        (x0, y0), (x1, y1) = places[a], places[b]
        if chance(rng, 0.3):
            pen.line((x0, y0, x0, y1), fill=ink, width=wide)
            x0, y0 = x0, y1
        end = x1 + (x0 - x1) * 0.25, y1 + (y0 - y1) * 0.25
        (pen.line((x0, y0, x1, y1), fill=ink, width=wide) if plain else arrow(pen, (x0, y0), end, ink, wide))
        if chance(rng, 0.12):
            pen.text(((x0 + x1) / 2, (y0 + y1) / 2), phrase(rng, 1, 1), fill=ink, font=letters)
    back: Any = image.getpixel((0, 0))
    for x, y in places:
        box = (x - rx, y - ry, x + rx, y + ry)
        inside: tuple[int, ...] = (colour(rng, 120, 255) if chance(rng, 0.25) else fill) or back
        _node(pen, box, (pick(rng, ("box", "disc", "diamond", "round")) if shape == "mixed" else shape, inside, ink))
        dark = sum(inside) < 330
        pen.text((x, y), phrase(rng, 1, pick(rng, (1, 2))), fill=(255, 255, 255) if dark else ink, font=letters, anchor="mm")
    if chance(rng, 0.2):
        pen.rectangle((w * 0.02, h * 0.02, w * 0.98, h * 0.97), outline=ink)
    return image


def _node(pen: ImageDraw.ImageDraw, box: tuple[float, ...], style: tuple[str, tuple[int, ...], tuple[int, ...]]) -> None:
    (x0, y0, x1, y1), (shape, fill, ink) = box, style
    if shape == "disc":
        pen.ellipse(box, fill=fill, outline=ink)
    elif shape == "diamond":
        pen.polygon(
            [((x0 + x1) / 2, y0 - 4), (x1 + 6, (y0 + y1) / 2), ((x0 + x1) / 2, y1 + 4), (x0 - 6, (y0 + y1) / 2)],
            fill=fill,
            outline=ink,
        )
    elif shape == "round":
        pen.rounded_rectangle(box, (y1 - y0) / 3, fill=fill, outline=ink)
    elif shape == "box":
        pen.rectangle(box, fill=fill, outline=ink)
    else:
        pen.rectangle(box, fill=fill)


def _layout(rng: Generator, n: int, w: int, h: int) -> tuple[list[Point], list[tuple[int, int]]]:
    """Return where `n` nodes stand and which are joined."""
    kind = pick(rng, ("chain", "tree", "ring", "grid", "free", "layers"))
    if kind == "tree":
        depth = [int(np.log2(k + 1)) for k in range(n)]
        places = [(w * (k + 1.5 - 2**d) / 2**d, h * (d + 0.5) / (max(depth) + 1)) for k, d in enumerate(depth)]
        return places, [((k - 1) // 2, k) for k in range(1, n)]
    if kind == "ring":
        places = [(w / 2 + w * 0.38 * cos(2 * pi * k / n), h / 2 + h * 0.38 * sin(2 * pi * k / n)) for k in range(n)]
        return places, [(k, (k + 1) % n) for k in range(n)] + [
            (count(rng, 0, n - 1), count(rng, 0, n - 1)) for _ in range(n // 2)
        ]
    if kind == "chain":
        across = chance(rng, 0.5)
        steps = [(k + 0.5) / n for k in range(n)]
        return [(w * s, h / 2) if across else (w / 2, h * s) for s in steps], list(pairwise(range(n)))
    columns = count(rng, 2, 5)
    rows = -(-n // columns)
    places = [(w * (k % columns + 0.5) / columns, h * (k // columns + 0.5) / rows) for k in range(n)]
    if kind == "free":
        places = [(x + between(rng, -0.06, 0.06) * w, y + between(rng, -0.06, 0.06) * h) for x, y in places]
    links = [(k, k + columns) for k in range(n - columns)] if kind == "layers" else list(pairwise(range(n)))
    return places, links + [(count(rng, 0, n - 1), count(rng, 0, n - 1)) for _ in range(count(rng, 0, 4))]


def logo(rng: Generator) -> Image.Image:
    """Return a sign: a few bold shapes and perhaps a name."""
    side = count(rng, 120, 400)
    image = Image.new(
        "RGB", (int(side * pick(rng, (1, 1, 1.5, 2.5))), side), pick(rng, ((255, 255, 255), (255, 255, 255), colour(rng)))
    )
    pen, inks = ImageDraw.Draw(image), [colour(rng) for _ in range(3)]
    for k in range(count(rng, 2, 5)):
        x, y, r = between(rng, 0.3, 0.6) * side, between(rng, 0.35, 0.6) * side, between(rng, 0.12, 0.4) * side
        box = (x - r, y - r, x + r, y + r)
        form = pick(rng, ("disc", "ring", "box", "star", "arc", "letter") if k else ("box", "star", "letter"))
        if form == "disc":
            pen.ellipse(box, fill=inks[k % 3])
        elif form == "ring":
            pen.ellipse(box, outline=inks[k % 3], width=max(3, int(r / 5)))
        elif form == "box":
            pen.rounded_rectangle(box, r * between(rng, 0, 0.6), fill=inks[k % 3])
        elif form == "arc":
            pen.arc(box, between(rng, 0, 180), between(rng, 180, 360), fill=inks[k % 3], width=max(3, int(r / 4)))
        elif form == "star":
            tips, turn = count(rng, 3, 9), between(rng, 0, 6)
            pen.polygon(
                [
                    (x + cos(turn + pi * j / tips) * r * (1, 0.45)[j % 2], y + sin(turn + pi * j / tips) * r * (1, 0.45)[j % 2])
                    for j in range(2 * tips)
                ],
                fill=inks[k % 3],
            )
        else:
            pen.text((x, y), chr(count(rng, 65, 90)), fill=inks[k % 3], font=font(rng, int(r * 2)), anchor="mm")
    if chance(rng, 0.6):
        place = (side, side / 2, "lm") if image.width > side else (side / 2, side * 0.9, "mm")
        pen.text(place[:2], phrase(rng, 1, 2), fill=inks[0], font=font(rng, side // count(rng, 6, 9)), anchor=place[2])
    return image
