"""Recall of an index of vectors: how many of the nearest vectors it finds that a comparison with all of them finds."""

from collections.abc import Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tasks.store import vector_indexes
from tasks.store.indexes import list_fragments

QUERIES = 100
NEAREST = 10
DEPTH = 60
"""So many are asked for, as a search does at least; the first NEAREST are looked at."""
BATCH_ROWS = 8192
TIE = 1e-5
"""Cosines that differ by less are equal: of texts that occur twice, either may be found."""
NO_ROW = np.iinfo(np.uint64).max

Vectors = NDArray[np.float32]


def measure_recall(dataset: Any) -> float:
    """Return the share of the nearest vectors that the index of a Lance dataset finds for vectors of its own, in [0, 1].

    Only what the index covers counts: all other vectors are compared one by one. The QUERIES vectors lie evenly in it; each finds
    itself, which does not count. All vectors are read once, in order: reading each found one by itself takes a request.
    """
    inside = vector_indexes.covered_fragments(dataset)
    covered = [piece for piece in dataset.get_fragments() if piece.fragment_id in inside]
    places = _covered_rows(dataset, {piece.fragment_id for piece in covered})
    if len(places) <= NEAREST:
        return 1.0
    chosen = sorted({int(places[at * len(places) // QUERIES]) for at in range(QUERIES)})
    asked = _normalise(_as_matrix(dataset.take(chosen, columns=["vector"])["vector"].combine_chunks()))
    found = _search_index(dataset, asked)
    least, cosines = _compare_with_all(dataset, covered, asked, found)
    ranked = -np.sort(-cosines, axis=1)[:, : NEAREST + 1]
    return float(np.mean([min(np.sum(of >= low - TIE) - 1, NEAREST) / NEAREST for of, low in zip(ranked, least, strict=True)]))


def _covered_rows(dataset: Any, covered: Set[int]) -> NDArray[np.int64]:
    """Return the places in a dataset of the rows that lie in some of its files."""
    pieces = list_fragments(dataset)
    inside = np.array([number in covered for number in pieces], dtype=bool)
    return np.flatnonzero(np.repeat(inside, [piece.living for piece in pieces.values()]))


def _search_index(dataset: Any, asked: Vectors) -> NDArray[np.uint64]:
    """Return the ids of the rows that the index finds for each query, of shape (queries, found); NOBODY where it finds fewer."""
    how = vector_indexes.search_parameters(dataset)
    nearest = {"column": "vector", "k": DEPTH * how.pop("refine_factor", 1), "metric": "cosine", **how}
    ids = [
        dataset.to_table(columns=["_distance"], nearest={**nearest, "q": query}, with_row_id=True, fast_search=True)["_rowid"]
        for query in asked
    ]
    found = np.full((len(ids), max(map(len, ids))), NO_ROW, dtype=np.uint64)
    for query, of in enumerate(ids):
        found[query, : len(of)] = of.to_numpy()
    return found


def _compare_with_all(dataset: Any, covered: list[Any], asked: Vectors, found: NDArray[np.uint64]) -> tuple[Vectors, Vectors]:
    """Return, for each query, the cosine of its NEAREST + 1st vector of all, and the cosines of those that were found."""
    best = np.full((len(asked), NEAREST + 1), -2.0, dtype=np.float32)
    cosines = np.full(found.shape, -2.0, dtype=np.float32)
    scanner = dataset.scanner(columns=["vector"], fragments=covered, with_row_id=True, batch_size=BATCH_ROWS, batch_readahead=1)
    for batch in scanner.to_batches():
        of_batch = asked @ _normalise(_as_matrix(batch["vector"])).T
        both = np.concatenate([best, of_batch], axis=1)
        best = np.partition(both, both.shape[1] - NEAREST - 1, axis=1)[:, -NEAREST - 1 :]
        rows = batch["_rowid"].to_numpy()
        order = np.argsort(rows)
        at = order[np.minimum(np.searchsorted(rows, found, sorter=order), len(rows) - 1)]
        here = rows[at] == found
        cosines[here] = np.take_along_axis(of_batch, at, axis=1)[here]
    return best.min(axis=1), cosines


def _as_matrix(vectors: Any) -> Vectors:
    found: Vectors = vectors.flatten().to_numpy(zero_copy_only=False).reshape(len(vectors), -1)
    return found


def _normalise(vectors: Vectors) -> Vectors:
    lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12).astype(np.float32)
    unit: Vectors = vectors / lengths
    return unit
