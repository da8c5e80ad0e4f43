"""Charts as matplotlib draws them, in its own styles and in many others."""

import io
import warnings
from collections.abc import Callable
from typing import Any

from PIL import Image

from training.figure_set.charts.plot_bars import bars, bars_in_space, histogram, wedges
from training.figure_set.charts.plot_looks import colours
from training.figure_set.charts.plot_points import lines, pairs, points, points_in_space
from training.figure_set.words import Generator, between, chance, pick

STYLES = (
    "default default default classic classic ggplot bmh dark_background fivethirtyeight grayscale Solarize_Light2 "
    "tableau-colorblind10 "
    "seaborn-v0_8-whitegrid seaborn-v0_8-darkgrid seaborn-v0_8-ticks seaborn-v0_8-pastel seaborn-v0_8-bright fast"
).split()
FAMILIES = (
    "DejaVu Sans",
    "DejaVu Sans",
    "DejaVu Serif",
    "Liberation Sans",
    "Liberation Serif",
    "Liberation Sans Narrow",
    "DejaVu Sans Mono",
)


def plot(rng: Generator, paint: Callable[[Generator, Any, list[Any]], None], three: bool = False) -> Image.Image:
    """Return the chart that `paint` draws on one or a few axes, in a style drawn by lot."""
    import matplotlib
    from matplotlib import style
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with warnings.catch_warnings(), style.context([pick(rng, STYLES), _settings(rng)]):
        warnings.simplefilter("ignore")
        size = _size(rng)
        figure = Figure(figsize=size, dpi=pick(rng, (70, 90, 110, 140)))
        if chance(rng, 0.15):
            figure.set_facecolor(pick(rng, ("#cccccc", "#c0c0c0", "#f5f5f5", "#fff8e8", "#e6f3ff", "#222831")))
        rows, columns = pick(rng, ((1, 2), (2, 1), (2, 2), (2, 3))) if chance(rng, 0.08) and not three else (1, 1)
        for n in range(rows * columns):
            axes = figure.add_subplot(rows, columns, n + 1, **({"projection": "3d"} if three else {}))
            paint(rng, axes, colours(rng))
        if chance(rng, 0.8):
            figure.tight_layout()
        sink = io.BytesIO()
        FigureCanvasAgg(figure).print_png(sink)
    matplotlib.rcParams["path.sketch"] = None
    return Image.open(sink).convert("RGB")


def _size(rng: Generator) -> tuple[float, float]:
    width = between(rng, 3, 8)
    return width, min(8.0, max(1.2, width * pick(rng, (0.2, 0.3, 0.45, 0.6, 0.65, 0.75, 0.75, 0.8, 1.0, 1.2))))


def _settings(rng: Generator) -> dict[str, Any]:
    settings: dict[str, Any] = {
        "font.family": pick(rng, FAMILIES),
        "font.size": between(rng, 6, 15),
        "axes.grid": chance(rng, 0.4),
        "grid.linestyle": pick(rng, ("-", "--", ":")),
        "axes.spines.top": chance(rng, 0.6),
        "axes.spines.right": chance(rng, 0.6),
        "axes.linewidth": between(rng, 0.4, 2),
        "xtick.direction": pick(rng, ("in", "out")),
        "ytick.direction": pick(rng, ("in", "out")),
    }
    if chance(rng, 0.05):
        settings["path.sketch"] = (between(rng, 1, 3), 100, 2)
    return settings


PAINTERS: dict[str, tuple[tuple[Callable[[Generator, Any, list[Any]], None], float, bool], ...]] = {
    "bar chart": ((bars, 0.82, False), (histogram, 0.1, False), (bars_in_space, 0.08, True)),
    "line graph": ((lines, 1.0, False),),
    "scatter plot": ((points, 0.8, False), (points_in_space, 0.1, True), (pairs, 0.1, False)),
    "pie chart": ((wedges, 1.0, False),),
}


def chart(rng: Generator, kind: str) -> Image.Image:
    """Return a chart of `kind`, one of PAINTERS."""
    choices = PAINTERS[kind]
    chosen = choices[int(rng.choice(len(choices), p=[share for _, share, _ in choices]))]
    return plot(rng, chosen[0], chosen[2])
