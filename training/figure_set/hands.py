"""What hands write: signatures and lines."""

from math import pi

import numpy as np
from PIL import Image, ImageDraw

from training.figure_set.fonts import script
from training.figure_set.words import NAMES, Generator, between, chance, count, paragraph, pick


def handwriting(rng: Generator) -> Image.Image:
    """Return a signature or lines written by hand, on plain, ruled or grey paper."""
    width = count(rng, 240, 700)
    signed = chance(rng, 0.5)
    image = Image.new(
        "RGB",
        (width, int(width * (between(rng, 0.25, 0.5) if signed else between(rng, 0.3, 1.2)))),
        pick(rng, ((255, 255, 255), (250, 248, 240), (225, 225, 225))),
    )
    pen, ink = ImageDraw.Draw(image), pick(rng, ((0, 0, 0), (20, 30, 120), (60, 60, 60)))
    w, h = image.size
    step = between(rng, 20, 44)
    if not signed and chance(rng, 0.4):
        for y in np.arange(step * 1.6, h, step * 1.4):
            pen.line((0, y, w, y), fill=(170, 190, 220))
    if signed:
        _stroke(rng, pen, (w * 0.1, h * 0.55, w * 0.8, h * 0.3), (ink, count(rng, 2, 5)))
        if chance(rng, 0.3):
            pen.text((w * 0.3, h * 0.5), pick(rng, NAMES), fill=ink, font=script(rng, int(h * 0.4)), anchor="lm")
        return image
    words, letters, own = paragraph(rng, 4, 9).split(), script(rng, int(step)), chance(rng, 0.45)
    x, y = w * 0.05, step
    for word in words:
        length = len(word) * step * 0.42
        if x + length > w * 0.97:
            x, y = w * 0.05 + between(rng, 0, 8), y + step * 1.4
        if y > h - step * 0.5:
            break
        if own:
            _stroke(rng, pen, (x, y, length * 0.9, step * 0.35), (ink, 2))
        else:
            pen.text((x, y + between(rng, -2, 2)), word, fill=ink, font=letters, anchor="lm")
            length = pen.textlength(word, font=letters)
        x += length + step * 0.35
    return image.rotate(between(rng, -3, 3), Image.Resampling.BILINEAR, fillcolor=image.getpixel((0, 0)))


def _stroke(
    rng: Generator, pen: ImageDraw.ImageDraw, place: tuple[float, float, float, float], style: tuple[tuple[int, ...], int]
) -> None:
    """Draw one looping line that looks like joined letters. `place` is left, middle, width and half the height."""
    x, y, width, rise = place
    t = np.linspace(0, 1, max(20, int(width)))
    loops = max(1.0, width / (rise * between(rng, 0.7, 1.4)))
    tall = np.interp(t, np.linspace(0, 1, 12), rng.uniform(0.2, 1.0, 12))
    xs = x + width * t + rise * 0.5 * np.sin(2 * pi * loops * t)
    ys = y - rise * tall * np.cos(2 * pi * loops * t + between(rng, 0, 6)) - width * between(rng, -0.1, 0.15) * t
    pen.line(list(zip(xs.tolist(), ys.tolist(), strict=True)), fill=style[0], width=style[1], joint="curve")
