"""The histogram of chunk lengths, beside the lengths of the recipe's last generation."""

from collections.abc import Mapping

import numpy as np

from expectations.lengths import N_BINS, Profile
from tasks.charts.charts import upright_bars
from tasks.charts.scale import round_range
from tasks.charts.shapes import COLOURS, LOW, WIDE, drawing, frame, line, path, shape, text, x_scale, y_scale

BLUE, ORANGE, GREY = COLOURS[0], COLOURS[1], COLOURS[-1]


def draw_histogram(lengths: Mapping[int, int], reference: Profile | None, max_tokens: int) -> str:
    """Return a chart of how many chunks there are of each length in tokens, with special tokens.

    `lengths` counts the chunks of each length.
    """
    values, counts = np.array(list(lengths), dtype=np.float64), np.array(list(lengths.values()), dtype=np.int64)
    n, edges = int(counts.sum()), np.linspace(0, max_tokens, min(N_BINS, max_tokens) + 1)
    heights = np.histogram(np.clip(values, 0, max_tokens), bins=edges, weights=counts)[0].tolist()
    before = [weight * n for weight in reference.weights] if reference and n else []
    x, y = x_scale(0, max_tokens, width=WIDE), y_scale(*round_range([*heights, *before]), height=LOW)
    parts = [*frame(x, y, f"length in tokens, at most {max_tokens}", "chunks"), *upright_bars(heights, edges.tolist(), x, y)]
    notes = [(BLUE, f"this draft, {n:,} chunks")]
    if reference and before:
        ends = zip(before, reference.edges, reference.edges[1:], strict=False)
        steps = [(x.at(edge), y.at(height)) for height, low, high in ends for edge in (low, high)]
        parts.append(shape("polyline", points=path(steps), fill="none", stroke=ORANGE, stroke_width=2))
        notes.append((ORANGE, f"last generation, {reference.n:,} chunks, scaled"))
    if n:
        mean = float(values @ counts) / n
        parts.append(line((x.at(mean), y.start), (x.at(mean), y.end), stroke=GREY, stroke_width=1.5))
        notes.append((GREY, f"mean {mean:.0f} tokens"))
    parts += [text(x.start + 8, y.end + 12 + 14 * at, words, fill=colour) for at, (colour, words) in enumerate(notes)]
    return drawing(parts, "Histogram of chunk lengths in tokens", LOW, WIDE)
