"""Pies as office programs and web pages draw them: flat, or a tilted disc with a side."""

from math import cos, pi, sin
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw

from training.figure_set.charts.office_sheet import Colour, Sheet, legend, sheet
from training.figure_set.fonts import font
from training.figure_set.words import Generator, between, chance, count, phrase, pick


class Disc(NamedTuple):
    """A pie: middle, radii, height of its side, and the angles, in degrees, at which its parts begin and end."""

    x: float
    y: float
    rx: float
    ry: float
    side: float
    bounds: list[float]

    def at(self, part: int, far: float) -> tuple[float, float]:
        """Return the point in the middle of a part's angle, `far` radii from the pie's middle."""
        middle = (self.bounds[part] + self.bounds[part + 1]) / 360 * pi
        return self.x + cos(middle) * self.rx * far, self.y + sin(middle) * self.ry * far


def pies(rng: Generator) -> Image.Image:
    """Return a pie: flat, or a tilted disc with a side; whole or with parts drawn out."""
    on = sheet(rng, axes=False)
    big = on.image.resize((on.image.width * 2, on.image.height * 2))
    n = pick(rng, (1, 2, 3, 4, 5, 6, 9, 14))
    shares = rng.gamma(1.5, 1, n) + 0.03
    bounds = np.concatenate([[0], np.cumsum(shares / shares.sum())]) * 360 + between(rng, 0, 360)
    r = min(big.size) * between(rng, 0.25, 0.46)
    tilt, depth = (between(rng, 0.4, 0.75), between(rng, 0.08, 0.4)) if chance(rng, 0.5) else (1.0, 0.0)
    middle = big.width * between(rng, 0.32, 0.6), big.height * between(rng, 0.48, 0.55)
    disc = Disc(*middle, r, r * tilt, r * depth, bounds.tolist())
    inks = [on.palette[k % 6] for k in range(n)] if chance(rng, 0.85) else [on.palette[0]] * n
    _parts(rng, big, disc, on._replace(palette=inks))
    if chance(rng, 0.6):
        _labels(rng, big, disc, on)
    on.image.paste(big.resize(on.image.size, pick(rng, (Image.Resampling.BILINEAR, Image.Resampling.NEAREST))))
    if chance(rng, 0.5):
        legend(rng, on._replace(palette=(inks * 6)[:6]), min(n, 6))
    return on.image


def _parts(rng: Generator, big: Image.Image, disc: Disc, on: Sheet) -> None:
    """Draw the parts from the back to the front, each with its side, and perhaps a hole."""
    pen, n = ImageDraw.Draw(big), len(disc.bounds) - 1
    apart = between(rng, 0.04, 0.25) if chance(rng, 0.25) else 0.0
    outline: Colour | None = pick(rng, (on.ink, on.ink, (255, 255, 255), None))
    wide = count(rng, 1, 4)
    for k in sorted(range(n), key=lambda k: sin((disc.bounds[k] + disc.bounds[k + 1]) / 360 * pi)):
        x, y = disc.at(k, apart)
        ends, dark = (disc.bounds[k], disc.bounds[k + 1]), tuple(c * 2 // 3 for c in on.palette[k])
        box = (x - disc.rx, y - disc.ry, x + disc.rx, y + disc.ry)
        for low in range(int(disc.side), 0, -2):
            pen.pieslice((box[0], box[1] + low, box[2], box[3] + low), *ends, fill=dark)
        pen.pieslice(box, *ends, fill=on.palette[k], outline=outline, width=wide)
    if chance(rng, 0.12):
        hole = (disc.x - disc.rx / 2, disc.y - disc.ry / 2, disc.x + disc.rx / 2, disc.y + disc.ry / 2)
        pen.ellipse(hole, fill=(255, 255, 255) if chance(rng, 0.3) else big.getpixel((1, 1)))


def _labels(rng: Generator, big: Image.Image, disc: Disc, on: Sheet) -> None:
    """Write a name, a share or a price in or beside each part, sometimes in a box."""
    pen, letters, far = ImageDraw.Draw(big), font(rng, on.size * 2), pick(rng, (0.6, 1.15, 1.25))
    for k in range(len(disc.bounds) - 1):
        text = pick(rng, (phrase(rng, 1, 2), f"{count(rng, 1, 90)}%", f"${count(rng, 1, 90)},000"))
        x, y = disc.at(k, far)
        if chance(rng, 0.15):
            half, tall = pen.textlength(text, font=letters) / 2 + 6, on.size * 1.3
            pen.rectangle((x - half, y - tall, x + half, y + tall), fill=(255, 255, 255), outline=on.ink)
        pen.text((x, y), text, fill=on.ink, font=letters, anchor="mm")
