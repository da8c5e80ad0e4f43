"""Photographs and collages: procedural, and cut from free pictures that lie in folders."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageEnhance, ImageFilter

from training.figure_set.fonts import font
from training.figure_set.maps import field
from training.figure_set.words import Generator, between, chance, colour, count, pick

SMALLEST = 80
"""Pixels of the shorter side of a free picture; smaller ones are left out."""


PLAIN = 8
"""Standard deviation of a picture's values in 0 to 255; what varies less shows nothing."""


class Gallery(NamedTuple):
    """Free pictures by what they show; each tuple may be empty."""

    photographs: tuple[str, ...] = ()
    drawings: tuple[str, ...] = ()
    maps: tuple[str, ...] = ()
    screens: tuple[str, ...] = ()


@cache
def gallery(folder: str) -> Gallery:
    """Return the pictures below a folder into which Debian's packages of pictures were unpacked (see the model's README)."""
    root = Path(folder) / "usr"

    def found(*places: str) -> tuple[str, ...]:
        files = (file for place in places for file in (root / place).rglob("*"))
        return tuple(sorted(str(file) for file in files if file.suffix in (".png", ".jpg", ".webp")))

    stamps = [
        f"share/tuxpaint/stamps/{name}"
        for name in (
            "animals",
            "plants",
            "food",
            "household",
            "vehicles",
            "people",
            "clothes",
            "sports",
            "space",
            "naturalforces",
            "hobbies",
            "medical",
            "seasonal",
            "town",
        )
    ]
    maps = [name for name in found("share/kgeography") if "flags" not in name]
    return Gallery(
        found("share/backgrounds", "lib/python3/dist-packages/skimage/data", *stamps),
        found("share/openclipart/png", "share/kgeography/flags", "share/tuxpaint/stamps/symbols"),
        tuple(maps),
        found(
            "share/gimp/2.0/help/en/images/dialogs",
            "share/gimp/2.0/help/en/images/tool-options",
            "share/gimp/2.0/help/en/images/menus",
        ),
    )


def free(rng: Generator, files: tuple[str, ...]) -> Image.Image | None:
    """Return one of the pictures on some ground, at most 700 pixels wide; None if it is too small or plain, or there is none."""
    if not files:
        return None
    with Image.open(pick(rng, files)) as source:
        if min(source.size) < SMALLEST or source.width * source.height > 40_000_000:
            return None
        source.draft("RGB", (1400, 1400))
        picture = source.convert("RGBA")
    if picture.width > 1000:
        side = count(rng, 300, min(picture.size))
        x, y = count(rng, 0, picture.width - side), count(rng, 0, picture.height - side)
        picture = picture.crop((x, y, x + side, min(picture.height, y + int(side * between(rng, 0.5, 1)))))
    picture.thumbnail((700, 700))
    back = Image.new("RGBA", picture.size, (*pick(rng, ((255, 255, 255), (255, 255, 255), colour(rng))), 255))
    if chance(rng, 0.3):
        back = scene(rng, picture.size).convert("RGBA")
    back.alpha_composite(picture)
    made = back.convert("RGB")
    return made if np.asarray(made).std() > PLAIN else None


def scene(rng: Generator, size: tuple[int, int]) -> Image.Image:
    """Return what looks like a photograph from afar: textures, lit balls and boxes, haze, grain."""
    w, h = size
    low, high = np.array(colour(rng, 0, 140)), np.array(colour(rng, 60, 255))
    values = low + (high - low) * field(rng, size, between(rng, 1.2, 2.4))[..., None]
    if chance(rng, 0.6):
        ridge = (field(rng, (w, 2), 1.7)[0] * 0.4 + between(rng, 0.2, 0.5)) * h
        ground = np.arange(h)[:, None] > ridge[None, :]
        values = np.where(ground[..., None], np.array(colour(rng, 0, 160)) * (0.4 + field(rng, size, 1.3)[..., None]), values)
    ys, xs = np.mgrid[0:h, 0:w]
    for _ in range(count(rng, 0, 6)):
        r, x, y = between(rng, 0.05, 0.35) * w, between(rng, 0, w), between(rng, 0, h)
        dx, dy = (xs - x) / r, (ys - y) / (r * between(rng, 0.5, 2))
        away = dx**2 + dy**2
        light = np.clip(1.1 - 0.6 * ((dx + 0.5) ** 2 + (dy + 0.5) ** 2) ** 0.5, 0.05, 1.2)
        skin = np.array(colour(rng, 30, 255)) * (0.75 + 0.5 * field(rng, size, 1.5)[..., None] - 0.25)
        values = np.where((away < 1)[..., None], skin * light[..., None], values)
    values += rng.normal(0, between(rng, 1, 14), (h, w, 1))
    made = Image.fromarray(np.clip(values, 0, 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(between(rng, 0, 2)))
    return ImageEnhance.Contrast(made).enhance(between(rng, 0.7, 1.5))


def weave(rng: Generator, size: tuple[int, int]) -> Image.Image:
    """Return cloth, bricks or stripes with grain: a texture that repeats."""
    w, h = size
    ys, xs = np.mgrid[0:h, 0:w]
    bend = field(rng, size) * between(rng, 0, 30)
    stripes = np.sin((xs + bend) / between(rng, 3, 25)) * np.sin((ys + bend) / between(rng, 3, 60) + between(rng, 0, 3))
    inks = np.array([colour(rng) for _ in range(4)])
    values = inks[((stripes + 1) * 1.99).astype(int)] * (0.6 + 0.4 * field(rng, size, 1.3)[..., None])
    return Image.fromarray(np.clip(values + rng.normal(0, 10, (h, w, 1)), 0, 255).astype(np.uint8))


def photograph(rng: Generator, free_pictures: Gallery) -> Image.Image:
    """Return a photograph, a print or a collage of some, in colour or grey."""
    size = count(rng, 200, 500), count(rng, 160, 500)
    kind = rng.random()
    if kind < 0.6:
        made = free(rng, free_pictures.photographs) or scene(rng, size)
    elif kind < 0.75:
        made = scene(rng, size)
    elif kind < 0.8:
        made = weave(rng, size)
    elif kind < 0.83:
        made = starry(rng, size)
    else:
        made = collage(rng, free_pictures)
    if chance(rng, 0.25):
        made = made.convert("L").convert("RGB")
    if chance(rng, 0.1):
        made = etching(rng, made)
    return made


def starry(rng: Generator, size: tuple[int, int]) -> Image.Image:
    """Return bright spots and a glow on black."""
    image = Image.new("RGB", size)
    pen = ImageDraw.Draw(image)
    for _ in range(count(rng, 3, 200)):
        x, y, r = between(rng, 0, size[0]), between(rng, 0, size[1]), between(rng, 0.3, 2.5)
        pen.ellipse((x - r, y - r, x + r, y + r), fill=colour(rng, 120, 255))
    if chance(rng, 0.6):
        x, y, r = between(rng, 0, size[0]), between(rng, 0, size[1]), between(rng, 5, 120)
        pen.ellipse((x - r, y - r, x + r, y + r), fill=colour(rng, 60, 255))
    return image.filter(ImageFilter.GaussianBlur(between(rng, 0.3, 3)))


def etching(rng: Generator, picture: Image.Image) -> Image.Image:
    """Return the picture as lines of ink on toned paper with a margin, as old prints have."""
    grey = np.asarray(picture.convert("L")).astype(float)
    ys, xs = np.mgrid[0 : grey.shape[0], 0 : grey.shape[1]]
    lines = 128 + 100 * np.sin((xs + ys * between(rng, -1, 1)) / between(rng, 0.8, 2))
    inked = np.where(grey + between(rng, 0, 60) > lines, 1.0, 0.15)[..., None] * np.array((245, 238, 222))
    edge = count(rng, 5, 40)
    paper = Image.new("RGB", (picture.width + 2 * edge, picture.height + 2 * edge), (240, 235, 222))
    paper.paste(Image.fromarray(inked.astype(np.uint8)), (edge, edge))
    return paper


def collage(rng: Generator, free_pictures: Gallery) -> Image.Image:
    """Return several pictures side by side, with gaps and perhaps letters."""
    columns, rows, side, gap = count(rng, 1, 4), count(rng, 1, 3), count(rng, 90, 200), count(rng, 0, 14)
    back = pick(rng, ((255, 255, 255), (255, 255, 255), (0, 0, 0)))
    sheet = Image.new("RGB", (columns * (side + gap) + gap, rows * (side + gap) + gap), back)
    letters = font(rng, 14)
    for k in range(columns * rows):
        piece = free(rng, free_pictures.photographs) or scene(rng, (side, side))
        x, y = gap + k % columns * (side + gap), gap + k // columns * (side + gap)
        sheet.paste(piece.resize((side, side)), (x, y))
        if chance(rng, 0.3):
            ImageDraw.Draw(sheet).text(
                (x + 4, y + 4), f"({chr(97 + k)})", fill=(255, 255, 255) if chance(rng, 0.5) else (0, 0, 0), font=letters
            )
    return sheet


def drawing(rng: Generator, free_pictures: Gallery) -> Image.Image | None:
    """Return clip art, a flag or a symbol, if there are any."""
    return free(rng, free_pictures.drawings)
