"""Maps: land and sea, provinces, heights, streets; and the smooth noise that they are made of."""

from math import sin
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from training.figure_set.fonts import font
from training.figure_set.sketches import canvas
from training.figure_set.words import COUNTRIES, NAMES, Generator, between, chance, colour, count, pick

Field = np.ndarray[Any, Any]


def field(rng: Generator, size: tuple[int, int], roughness: float = 2.0) -> Field:
    """Return smooth noise in [0, 1] of (width, height), rougher the smaller `roughness` is."""
    w, h = size
    total = np.zeros((h, w))
    for octave in range(6):
        cells = 2 ** (octave + 1)
        coarse = Image.fromarray(rng.random((cells + 1, cells + 1)).astype(np.float32))
        total += np.asarray(coarse.resize((w, h), Image.Resampling.BICUBIC)) / roughness**octave
    smooth: Field = (total - total.min()) / (np.ptp(total) + 1e-9)
    return smooth


def map_(rng: Generator) -> Image.Image:
    """Return a map: land and sea, heights, or streets, with names, rivers and marks."""
    size = canvas(rng)[0].size
    image = pick(rng, (_land, _land, _heights, _streets, _streets))(rng, size)
    (w, h), pen = size, ImageDraw.Draw(image)
    if chance(rng, 0.5):
        turn, rise = between(rng, 0, 6), between(rng, 0.05, 0.3)
        river = [(w * t, h * (0.5 + rise * sin(6 * t + turn))) for t in np.linspace(0, 1, 40)]
        pen.line(river, fill=(70, 130, 200), width=count(rng, 1, 4))
    letters = font(rng, max(8, h // count(rng, 22, 40)))
    for _ in range(count(rng, 0, 14)):
        x, y = between(rng, 0, w * 0.9), between(rng, 0, h)
        if chance(rng, 0.5):
            pen.ellipse((x - 3, y - 3, x + 3, y + 3), fill=pick(rng, ((200, 0, 0), (0, 0, 0), (0, 0, 180))))
        pen.text((x + 5, y), pick(rng, (*COUNTRIES, *NAMES)), fill=(30, 30, 30), font=letters, anchor="lm")
    return image


def _land(rng: Generator, size: tuple[int, int]) -> Image.Image:
    """Return land of provinces in a sea, with borders."""
    land = field(rng, size, between(rng, 1.6, 2.2)) > between(rng, 0.4, 0.6)
    sea = np.array(pick(rng, ((190, 220, 245), (255, 255, 255), (170, 211, 223))))
    inks = [colour(rng, 110, 255) for _ in range(8)]
    image = Image.fromarray(np.where(land[..., None], provinces(rng, size, inks), sea).astype(np.uint8))
    edge = image.filter(ImageFilter.FIND_EDGES).convert("L").point(lambda value: 255 if value > 20 else 0)
    image.paste(pick(rng, ((90, 90, 90), (0, 0, 0), (255, 255, 255))), (0, 0), edge)
    return image


def _heights(rng: Generator, size: tuple[int, int]) -> Image.Image:
    """Return heights in steps of one colour scale."""
    steps = np.floor(field(rng, size) * count(rng, 5, 12)).astype(int)
    low, high = np.array(colour(rng, 110, 255)), np.array(colour(rng, 110, 255))
    ramp = np.linspace(0, 1, 13)[:, None] * (high - low) + low
    return Image.fromarray(ramp[steps].astype(np.uint8))


def _streets(rng: Generator, size: tuple[int, int]) -> Image.Image:
    """Return parks, water and streets."""
    w, h = size
    image = Image.new("RGB", size, pick(rng, ((242, 239, 233), (255, 255, 255), (235, 232, 220))))
    pen = ImageDraw.Draw(image)
    for _ in range(count(rng, 2, 5)):
        x, y = between(rng, 0, w), between(rng, 0, h)
        corners = [(x + between(rng, -90, 90), y + between(rng, -90, 90)) for _ in range(5)]
        pen.polygon(corners, fill=pick(rng, ((200, 230, 180), (170, 211, 223), (220, 215, 205))))
    for k in range(count(rng, 8, 30)):
        path = [(between(rng, -20, w + 20), between(rng, -20, h + 20)) for _ in range(2)]
        pen.line(path, fill=pick(rng, ((255, 255, 255), (250, 210, 120), (180, 180, 180), (120, 120, 120))), width=2 + k % 5)
    return image


def provinces(rng: Generator, size: tuple[int, int], inks: list[tuple[int, int, int]]) -> Field:
    """Return colours of (height, width): the regions nearest to points drawn by lot."""
    w, h = size
    seeds = rng.random((count(rng, 1, 25), 2)) * (h, w)
    ys, xs = np.mgrid[0:h:2, 0:w:2]
    bent = field(rng, (xs.shape[1], xs.shape[0])) * 60
    nearest = np.argmin([(ys - y + bent) ** 2 + (xs - x + bent) ** 2 for y, x in seeds], axis=0)
    whole = np.kron(nearest, np.ones((2, 2), int))[:h, :w]
    shown: Field = np.array(inks)[whole % len(inks)]
    return shown
