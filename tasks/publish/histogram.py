"""Draw a histogram of chunk lengths, next to the lengths of the recipe's last generation."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any

from expectations.profiles import N_BINS, Profile

BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#4D4D4D"
"""Colours from the palette of Okabe and Ito, which colour-blind readers can tell apart."""


def histogram_png(lengths: Mapping[int, int], reference: Profile | None, max_tokens: int) -> bytes:
    """Return a PNG of 960 by 480 pixels: how many chunks there are of each length in tokens, with special tokens.

    `lengths` counts the chunks of each length.
    """
    import numpy as np
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    values, counts = np.array(list(lengths), dtype=np.float64), np.array(list(lengths.values()), dtype=np.int64)
    n = int(counts.sum())
    figure = Figure(figsize=(9.6, 4.8), dpi=100, layout="constrained")
    axes = FigureCanvasAgg(figure).figure.add_subplot()
    edges = np.linspace(0, max_tokens, min(N_BINS, max_tokens) + 1)
    clipped = np.clip(values, 0, max_tokens)
    axes.hist(clipped, bins=edges, weights=counts, color=BLUE, edgecolor="white", label="this draft")
    if reference is not None and n:
        axes.stairs(
            np.asarray(reference.weights) * n,
            reference.edges,
            color=ORANGE,
            linewidth=2,
            label=f"last generation ({reference.n:,} chunks), scaled",
        )
    _label(axes, n, float(values @ counts) / max(n, 1), max_tokens)
    png = BytesIO()
    figure.savefig(png, format="png", metadata={"Software": None})
    return png.getvalue()


def _label(axes: Any, n: int, mean: float, max_tokens: int) -> None:
    if n:
        axes.axvline(mean, color=GREY, linestyle="--", label=f"mean {mean:.0f} tokens")
    axes.set_title(f"Lengths of the chunks (n = {n:,})")
    axes.set_xlabel(f"Length (tokens, at most {max_tokens})")
    axes.set_ylabel("Chunks")
    axes.set_xlim(0, max_tokens)
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.spines[["top", "right"]].set_visible(False)
    if n:
        axes.figure.legend(frameon=False, loc="outside lower center", ncols=3)
