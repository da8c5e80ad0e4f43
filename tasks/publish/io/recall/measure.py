"""Recall of an index of vectors: how many of the nearest vectors it finds that a comparison with all of them finds."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tasks.store.vector_indexes import how_to_search

QUERIES = 100
NEAREST = 10
DEPTH = 60
"""So many are asked for, as a search does at least; the first NEAREST are looked at."""
BATCH_ROWS = 8192
TIE = 1e-5
"""Cosines that differ by less are equal: of texts that occur twice, either may be found."""

Vectors = NDArray[np.float32]


def recall_of(dataset: Any) -> float:
    """Return the share of the nearest vectors that the index of a Lance dataset finds for vectors of its own, in [0, 1].

    The QUERIES vectors lie evenly in the table; each finds itself, which does not count. All vectors are read once.
    """
    rows = dataset.count_rows()
    if rows <= NEAREST:
        return 1.0
    places = sorted({at * rows // QUERIES for at in range(QUERIES)})
    asked = _unit(_matrix(dataset.take(places, columns=["vector"])["vector"].combine_chunks()))
    least = _nearest(dataset, asked)[:, -1]
    found = [_found(dataset, query) for query in asked]
    return float(np.mean([min(np.sum(of >= low - TIE) - 1, NEAREST) / NEAREST for of, low in zip(found, least, strict=True)]))


def _found(dataset: Any, query: Vectors) -> Vectors:
    """Return the cosines that the index finds, the query's own first."""
    nearest = {"column": "vector", "q": query, "k": DEPTH, "metric": "cosine", **how_to_search(dataset)}
    distances = dataset.to_table(columns=["_distance"], nearest=nearest)["_distance"].to_numpy()
    cosines: Vectors = 1 - distances[: NEAREST + 1]
    return cosines


def _nearest(dataset: Any, asked: Vectors) -> Vectors:
    """Return the NEAREST + 1 largest cosines of each query, of shape (queries, NEAREST + 1), the largest first."""
    best = np.full((len(asked), NEAREST + 1), -2.0, dtype=np.float32)
    for batch in dataset.to_batches(columns=["vector"], batch_size=BATCH_ROWS, batch_readahead=1):
        both = np.concatenate([best, asked @ _unit(_matrix(batch["vector"])).T], axis=1)
        best = np.partition(both, both.shape[1] - NEAREST - 1, axis=1)[:, -NEAREST - 1 :]
    ordered: Vectors = -np.sort(-best, axis=1)
    return ordered


def _matrix(vectors: Any) -> Vectors:
    found: Vectors = vectors.flatten().to_numpy(zero_copy_only=False).reshape(len(vectors), -1)
    return found


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12).astype(np.float32)
    unit: Vectors = vectors / lengths
    return unit
