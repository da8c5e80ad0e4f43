"""Cluster: the segmentation with the highest similarity within its chunks, found by dynamic programming."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from tasks.chunk.packing import Measured, draft_pieces
from tasks.chunk.pieces import Piece, Ruler
from tasks.chunk.strategies.contract import ChunkerInput, Vectors
from tasks.chunk.text_blocks import Atom

MOST_SENTENCES = 64
"""Most sentences in a chunk. It limits the work for each sentence."""


def cluster(document: ChunkerInput) -> Iterator[Piece]:
    """Cut runs of prose so that the sum of (similarity - mean similarity) over sentence pairs within chunks is highest."""
    vectorised = document.vectorised
    if vectorised is None:
        raise ValueError("cluster needs the vectors of the sentences")

    def group(measured: Iterable[Measured], ruler: Ruler) -> list[list[Atom]]:
        run = list(measured)
        atoms = [atom for atom, _ in run]
        starts = best_starts(vectorised.of(atoms), [n for _, n in run], ruler.room) if atoms else []
        return [atoms[low:high] for low, high in zip(starts, [*starts[1:], len(atoms)], strict=True)]

    return draft_pieces(document.blocks, document.ruler, group)


def best_starts(vectors: Vectors, tokens: Sequence[int], room: int) -> list[int]:
    """Return where the best segments start. A segment of several sentences has at most `room` tokens."""
    mean = _mean_similarity(vectors)
    sums = np.concatenate([[0], np.cumsum(tokens)])
    best, cut = np.zeros(len(tokens) + 1), np.zeros(len(tokens) + 1, dtype=np.int64)
    within = np.zeros(0)
    for j, vector in enumerate(vectors):
        low = max(0, j - MOST_SENTENCES + 1)
        pairs = vectors[low:j] @ vector - mean
        within = within[len(within) - (j - low) :] + np.cumsum(pairs[::-1])[::-1]
        within = np.append(within, 0.0)
        fits = np.flatnonzero(sums[j + 1] - sums[low : j + 1] <= room)
        first = int(fits[0]) if fits.size else j - low
        totals = best[low + first : j + 1] + within[first:]
        chosen = int(np.argmax(totals))
        best[j + 1], cut[j + 1] = totals[chosen], low + first + chosen
    return _trace_back(cut.tolist())


def _mean_similarity(vectors: Vectors) -> float:
    """Return the mean cosine of sentences that are less than MOST_SENTENCES apart."""
    total, n = 0.0, 0
    for gap in range(1, min(MOST_SENTENCES, len(vectors))):
        total += float(np.einsum("ij,ij->", vectors[:-gap], vectors[gap:], dtype=np.float64))
        n += len(vectors) - gap
    return total / n if n else 0.0


def _trace_back(cut: Sequence[int]) -> list[int]:
    starts: list[int] = []
    at = len(cut) - 1
    while at > 0:
        at = cut[at]
        starts.append(at)
    return starts[::-1]
