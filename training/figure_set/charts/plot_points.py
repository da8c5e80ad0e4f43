"""Lines and points as matplotlib draws them."""

from typing import Any

import numpy as np

from training.figure_set.charts.plot_looks import CYCLES, MARKERS, legend, words_around
from training.figure_set.charts.shapes import cloud, curve
from training.figure_set.words import Generator, between, category_names, chance, count, phrase, pick


def lines(rng: Generator, axes: Any, palette: list[Any]) -> None:
    """Draw one or more curves: smooth, noisy, stepped, with markers, errors, areas or notes."""
    n = pick(rng, (4, 6, 8, 12, 20, 50, 120, 300, 1000))
    series = pick(rng, (1, 1, 1, 2, 3, 4, 6))
    scale, x = 10 ** between(rng, -2, 5), np.linspace(0, 10 ** between(rng, 0, 4), n)
    thick, dashed, marked = between(rng, 0.5, 3), chance(rng, 0.35), n < 60 and chance(rng, 0.55)
    for k in range(series):
        y = (curve(rng, n) + k * between(rng, 0, 0.5)) * scale
        look = {
            "color": palette[k],
            "label": phrase(rng, 1, 2),
            "linewidth": thick,
            "linestyle": pick(rng, ("-", "--", ":", "-.")) if dashed else "-",
            "marker": MARKERS[count(rng, 0, 12)] if marked else None,
            "markersize": between(rng, 2, 8),
            "markerfacecolor": pick(rng, ("none", palette[k])) if marked else None,
        }
        if chance(rng, 0.08):
            axes.step(x, y, **look)
        elif n < 25 and chance(rng, 0.12):
            axes.errorbar(x, y, np.abs(y) * 0.1, capsize=2, **look)
        else:
            axes.plot(x, y, **look)
        if chance(rng, 0.06):
            axes.fill_between(x, y, min(0, y.min()), color=palette[k], alpha=0.4)
        if chance(rng, 0.06):
            axes.annotate(phrase(rng, 1, 2), (x[n // 2], y[n // 2]), (x[n // 3], y.max()), arrowprops={"arrowstyle": "->"})
    if chance(rng, 0.06):
        axes.axhline(y.mean(), color="red", linewidth=1)
    if chance(rng, 0.1) and n < 60:
        axes.set_xticks(x[:: max(1, n // 10)], category_names(rng, len(x[:: max(1, n // 10)])), rotation=pick(rng, (0, 45, 90)))
    if chance(rng, 0.08):
        axes.set_xscale("symlog")
    words_around(rng, axes)
    legend(rng, axes, 0.65 if series > 1 else 0.2)


def points(rng: Generator, axes: Any, palette: list[Any]) -> None:
    """Draw points in one or more groups, sometimes as bubbles, by colour, or with a fitted line."""
    n = pick(rng, (5, 8, 15, 25, 40, 80, 150, 400, 2000))
    look = {
        "marker": pick(rng, MARKERS),
        "s": between(rng, 4, 70) if n < 300 else between(rng, 1, 12),
        "alpha": between(rng, 0.5, 1),
    }
    for k in range(pick(rng, (1, 1, 1, 2, 3))):
        x, y = cloud(rng, n)
        hollow = look["marker"] not in ("x", "+", ".", "*") and chance(rng, 0.35)
        if chance(rng, 0.07):
            axes.scatter(x, y, **{**look, "s": rng.gamma(1, 120, n)}, color=palette[k], edgecolors="black")
        elif chance(rng, 0.08):
            axes.scatter(x, y, c=rng.random(n), cmap=pick(rng, CYCLES), **look)
        elif hollow:
            axes.scatter(x, y, facecolors="none", edgecolors=[palette[k]], label=phrase(rng, 1, 2), **look)
        else:
            axes.scatter(x, y, color=palette[k], label=phrase(rng, 1, 2), **{**look, "marker": pick(rng, (look["marker"], "o"))})
    if chance(rng, 0.22):
        at = np.array([x.min(), x.max()])
        axes.plot(
            at,
            np.polyval(np.polyfit(x, y, 1), at),
            color=pick(rng, ("black", "red", "blue", palette[5])),
            linewidth=between(rng, 0.6, 2),
        )
    if n < 16 and chance(rng, 0.15):
        for place in zip(x, y, strict=True):
            axes.annotate(pick(rng, "A B C D E F".split()), place, fontsize=7)
    words_around(rng, axes)
    legend(rng, axes, 0.25)


def points_in_space(rng: Generator, axes: Any, palette: list[Any]) -> None:
    """Draw points in three dimensions."""
    for k in range(count(rng, 1, 3)):
        x, y = cloud(rng, count(rng, 10, 150))
        axes.scatter(x, y, rng.normal(0, 1, len(x)), color=palette[k], marker=pick(rng, MARKERS), s=between(rng, 5, 40))
    axes.view_init(between(rng, 5, 45), between(rng, -80, 80))
    words_around(rng, axes)


def pairs(rng: Generator, axes: Any, palette: list[Any]) -> None:
    """Draw a matrix of small scatter plots in place of `axes`."""
    figure, n = axes.figure, count(rng, 2, 4)
    axes.remove()
    for k in range(n * n):
        small = figure.add_subplot(n, n, k + 1)
        small.tick_params(labelsize=5)
        if k // n == k % n and chance(rng, 0.7):
            small.text(0.5, 0.5, phrase(rng, 1, 1), ha="center", transform=small.transAxes)
        else:
            small.scatter(*cloud(rng, 60), s=between(rng, 2, 8), color=palette[0])
