"""Near-duplicates: questions that ask the same in almost the same words."""

import numpy as np
from numpy.typing import NDArray

BLOCK = 512
"""Vectors that are compared at once."""


def find_duplicates(vectors: NDArray[np.float32], least: float) -> list[int | None]:
    """Return for each vector the first one that is kept and at least as similar as `least`, or None if it is kept itself.

    Vectors, one a row, have length 1; `least` is a cosine. In order: a vector that is not kept repels no later one.

    >>> find_duplicates(np.array([[1, 0], [0.8, 0.6], [0.6, 0.8]], dtype=np.float32), 0.9)
    [None, None, 1]
    """
    found: list[int | None] = []
    kept: list[int] = []
    for begin in range(0, len(vectors), BLOCK):
        block = vectors[begin : begin + BLOCK]
        before = len(kept)
        to_kept = block @ vectors[kept].T
        inside = block @ block.T
        for row in range(len(block)):
            near = np.flatnonzero(to_kept[row] >= least)
            beside = [at for at in kept[before:] if inside[row, at - begin] >= least]
            alike = kept[near[0]] if near.size else beside[0] if beside else None
            found.append(alike)
            if alike is None:
                kept.append(begin + row)
    return found
