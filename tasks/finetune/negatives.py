"""Hard negatives: chunks that are near a question and do not answer it."""

from collections.abc import Sequence, Set

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

AT_ONCE = 256
"""Questions whose cosines with all chunks are in memory at once."""


def mine_hard_negatives(
    questions: Vectors, chunks: Vectors, gold: Sequence[Set[int]], n: int, most_like: float
) -> list[list[int]]:
    """Return for each question the `n` nearest chunks that are not gold, or all there are, nearest first; ties by position.

    A chunk whose cosine is above `most_like` times that of the nearest gold is left out, because it may be gold that nobody
    marked: positive-aware mining by a share of the positive's score (Moreira et al. 2024, arXiv:2407.15831). If the gold's cosine
    is 0 or less, no share of it means anything, and nothing is left out.
    """
    found: list[list[int]] = []
    for start in range(0, len(questions), AT_ONCE):
        cosines = questions[start : start + AT_ONCE] @ chunks.T
        found += [_mine_one(row, gold[start + at], n, most_like) for at, row in enumerate(cosines)]
    return found


def _mine_one(cosines: Vectors, gold: Set[int], n: int, most_like: float) -> list[int]:
    best = max((float(cosines[at]) for at in gold), default=0.0)
    usable = cosines <= (most_like * best if best > 0 else np.inf)
    usable[list(gold)] = False
    nearest: list[int] = np.argsort(np.where(usable, -cosines, np.inf), kind="stable")[: min(n, int(usable.sum()))].tolist()
    return nearest
