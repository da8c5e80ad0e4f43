"""Screens: windows of programs, web pages, telephones, terminals."""

from typing import Any

from PIL import Image, ImageDraw

from training.figure_set.fonts import font
from training.figure_set.pictures import Gallery, free, scene
from training.figure_set.sketches import canvas
from training.figure_set.words import Generator, axis_label, between, chance, colour, count, figure_text, paragraph, phrase, pick


def screenshot(rng: Generator, free_pictures: Gallery) -> Image.Image:
    """Return a program's window, a web page, a telephone's screen, a terminal or a message."""
    made = free(rng, free_pictures.screens) if chance(rng, 0.4) else None
    if made:
        return made
    image, _ = canvas(rng)
    kind = pick(rng, ("window", "window", "page", "terminal", "phone"))
    dark = kind == "terminal" or chance(rng, 0.25)
    back, ink = ((30, 32, 36), (220, 220, 220)) if dark else ((246, 246, 246), (40, 40, 40))
    if kind == "phone":
        image = image.resize((count(rng, 180, 300), count(rng, 320, 600)))
    w, h = image.size
    image.paste(back, (0, 0, w, h))
    pen, bar, accent = ImageDraw.Draw(image), max(14, h // 18), colour(rng)
    small = font(rng, max(8, bar // 2))
    if kind != "terminal" or chance(rng, 0.6):
        _title_bar(rng, image, bar)
    y, left = bar * 1.6, w * 0.04
    if kind == "window" and chance(rng, 0.6):
        left = w * 0.26
        pen.rectangle((0, bar, w * 0.22, h), fill=tuple(max(0, c - 14) for c in back))
        for k in range(count(rng, 4, 12)):
            pen.text((8, bar * (1.6 + k)), phrase(rng, 1, 2), fill=ink, font=small)
    while y < h - bar:
        y += _widget(rng, image, (left, y, w * 0.96, bar), (ink, accent, free_pictures, kind))
    return image


def _widget(rng: Generator, image: Image.Image, place: tuple[float, float, float, int], look: tuple[Any, ...]) -> float:
    """Draw one thing on a screen; return its height. `place` is left, top, right and the height of a line."""
    (x0, y0, x1, line), (ink, accent, free_pictures, kind) = place, look
    pen, small = ImageDraw.Draw(image), font(rng, max(8, line // 2))
    choice = "text" if kind == "terminal" else pick(rng, ("text", "text", "button", "field", "picture", "list", "rule"))
    if choice == "picture":
        height = int(min(line * 7, image.height - y0 - line))
        if height > 20:
            piece = free(rng, free_pictures.photographs) or scene(rng, (200, 120))
            image.paste(piece.resize((int(x1 - x0), height)), (int(x0), int(y0)))
        return height + line
    if choice == "button":
        pen.rounded_rectangle((x0, y0, x0 + line * 5, y0 + line), 4, fill=accent)
        pen.text((x0 + line * 2.5, y0 + line / 2), phrase(rng, 1, 1), fill=(255, 255, 255), font=small, anchor="mm")
    elif choice == "field":
        pen.text((x0, y0), axis_label(rng), fill=ink, font=small)
        pen.rectangle((x0 + (x1 - x0) * 0.4, y0, x1, y0 + line), outline=(150, 150, 150), fill=(255, 255, 255))
        pen.text((x0 + (x1 - x0) * 0.42, y0 + 2), figure_text(rng), fill=(40, 40, 40), font=small)
    elif choice == "rule":
        pen.line((x0, y0, x1, y0), fill=(180, 180, 180))
    else:
        if choice == "list":
            pen.ellipse((x0, y0, x0 + line, y0 + line), fill=accent)
            x0 += line * 1.4
        pen.text((x0, y0), paragraph(rng, 1, 2)[: int((x1 - x0) / max(4, line // 4))], fill=ink, font=small)
    return line * between(rng, 1.1, 1.8)


def _title_bar(rng: Generator, image: Image.Image, bar: int) -> None:
    """Draw the bar of a window, `bar` pixels high, at the top of a picture."""
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, image.width, bar), fill=pick(rng, ((210, 210, 215), (60, 60, 65), colour(rng))))
    for k, spot in enumerate(((255, 95, 86), (255, 189, 46), (39, 201, 63))):
        pen.ellipse((6 + k * bar * 0.7, bar * 0.25, 6 + k * bar * 0.7 + bar * 0.5, bar * 0.75), fill=spot)
    pen.text(
        (image.width / 2, bar / 2),
        phrase(rng, 1, 3),
        fill=pick(rng, ((30, 30, 30), (240, 240, 240))),
        font=font(rng, max(8, bar // 2)),
        anchor="mm",
    )


def windowed(rng: Generator, picture: Image.Image) -> Image.Image:
    """Return a picture in a program's window: below a title bar, with an edge and perhaps a menu."""
    bar, edge = count(rng, 14, 26), count(rng, 0, 8)
    menu = bar if chance(rng, 0.5) else 0
    whole = Image.new("RGB", (picture.width + 2 * edge, picture.height + bar + menu + edge), (225, 225, 228))
    _title_bar(rng, whole, bar)
    if menu:
        letters = font(rng, max(8, bar // 2))
        ImageDraw.Draw(whole).text((6, bar + menu / 2), "File   Edit   View   Help", fill=(40, 40, 40), font=letters, anchor="lm")
    whole.paste(picture, (edge, bar + menu))
    return whole
