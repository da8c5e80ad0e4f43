"""Plots of the growth benchmark, for docs/growth.md."""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.growth.measures import OneChange

BLUE, ORANGE = "#0072B2", "#D55E00"


def plot_changes(changes: Sequence[OneChange], to: Path) -> None:
    """Draw what one changed document costs against the number of documents."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 3), layout="constrained")
    FigureCanvasAgg(figure)
    shown = {"written, MB": "written_mb", "seconds": "seconds", "largest process, MiB": "peak_mib"}
    for axes, (title, field) in zip(figure.subplots(1, len(shown)), shown.items(), strict=True):
        axes.plot([one.documents for one in changes], [getattr(one, field) for one in changes], "o", color=BLUE)
        axes.set(title=title, xscale="log", xlabel="documents", ylim=(0, None))
    figure.savefig(to)


def plot_nights(sizes: Sequence[float], written: Sequence[float], fresh: float, to: Path) -> None:
    """Draw the room that the corpus takes after each night, and what the night wrote, in MB."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 3), layout="constrained")
    axes = FigureCanvasAgg(figure).figure.add_subplot()
    nights = range(1, len(sizes) + 1)
    axes.plot(nights, sizes, "o-", color=BLUE, label="corpus with staging")
    axes.bar(nights, written, color=ORANGE, label="written in the night")
    axes.axhline(fresh, color="grey", linestyle="--", label="built anew from the same source")
    axes.set(xlabel="night, 1 % of the documents changed in each", ylabel="MB", ylim=(0, None))
    axes.legend()
    figure.savefig(to)
