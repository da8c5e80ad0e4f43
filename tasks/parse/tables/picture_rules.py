"""Rules of tables, found in the picture of a page."""

from typing import Any

import numpy as np
import numpy.typing as npt

from tasks.parse.layout.rules import Rule, Rules, merged

SHORTEST, THICKEST = 24.0, 4.0
"""Shortest and thickest rule, in points. A shorter dark run may be part of a letter, a thicker one is a surface."""
MAX_RUNS = 20_000
"""A picture with more is a photograph."""

Picture = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
Runs = tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]


def rules_seen(picture: Picture, points: float) -> Rules:
    """Return the straight horizontal and vertical lines in a picture, dark on light, whose pixels are `points` wide."""
    dark = _is_ink(picture)
    return Rules(_across(dark, points), _across(dark.T, points))


def without_rules(picture: Picture, points: float) -> Picture:
    """Return the picture with its rules painted over: Tesseract takes a ruled table for a drawing and does not read it."""
    dark, painted, paper = _is_ink(picture), picture.copy(), np.median(picture)
    for mask, target in ((dark, painted), (dark.T, painted.T)):
        for row, start, end in zip(*_thin_runs(mask, points), strict=True):
            target[max(0, row - 1) : row + 2, start:end] = paper
    return painted


def _is_ink(picture: Picture) -> Mask:
    dark: Mask = picture < (float(np.median(picture)) + float(picture.min())) / 2
    return dark


def _across(dark: Mask, points: float) -> tuple[Rule, ...]:
    runs = zip(*_thin_runs(dark, points), strict=True)
    return merged(Rule((row + 0.5) * points, start * points, end * points) for row, start, end in runs)


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
    """Tell for each run whether the picture is light at some distance above and below it."""
    sums = np.pad(np.cumsum(dark, axis=1, dtype=np.int32), ((thickest, thickest), (1, 0)))
    counts = [sums[rows + shift, ends] - sums[rows + shift, starts] for shift in (0, 2 * thickest)]
    return np.maximum(*counts) * 2 < ends - starts
