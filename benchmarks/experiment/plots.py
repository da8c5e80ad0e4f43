"""Figures of docs/experiments.md."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

Row = Mapping[str, Any]

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
MARKERS = ("o", "s", "^", "D")
SIZE, BUDGET = 300, 2500
"""The size whose curve over budgets is drawn, and the budget whose curve over sizes is drawn, in tokens."""


class Mean(NamedTuple):
    """A mean with its interval, in percent."""

    value: float
    low: float
    high: float

    @property
    def arms(self) -> tuple[float, float]:
        """How far the interval reaches below and above the mean."""
        return self.value - self.low, self.high - self.value


def mean_of(row: Row, metric: str, cutoff: int) -> Mean:
    """Return a metric of a recipe over all questions."""
    found = next(one for one in row["metrics"] if (one["metric"], one["cutoff"]) == (metric, cutoff))
    return Mean(*(100 * found[name] for name in ("value", "low", "high")))


def _figure(columns: int) -> tuple[Any, Any]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 3.4), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.subplots(1, columns)


def plot_strategies(rows: Sequence[Row], to: Path) -> None:
    """Draw recall and IoU of a few recipes as bars."""
    figure, both = _figure(2)
    names = [row["name"].replace(", ", "\n", 1) for row in rows]
    for axes, metric in zip(both, ("recall", "iou"), strict=True):
        means = [mean_of(row, metric, 5) for row in rows]
        arms = list(zip(*(mean.arms for mean in means), strict=True))
        axes.barh(names, [mean.value for mean in means], xerr=arms, color=COLOURS[0], error_kw={"ecolor": COLOURS[1]})
        axes.invert_yaxis()
        axes.set(xlabel=f"{metric} of five results, %")
    both[1].set_yticklabels([])
    figure.savefig(to)


def plot_fifteen(rows: Sequence[Row], to: Path) -> None:
    """Draw recall over IoU, and IoU over the seconds of embedding, by family of chunkers; hollow: the second embedder."""
    figure, (left, right) = _figure(2)
    families = list(dict.fromkeys(row["name"].split()[0] for row in rows))
    embedders = list(dict.fromkeys(row["name"].split(", ")[-3] for row in rows))
    for family, colour, marker in zip(families, COLOURS, MARKERS, strict=False):
        for embedder in embedders:
            of = [row for row in rows if row["name"].split()[0] == family and row["name"].split(", ")[-3] == embedder]
            fill = colour if embedder == embedders[0] else "none"
            style = {"marker": marker, "color": colour, "markerfacecolor": fill, "linestyle": "none"}
            iou = [mean_of(row, "iou", 5).value for row in of]
            left.plot(iou, [mean_of(row, "recall", 5).value for row in of], label=f"{family}, {embedder}", **style)
            right.plot([row["embedding_seconds"] for row in of], iou, **style)
    left.set(xlabel="IoU of five chunks, %", ylabel="recall, %")
    right.set(xlabel="seconds of embedding", ylabel="IoU of five chunks, %", xscale="log")
    left.legend(fontsize=6)
    figure.savefig(to)


def plot_budgets(rows: Sequence[Row], to: Path) -> None:
    """Draw recall over the budget at SIZE, and over the size at BUDGET; dashed: with an overlap."""
    figure, (left, right) = _figure(2)
    chunkers = [row["name"].split(",")[0].split() for row in rows]
    families = list(dict.fromkeys(family for family, _ in chunkers))
    for family, colour, marker in zip(families, COLOURS, MARKERS, strict=False):
        for overlapping in (False, True):
            of = {
                int(size.split("/")[0]): row
                for (name, size), row in zip(chunkers, rows, strict=True)
                if name == family and ("/" in size) == overlapping
            }
            if of:
                style = {"color": colour, "marker": marker, "linestyle": "--" if overlapping else "-"}
                budgets = sorted({one["cutoff"] for one in of[SIZE]["metrics"] if one["metric"] == "budget_recall"})
                label = family + (", overlap 20 %" if overlapping else "")
                left.plot(budgets, [mean_of(of[SIZE], "budget_recall", n).value for n in budgets], label=label, **style)
                right.plot(sorted(of), [mean_of(of[size], "budget_recall", BUDGET).value for size in sorted(of)], **style)
    left.set(xlabel=f"tokens returned, chunks of {SIZE}", ylabel="recall, %", xscale="log")
    right.set(xlabel=f"size of chunks, {BUDGET} tokens returned", ylabel="recall, %")
    left.legend(fontsize=7)
    figure.savefig(to)
