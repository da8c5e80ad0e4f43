"""Charts as office programs, plotters and web pages draw them: hard edges, gradients, depth."""

from itertools import pairwise
from math import pi

import numpy as np
from PIL import Image, ImageDraw

from training.figure_set.charts.office_pies import pies
from training.figure_set.charts.office_sheet import Colour, Sheet, legend, names_below, sheet
from training.figure_set.charts.shapes import cloud, curve
from training.figure_set.fonts import font
from training.figure_set.words import Generator, between, chance, colour, count, phrase, pick, title


def bars(rng: Generator) -> Image.Image:
    """Return upright or lying bars, plain, stacked, hatched, shaded, or with depth."""
    on = sheet(rng)
    x0, y0, x1, y1 = on.area
    n, groups = count(rng, 2, pick(rng, (5, 9, 25))), pick(rng, (1, 1, 2, 3, 4))
    stacked, flat = groups > 1 and chance(rng, 0.4), chance(rng, 0.25)
    heights = rng.gamma(pick(rng, (1, 3)), 1, (groups, n)) + 0.02
    heights /= (
        heights.sum(axis=0) if stacked and chance(rng, 0.4) else (heights.sum(axis=0).max() if stacked else heights.max())
    ) * between(rng, 1.02, 1.4)
    slot, share, look = (
        ((y1 - y0) if flat else (x1 - x0)) / n,
        between(rng, 0.35, 0.95),
        pick(rng, ("flat", "flat", "flat", "hatch", "shade", "depth", "round")),
    )
    varied = groups == 1 and chance(rng, 0.35)
    for k in range(n):
        low = 0.0
        for g in range(groups):
            wide = slot * share / (1 if stacked else groups)
            at = slot * (k + 0.5) - slot * share / 2 + (0 if stacked else g * wide)
            ends = low, low + heights[g, k]
            box = (
                (x0 + ends[0] * (x1 - x0), y0 + at, x0 + ends[1] * (x1 - x0), y0 + at + wide)
                if flat
                else (x0 + at, y1 - ends[1] * (y1 - y0), x0 + at + wide, y1 - ends[0] * (y1 - y0))
            )
            _bar(rng, on, tuple(map(int, box)), (on.palette[(k if varied else g) % 6], look))
            low = ends[1] if stacked else 0.0
    if not flat and n < 13:
        names_below(rng, on, [x0 + slot * (k + 0.5) for k in range(n)])
    if groups > 1 or chance(rng, 0.2):
        legend(rng, on, groups)
    return on.image


def _bar(rng: Generator, on: Sheet, box: tuple[int, ...], style: tuple[Colour, str]) -> None:
    (x0, y0, x1, y1), (fill, look) = box, style
    if x1 - x0 < 1 or y1 - y0 < 1:
        return
    if look in ("shade", "round"):
        ramp = 0.55 + 0.45 * np.sin(np.linspace(0.3, pi - 0.2, x1 - x0))
        body = np.broadcast_to(np.array(fill) * ramp[None, :, None], (y1 - y0, x1 - x0, 3))
        on.image.paste(Image.fromarray(body.astype(np.uint8)), (x0, y0))
        if look == "round":
            cap = max(2, (x1 - x0) // 5)
            on.pen.ellipse((x0, y0 - cap, x1 - 1, y0 + cap), fill=tuple(min(255, c + 40) for c in fill))
        return
    if look == "depth":
        d = max(3, (x1 - x0) // 3)
        on.pen.polygon(
            [(x0, y0), (x0 + d, y0 - d), (x1 + d, y0 - d), (x1, y0)], fill=tuple(min(255, c + 50) for c in fill), outline=on.ink
        )
        on.pen.polygon(
            [(x1, y0), (x1 + d, y0 - d), (x1 + d, y1 - d), (x1, y1)], fill=tuple(c * 2 // 3 for c in fill), outline=on.ink
        )
    on.pen.rectangle((x0, y0, x1, y1), fill=(255, 255, 255) if look == "hatch" else fill, outline=on.ink)
    if look == "hatch":
        for y in range(y0, y1, 3 + sum(fill) % 5):
            on.pen.line((x0, y, x1, y if fill[0] % 2 else y0 + y1 - y), fill=fill)


def lines(rng: Generator) -> Image.Image:
    """Return curves with hard edges, with or without markers, as plotters and office programs draw them."""
    on = sheet(rng)
    x0, y0, x1, y1 = on.area
    n, series = pick(rng, (4, 6, 10, 20, 60, 200, 400)), pick(rng, (1, 1, 2, 3, 4, 5))
    wide, marked, dashed = pick(rng, (1, 1, 1, 2, 3)), n < 25 and chance(rng, 0.6), chance(rng, 0.25)
    curves = [curve(rng, n) + k * 0.3 for k in range(series)]
    low, high = min(map(np.min, curves)), max(map(np.max, curves))
    for k, values in enumerate(curves):
        xs = np.linspace(x0, x1, n)
        ys = y1 - (values - low) / (high - low + 1e-9) * (y1 - y0) * 0.92 - 0.04 * (y1 - y0)
        path, ink = list(zip(xs.tolist(), ys.tolist(), strict=True)), on.palette[k % 6]
        ink = on.ink if sum(ink) > 700 else ink
        for part, (start, end) in enumerate(pairwise(path)):
            if not dashed or k == 0 or part % 2:
                on.pen.line((*start, *end), fill=ink, width=wide)
        for at in path if marked else ():
            mark(on.pen, at, (k + series) % 5, max(2, on.size // 4), ink)
    if n < 13 and chance(rng, 0.7):
        names_below(rng, on, np.linspace(x0, x1, n).tolist())
    if series > 1 or chance(rng, 0.2):
        legend(rng, on, series, line=True)
    return on.image


def mark(pen: ImageDraw.ImageDraw, at: tuple[float, float], shape: int, r: float, ink: Colour) -> None:
    """Draw a marker: 0 disc, 1 square, 2 triangle, 3 diamond, 4 ring, 5 cross."""
    x, y = at
    box = (x - r, y - r, x + r, y + r)
    if shape == 0:
        pen.ellipse(box, fill=ink)
    elif shape == 1:
        pen.rectangle(box, fill=ink)
    elif shape == 2:
        pen.polygon([(x, y - r), (x + r, y + r), (x - r, y + r)], fill=ink)
    elif shape == 3:
        pen.polygon([(x, y - r), (x + r, y), (x, y + r), (x - r, y)], fill=ink)
    elif shape == 4:
        pen.ellipse(box, outline=ink)
    else:
        pen.line((x - r, y, x + r, y), fill=ink)
        pen.line((x, y - r, x, y + r), fill=ink)


def points(rng: Generator) -> Image.Image:
    """Return points with hard edges, few or many, in one or more groups."""
    on = sheet(rng)
    x0, y0, x1, y1 = on.area
    n, r = pick(rng, (5, 10, 20, 40, 100, 1000)), between(rng, 1, on.size / 2.5)
    for k in range(pick(rng, (1, 1, 2, 3))):
        xs, ys = cloud(rng, n)
        xs, ys = ((v - v.min()) / (np.ptp(v) + 1e-9) * 0.92 + 0.04 for v in (xs, ys))
        ink = on.ink if sum(on.palette[k]) > 650 else on.palette[k]
        shape = count(rng, 0, 5)
        for x, y in zip(xs, ys, strict=True):
            mark(on.pen, (x0 + x * (x1 - x0), y1 - y * (y1 - y0)), shape, r if n < 200 else min(r, 2), ink)
    if chance(rng, 0.25):
        slope = pick(rng, ((x0, y1, x1, y0), (x0, y0, x1, y1), (x0, (y0 + y1) // 2, x1, y0)))
        on.pen.line(slope, fill=pick(rng, (on.ink, (255, 0, 0), (0, 0, 200))), width=pick(rng, (1, 2)))
    if chance(rng, 0.7):
        names_below(rng, on, np.linspace(x0, x1, count(rng, 4, 9)).tolist())
    return on.image


def survey(rng: Generator) -> Image.Image:
    """Return bars as pages on the web have them: no axes, a name above or beside each, its value at its end."""
    width, n = count(rng, 300, 700), count(rng, 2, 7)
    back = pick(rng, ((255, 255, 255), (255, 255, 255), colour(rng, 225, 255), colour(rng, 0, 60)))
    ink = (240, 240, 240) if sum(back) < 300 else (70, 70, 70)
    step, size = count(rng, 40, 100), count(rng, 12, 20)
    image = Image.new("RGB", (width, step * n + 4 * size), back)
    pen, letters, above = ImageDraw.Draw(image), font(rng, size), chance(rng, 0.6)
    inks = [colour(rng, 0, 230)] * n if chance(rng, 0.6) else [colour(rng, 0, 230) for _ in range(n)]
    pen.text((width / 2, size * 1.5), title(rng), fill=ink, font=font(rng, int(size * 1.4)), anchor="mm")
    left = 8 if above else width * 0.3
    for k, share in enumerate(np.sort(rng.random(n))[::-1] if chance(rng, 0.6) else rng.random(n)):
        y = 3 * size + k * step
        end = left + (width * 0.9 - left) * (0.04 + 0.9 * float(share))
        pen.text(
            (8, y if above else y + step * 0.5),
            phrase(rng, 1, 7 if above else 2),
            fill=ink,
            font=letters,
            anchor="la" if above else "lm",
        )
        pen.rectangle((left, y + (size * 1.3 if above else step * 0.2), end, y + step * 0.82), fill=inks[k])
        pen.text((end + 4, y + step * 0.6), f"{100 * share:.1f}%", fill=ink, font=letters, anchor="lm")
    return image


def bars_or_survey(rng: Generator) -> Image.Image:
    """Return bars with axes or, now and then, without."""
    return survey(rng) if chance(rng, 0.13) else bars(rng)


PAINTERS = {"bar chart": bars_or_survey, "line graph": lines, "scatter plot": points, "pie chart": pies}
