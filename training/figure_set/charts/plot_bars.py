"""Bars and wedges as matplotlib draws them."""

from typing import Any

import numpy as np

from training.figure_set.charts.plot_looks import HATCHES, legend, words_around
from training.figure_set.words import Generator, between, category_names, chance, count, phrase, pick, title


def bars(rng: Generator, axes: Any, palette: list[Any]) -> None:
    """Draw vertical or horizontal bars: single, grouped, stacked, with errors or values."""
    n, groups = count(rng, 2, pick(rng, (6, 12, 30))), pick(rng, (1, 1, 1, 2, 3, 4, 6))
    values = rng.gamma(pick(rng, (1, 3, 8)), 1, (groups, n)) * 10 ** between(rng, -2, 5)
    values = np.sort(values, axis=1)[:, ::-1] if chance(rng, 0.3) else values
    values = values - values.mean() if chance(rng, 0.08) else values
    stacked, flat = groups > 1 and chance(rng, 0.45), chance(rng, 0.28)
    if stacked and chance(rng, 0.4):
        values = np.abs(values) / np.abs(values).sum(axis=0) * 100
    width = between(rng, 0.3, 1.0)
    edge = pick(rng, ("black", "black", "none", "white"))
    hatched = chance(rng, 0.25)
    for k in range(groups):
        step = width if stacked else width / groups
        at = np.arange(n) + (0 if stacked else (k - (groups - 1) / 2) * step)
        look = {
            "color": palette[k],
            "edgecolor": edge,
            "hatch": HATCHES[(k + n) % 12] if hatched else "",
            "label": phrase(rng, 1, 2),
        }
        if groups == 1 and chance(rng, 0.25):
            look["color"] = [palette[m % 16] for m in range(n)]
        if hatched and chance(rng, 0.7):
            look["color"] = "white"
        base = values[:k].sum(axis=0) if stacked else 0
        error = values[k] * rng.uniform(0, 0.3, n) if not stacked and chance(rng, 0.15) else None
        draw = axes.barh if flat else axes.bar
        draw(at, values[k], step, **{"left" if flat else "bottom": base}, **{"xerr" if flat else "yerr": error}, **look)
        if n < 9 and chance(rng, 0.3):
            for x, value, low in zip(at, values[k], np.broadcast_to(base, n), strict=True):
                text = f"{value:.{count(rng, 0, 1)}f}"
                axes.text(*((low + value, x) if flat else (x, low + value)), text, fontsize=7, ha="left" if flat else "center")
    if n < 14:
        names = category_names(rng, n)
        turned = pick(rng, (0, 0, 30, 45, 90)) if not flat else 0
        (axes.set_yticks if flat else axes.set_xticks)(range(n), names, rotation=turned)
    words_around(rng, axes)
    if groups > 1:
        legend(rng, axes, 0.8)


def histogram(rng: Generator, axes: Any, palette: list[Any]) -> None:
    """Draw the histogram of one or two samples."""
    for k in range(pick(rng, (1, 1, 2))):
        data = rng.normal(k, between(rng, 0.5, 2), 500) if chance(rng, 0.6) else rng.exponential(1, 500)
        axes.hist(
            data,
            count(rng, 6, 45),
            color=palette[k],
            edgecolor=pick(rng, ("black", "none", "white")),
            alpha=0.8,
            rwidth=between(rng, 0.6, 1),
        )
    words_around(rng, axes)


def bars_in_space(rng: Generator, axes: Any, palette: list[Any]) -> None:
    """Draw bars in three dimensions."""
    n, m = count(rng, 3, 8), count(rng, 1, 4)
    x, y = (grid.ravel() for grid in np.meshgrid(np.arange(n), np.arange(m)))
    shades = [palette[k % 16] for k in y]
    axes.bar3d(x, y, 0, 0.6, 0.4, rng.gamma(2, 1, n * m), color=shades, shade=True)
    axes.view_init(between(rng, 10, 40), between(rng, -80, -30))
    words_around(rng, axes)


def wedges(rng: Generator, axes: Any, palette: list[Any]) -> None:
    """Draw a pie or a ring: with labels, shares, a legend, or parts drawn out."""
    n = pick(rng, (1, 2, 3, 3, 4, 5, 6, 8, 12))
    values, names = rng.gamma(1.5, 1, n) + 0.05, [phrase(rng, 1, 2) for _ in range(n)]
    shades = palette[:n]
    if all(shade == shades[0] for shade in shades):
        shades = [str(shade) for shade in np.linspace(0.3, 0.95, n)] if chance(rng, 0.7) else ["white"] * n
    edge = {"edgecolor": pick(rng, ("black", "white", "none", "black")), "linewidth": between(rng, 0.5, 2)}
    if chance(rng, 0.15):
        edge["width"] = between(rng, 0.25, 0.6)
    axes.pie(
        values,
        labels=names if chance(rng, 0.55) else None,
        autopct=pick(rng, (None, "%.0f%%", "%.1f%%")),
        colors=shades,
        explode=[pick(rng, (0, 0, 0.1, 0.2)) for _ in range(n)] if chance(rng, 0.25) else None,
        shadow=chance(rng, 0.15),
        startangle=between(rng, 0, 360),
        wedgeprops=edge,
        hatch=[pick(rng, HATCHES) for _ in range(n)] if chance(rng, 0.1) else None,
    )
    if chance(rng, 0.3):
        axes.set_aspect("auto")
    if chance(rng, 0.5):
        axes.set_title(title(rng))
    if chance(rng, 0.4):
        axes.legend(names, loc="best" if chance(rng, 0.5) else "lower center", fontsize="small")
