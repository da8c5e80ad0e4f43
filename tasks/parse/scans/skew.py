"""Skew: the angle of the lines on a scanned page, and whether the page is light on dark."""

import numpy as np
import numpy.typing as npt

from tasks.parse.layout.pixels import Picture

MAX_SKEW = 10.0
"""Largest skew in degrees. A larger angle is a page on its side, or a page without lines."""
MIN_SKEW = 0.3
"""Smallest skew to correct, in degrees. Less does no harm, while rotating a picture blurs it slightly."""
COARSE, FINE = 0.5, 0.1
CLEARER = 1.1
"""Smallest gain in contrast between lines and gaps by which a rotation counts as right."""
MAX_EDGES = 40_000
"""Pixels that are used. More do not change the result."""

Floats = npt.NDArray[np.float64]


def is_dark(picture: Picture) -> bool:
    """Return whether most of the picture is dark, so that the text is light."""
    return bool(np.median(picture) < 128)


def skew_of(picture: Picture) -> float:
    """Return the clockwise angle in degrees of the lines of a page, dark on light; 0 for less than MIN_SKEW.

    Lines may be horizontal or, on a page on its side, vertical. The lower edges of all dark parts are counted by height. The
    counts differ most at the correct angle, where many edges are on a base line and few between lines.
    """
    paper, ink = float(np.median(picture)), float(picture.min())
    dark = picture < (paper + ink) / 2
    across, down = _best(*_edges(dark)), _best(*_edges(dark[:, ::-1].T))
    angle, gain, _ = max(across, down, key=lambda found: found[2])
    return angle if abs(angle) >= MIN_SKEW and gain >= CLEARER else 0.0


def _edges(dark: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Return x and y of dark pixels above a light one; a sample if there are many."""
    ys, xs = np.nonzero(dark[:-1] & ~dark[1:])
    some = np.random.default_rng(0).permutation(len(xs))[:MAX_EDGES]
    return xs[some].astype(np.float64), ys[some].astype(np.float64)


def _best(xs: Floats, ys: Floats) -> tuple[float, float, float]:
    """Return the angle with the highest contrast of lines along x, its gain over angle 0, and the contrast itself."""
    coarse = _clearest(xs, ys, np.arange(-MAX_SKEW, MAX_SKEW + COARSE, COARSE))
    angle = _clearest(xs, ys, np.arange(coarse - COARSE, coarse + COARSE + FINE, FINE))
    contrast = _contrast(xs, ys, angle)
    return float(round(angle, 1)), contrast / max(_contrast(xs, ys, 0.0), 1e-9), contrast


def _clearest(xs: Floats, ys: Floats, angles: Floats) -> float:
    return float(max(angles, key=lambda angle: (_contrast(xs, ys, angle), -abs(angle))))


def _contrast(xs: Floats, ys: Floats, angle: float) -> float:
    slope = np.tan(np.radians(angle))
    heights = ys - slope * xs
    counts = np.bincount((heights - heights.min(initial=0)).astype(np.int64))
    return float(np.square(np.diff(counts, prepend=0, append=0)).sum())
