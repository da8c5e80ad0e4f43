"""Draw how a metric went over the last evaluations."""

from collections.abc import Sequence
from io import BytesIO

from tasks.publish.histogram import BLUE, GREY


def trend_png(title: str, generations: Sequence[int], means: Sequence[tuple[float, float, float]]) -> bytes:
    """Return a PNG of 960 by 480 pixels: the mean of each evaluation with its interval (value, low, high), the oldest first."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.6, 4.8), dpi=100, layout="constrained")
    axes = FigureCanvasAgg(figure).figure.add_subplot()
    at, values = range(len(means)), [value for value, _, _ in means]
    below, above = [value - low for value, low, _ in means], [high - value for value, _, high in means]
    axes.errorbar(at, values, yerr=[below, above], color=BLUE, ecolor=GREY, marker="o", capsize=3)
    shown = [place for place in at if place % (len(means) // 15 + 1) == 0]
    axes.set_xticks(shown, [str(generations[place]) for place in shown])
    axes.set_title(f"{title} of the last {len(means)} evaluations, with intervals")
    axes.set_xlabel("Generation")
    axes.set_ylabel(title)
    axes.set_ylim(0, 1)
    axes.spines[["top", "right"]].set_visible(False)
    png = BytesIO()
    figure.savefig(png, format="png", metadata={"Software": None})
    return png.getvalue()
