"""How matplotlib's charts look: palettes, marks, titles and legends, drawn by lot."""

from typing import Any

import numpy as np

from training.figure_set.words import Generator, axis_label, chance, count, pick, title

CYCLES = (
    "tab10",
    "Set1",
    "Set2",
    "Set3",
    "Pastel1",
    "Dark2",
    "Accent",
    "Paired",
    "viridis",
    "plasma",
    "Blues",
    "Reds",
    "Greens",
    "Greys",
    "hsv",
    "jet",
    "cool",
)
HATCHES = ("", "/", "\\", "x", ".", "-", "|", "+", "//", "xx", "..", "o")
MARKERS = "o s ^ v D x + * . p h < >".split()


def colours(rng: Generator) -> list[Any]:
    """Return 16 colours that go together: a palette, greys, black alone, or one colour."""
    import matplotlib

    kind = rng.random()
    if kind < 0.2:
        shades = [str(round(shade, 2)) for shade in rng.permutation(np.linspace(0.0, 0.85, 16))]
        return shades
    if kind < 0.3:
        return ["black"] * 16
    if kind < 0.4:
        return [tuple(rng.random(3))] * 16
    palette = matplotlib.colormaps[pick(rng, CYCLES)]
    return [palette(value) for value in (range(16) if palette.N < 30 else np.linspace(0.1, 0.95, 16))]


def words_around(rng: Generator, axes: Any) -> None:
    """Put a title and names of the axes on a chart, each by lot."""
    if chance(rng, 0.5):
        axes.set_title(title(rng), fontweight=pick(rng, ("normal", "bold")))
    if chance(rng, 0.7):
        axes.set_xlabel(axis_label(rng))
    if chance(rng, 0.7):
        axes.set_ylabel(axis_label(rng))


def legend(rng: Generator, axes: Any, share: float = 0.6) -> None:
    """Put a legend on `share` of the charts: in it, beside it or below it."""
    if not chance(rng, share):
        return
    if chance(rng, 0.3):
        axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1), fontsize="small")
    elif chance(rng, 0.2):
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.15), ncol=count(rng, 2, 4), fontsize="small")
    else:
        axes.legend(loc="best", frameon=chance(rng, 0.6), fontsize=pick(rng, ("small", "x-small", "medium")))
