"""Rules of tables, found in the picture of a page."""

from typing import Any

import numpy as np
import numpy.typing as npt

from tasks.parse.layout.pixels import Picture, block_means
from tasks.parse.layout.rules import Rule, Rules, merged

SHORTEST, THICKEST = 24.0, 4.0
"""Shortest and thickest rule, in points. A shorter dark run may be part of a letter, a thicker one is a surface."""
SLENDER = 24
"""Smallest length of a rule by its thickness to either side of its middle. The strokes of large letters reach 20."""
MAX_RUNS = 20_000
"""A picture with more is a photograph."""
LINK, BESIDE, CROSSING = 0.75, 1.25, 4.0
"""Length in points of the links of a faint rule, distance of the paper beside it, and largest gap where another rule meets it."""
FAINT_SHORTEST, FAINTEST, WHOLE = 36.0, 14.0, 0.9
"""Shortest faint rule in points, smallest difference of a link to the paper beside it, of 255, and smallest share of links with
it and with half of the mean difference: a rule is evenly dark, a line of text is not."""
BLUR = 0.35
"""What the edges of a rule are blurred by, in points."""

Mask = npt.NDArray[np.bool_]
Runs = tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]


def apart(picture: Picture, points: float) -> tuple[Rules, Picture]:
    """Return the straight lines in a picture, across and down, and the picture with them painted over.

    The picture is dark on light, and its pixels are `points` wide. Tesseract takes a ruled table for a drawing and does not read
    it, and a rule beside a word for a letter of it.
    """
    drawn = _drawn(picture, points)
    painted, paper, margin = picture.copy(), np.median(picture), max(1, round(BLUR / points))
    for runs, target in zip(drawn, (painted, painted.T), strict=True):
        for row, start, end in zip(*runs, strict=True):
            target[max(0, row - margin) : row + margin + 1, start:end] = paper
    across, down = (_merged(runs, points) for runs in drawn)
    return Rules(across, down), painted


def _drawn(picture: Picture, points: float) -> tuple[Runs, Runs]:
    """Return the runs of pixels that are part of rules across and of rules down."""
    sides = picture, np.ascontiguousarray(picture.T)
    across, down = (_thin_runs(_is_ink(side) | _is_faint_rule(side, points), points) for side in sides)
    return across, down


def _is_ink(picture: Picture) -> Mask:
    dark: Mask = picture < (float(np.median(picture)) + float(picture.min())) / 2
    return dark


def _is_faint_rule(picture: Picture, points: float) -> Mask:
    """Return the pixels of lines along x that are too thin or too light to be ink, but darker than the paper on both sides.

    Noise is averaged over links. A line of text is darker than its paper in places, a rule all along.
    """
    from scipy.ndimage import maximum_filter1d, minimum_filter1d, uniform_filter1d

    step, window, gap = max(1, round(LINK / points)), round(FAINT_SHORTEST / LINK), 2 * round(CROSSING / LINK / 2) + 1
    links = block_means(picture, 1, step)
    reach = max(2, round(BESIDE / points))
    beside = np.pad(uniform_filter1d(links, 3, axis=1), ((reach, reach), (0, 0)), mode="edge")
    contrast = np.minimum(beside[: -2 * reach], beside[2 * reach :]) - links
    even = contrast > np.maximum(FAINTEST, uniform_filter1d(contrast, window, axis=1) / 2)
    whole = uniform_filter1d(even.astype(np.float32), window, axis=1) > WHOLE
    closed = minimum_filter1d(maximum_filter1d(even.view(np.uint8), gap, axis=1), gap, axis=1)
    along = maximum_filter1d(whole.view(np.uint8), window, axis=1) & closed
    return np.pad(np.repeat(along > 0, step, axis=1), ((0, 0), (0, picture.shape[1] - step * links.shape[1])))


def _merged(runs: Runs, points: float) -> tuple[Rule, ...]:
    rows, starts, ends = (found.tolist() for found in runs)
    found = zip(rows, starts, ends, strict=True)
    return merged(Rule((row + 0.5) * points, start * points, end * points) for row, start, end in found)


def _thin_runs(dark: Mask, points: float) -> Runs:
    """Return row, start and end of each run of dark pixels along x that is part of a rule."""
    rows, starts, ends = _runs(dark, round(SHORTEST / points))
    thin = _is_thin(dark, rows, starts, ends, round(THICKEST / points)) & (len(rows) <= MAX_RUNS)
    return rows[thin], starts[thin], ends[thin]


def _runs(dark: Mask, shortest: int) -> Runs:
    """Return row, start and end of each run of dark pixels along x that is long enough."""
    steps = np.diff(np.pad(dark, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    rows, starts = np.nonzero(steps == 1)
    ends = np.nonzero(steps == -1)[1]
    long = ends - starts >= shortest
    return rows[long], starts[long], ends[long]


def _is_thin(dark: Mask, rows: Any, starts: Any, ends: Any, thickest: int) -> Any:
    """Tell for each run whether the picture is light at some distance above and below it, which is less for a short run."""
    sums = np.pad(np.cumsum(dark, axis=1, dtype=np.int32), ((thickest, thickest), (1, 0)))
    reach = np.clip((ends - starts) // SLENDER, 1, thickest)
    counts = [sums[rows + thickest + shift, ends] - sums[rows + thickest + shift, starts] for shift in (-reach, reach)]
    return np.maximum(*counts) * 2 < ends - starts
