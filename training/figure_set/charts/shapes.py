"""Numbers that charts show: curves, and clouds of points."""

from typing import Any

import numpy as np

from training.figure_set.words import Generator, between, chance, count, pick


def curve(rng: Generator, n: int) -> np.ndarray[Any, Any]:
    """Return `n` values of one of many shapes that curves have."""
    x = np.linspace(0, 1, n)
    slope = between(rng, 1, 12)
    shapes = (
        np.cumsum(rng.normal(between(rng, -0.2, 0.4), 1, n)),
        1 - np.exp(-slope * x),
        np.exp(-slope * x),
        1 / (1 + np.exp(-slope * 2 * (x - between(rng, 0.2, 0.8)))),
        np.sin(slope * 2 * x + between(rng, 0, 6)),
        between(rng, -1, 1) * x + rng.normal(0, 0.03, n),
        x ** between(rng, 0.3, 4),
        np.exp(-(((x - between(rng, 0.2, 0.8)) * slope) ** 2)),
        rng.normal(0, 1, n),
        (rng.random(n) < 0.1).astype(float) * rng.random(n) + rng.normal(0, 0.01, n),
        np.repeat(rng.random(n // 5 + 1), 5)[:n],
        np.full(n, between(rng, 0, 1)),
    )
    return pick(rng, shapes) * between(rng, 0.5, 2) + between(rng, -0.5, 0.5) + rng.normal(0, pick(rng, (0, 0, 0, 0.03)), n)


def cloud(rng: Generator, n: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return x and y of `n` points: correlated, in groups, or without order."""
    kind = rng.random()
    x = rng.normal(0, 1, n) if chance(rng, 0.6) else rng.random(n) * 4
    if kind < 0.55:
        return x, x * between(rng, -2, 2) + rng.normal(0, between(rng, 0.1, 1.5), n)
    if kind < 0.7:
        centres = rng.normal(0, 3, (count(rng, 2, 5), 2))
        points = centres[rng.integers(len(centres), size=n)] + rng.normal(0, 0.4, (n, 2))
        return points[:, 0], points[:, 1]
    if kind < 0.8:
        return np.exp(x), np.exp(x * 0.7 + rng.normal(0, 0.5, n))
    if kind < 0.9:
        return np.round(x * 2), rng.normal(0, 1, n)
    return x, rng.normal(0, 1, n)
