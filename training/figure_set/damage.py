"""What happens to figures on their way into documents: cut, scaled, printed, scanned, compressed."""

import io

import numpy as np
from PIL import Image, ImageEnhance, ImageFilter, ImageOps

from training.figure_set.words import Generator, between, chance, colour, count, phrase, pick


def worn(rng: Generator, picture: Image.Image) -> Image.Image:
    """Return the picture cut, framed, turned a little, grey, printed in black and white, blurred, or compressed, each by lot."""
    if chance(rng, 0.35):
        picture = cut(rng, picture)
    if chance(rng, 0.2):
        border = count(rng, 1, max(2, picture.width // 8))
        picture = ImageOps.expand(
            picture, border, pick(rng, ((255, 255, 255), (255, 255, 255), (0, 0, 0), colour(rng, 180, 255)))
        )
    if chance(rng, 0.12):
        picture = small_print(rng, picture)
    if chance(rng, 0.12):
        picture = picture.rotate(between(rng, -4, 4), Image.Resampling.BILINEAR, expand=True, fillcolor=(255, 255, 255))
    if chance(rng, 0.2):
        picture = picture.convert("L").convert("RGB")
    if chance(rng, 0.07):
        picture = picture.convert("L").point(lambda value: 255 if value > 150 else 0).convert("RGB")
    if chance(rng, 0.15):
        picture = ImageEnhance.Contrast(picture).enhance(between(rng, 0.5, 1.3))
    if chance(rng, 0.15):
        scale = between(rng, 0.3, 0.8)
        picture = picture.resize((max(20, int(picture.width * scale)), max(12, int(picture.height * scale))))
    if chance(rng, 0.12):
        picture = picture.filter(ImageFilter.GaussianBlur(between(rng, 0.3, 1.5)))
    if chance(rng, 0.1):
        noise = rng.normal(0, between(rng, 2, 14), (picture.height, picture.width, 1))
        picture = Image.fromarray(np.clip(np.asarray(picture) + noise, 0, 255).astype(np.uint8))
    if chance(rng, 0.3):
        sink = io.BytesIO()
        picture.save(sink, "JPEG", quality=count(rng, 15, 85))
        picture = Image.open(sink).convert("RGB")
    return picture


def cut(rng: Generator, picture: Image.Image) -> Image.Image:
    """Cut up to an eighth off each side."""
    w, h = picture.size
    left, top = int(w * between(rng, 0, 0.12)), int(h * between(rng, 0, 0.12))
    right, bottom = int(w * between(rng, 0.88, 1)), int(h * between(rng, 0.88, 1))
    return picture.crop((left, top, max(left + 8, right), max(top + 8, bottom)))


def small_print(rng: Generator, picture: Image.Image) -> Image.Image:
    """Put lines of a caption or of running text above or below the picture."""
    from PIL import ImageDraw

    from training.figure_set.fonts import font

    size = max(9, picture.height // 22)
    n = count(rng, 1, 3)
    sheet = Image.new("RGB", (picture.width, picture.height + int(n * size * 1.4) + 6), (255, 255, 255))
    above = chance(rng, 0.4)
    sheet.paste(picture, (0, int(n * size * 1.4) + 6 if above else 0))
    pen, letters = ImageDraw.Draw(sheet), font(rng, size)
    for line in range(n):
        start = pick(rng, ("Figure 3. ", "Fig. 2: ", "Source: ", "")) if line == 0 else ""
        pen.text(
            (4, (3 if above else picture.height + 3) + line * size * 1.4),
            start + phrase(rng, 4, 12),
            fill=(0, 0, 0),
            font=letters,
        )
    return sheet
