"""The strategies that look at vectors of sentences, and llm, which cuts where a language model proposes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tasks.chunk.packing import Measured, draft_pieces
from tasks.chunk.pieces import Piece, Ruler
from tasks.chunk.strategies.contract import ChunkerInput, SentenceVectors, list_prose_sentences
from tasks.chunk.text_blocks import Atom
from tasks.embed.vectors import Vectors

Starts = Callable[[Sequence[Measured]], set[int]]
"""Returns the indices of a run's atoms that begin a chunk."""

MOST_SENTENCES = 64
"""Most sentences in a chunk. It limits the work for each sentence."""


def cut_by_distance_percentile(document: ChunkerInput) -> Iterator[Piece]:
    """Cut where the distance of neighbouring sentences exceeds a percentile of the document's distances."""
    vectorised, blocks = _require_sentence_vectors(document), list(document.blocks)
    limit = np.percentile(
        measure_neighbour_distances(vectorised.get_vectors(list_prose_sentences(blocks))), document.options.value("percentile")
    )

    def find_starts(measured: Sequence[Measured]) -> set[int]:
        apart = measure_neighbour_distances(vectorised.get_vectors(_strip_counts(measured)))[: len(measured) - 1]
        return {int(i) + 1 for i in np.flatnonzero(apart > limit)}

    return _cut_runs_at_starts(replace(document, blocks=blocks), find_starts)


def merge_similar_sentences(document: ChunkerInput) -> Iterator[Piece]:
    """Join neighbouring sentences while their cosine exceeds the threshold."""
    vectorised, threshold = _require_sentence_vectors(document), document.options.value("threshold")

    def find_starts(measured: Sequence[Measured]) -> set[int]:
        apart = measure_neighbour_distances(vectorised.get_vectors(_strip_counts(measured)))[: len(measured) - 1]
        return {int(i) + 1 for i in np.flatnonzero(1 - apart <= threshold)}

    return _cut_runs_at_starts(document, find_starts)


def cut_below_similarity_threshold(document: ChunkerInput) -> Iterator[Piece]:
    """Cut before a sentence whose cosine to the mean of the chunk so far is below the threshold."""
    vectorised = _require_sentence_vectors(document)
    threshold, least = document.options.value("threshold"), document.options.value("min_tokens")

    def find_starts(measured: Sequence[Measured]) -> set[int]:
        return _find_starts_unlike_chunk_before(
            measured, vectorised.get_vectors(_strip_counts(measured)), threshold, least, document.ruler.room
        )

    return _cut_runs_at_starts(document, find_starts)


def cut_at_proposed_boundaries(document: ChunkerInput) -> Iterator[Piece]:
    """Cut before the sentences that start at `document.breaks`."""
    breaks = set(document.breaks)
    return _cut_runs_at_starts(document, lambda measured: {i for i, (atom, _) in enumerate(measured) if atom.start in breaks})


def measure_neighbour_distances(vectors: Vectors) -> NDArray[np.float64]:
    """Return the cosine distances of neighbouring rows; a single 0 if there are fewer than two."""
    if len(vectors) < 2:
        return np.zeros(1)
    found: NDArray[np.float64] = 1 - np.einsum("ij,ij->i", vectors[:-1], vectors[1:], dtype=np.float64)
    return found


def _find_starts_unlike_chunk_before(
    measured: Sequence[Measured], vectors: Vectors, threshold: float, least: int, most: int
) -> set[int]:
    found: set[int] = set()
    total, sums = 0, np.zeros(vectors.shape[1])
    for i, ((_, n), vector) in enumerate(zip(measured, vectors, strict=True)):
        norm = float(np.linalg.norm(sums))
        unlike = total >= least and norm > 0 and float(sums @ vector) / norm < threshold
        if total and (unlike or total + n > most):
            found.add(i)
            total, sums = 0, np.zeros(vectors.shape[1])
        total += n
        sums = sums + vector
    return found


def _require_sentence_vectors(document: ChunkerInput) -> SentenceVectors:
    if document.vectorised is None:
        raise ValueError(f"{document.options.strategy} needs the vectors of the sentences")
    return document.vectorised


def _strip_counts(measured: Sequence[Measured]) -> list[Atom]:
    return [atom for atom, _ in measured]


def _cut_runs_at_starts(document: ChunkerInput, starts: Starts) -> Iterator[Piece]:
    """Cut each run before its `starts`, and wherever the next sentence does not fit."""

    def group_sentences(measured: Iterable[Measured], ruler: Ruler) -> list[list[Atom]]:
        run = list(measured)
        before = starts(run) if run else set()
        groups: list[list[Atom]] = []
        total = 0
        for i, (atom, n) in enumerate(run):
            if not groups or i in before or total + n > ruler.room:
                groups.append([])
                total = 0
            groups[-1].append(atom)
            total += n
        return groups

    return draft_pieces(document.blocks, document.ruler, group_sentences)


def cut_by_clusters(document: ChunkerInput) -> Iterator[Piece]:
    """Cut runs of prose so that the sum of (similarity - mean similarity) over sentence pairs within chunks is highest."""
    vectorised = document.vectorised
    if vectorised is None:
        raise ValueError("cluster needs the vectors of the sentences")

    def group_sentences(measured: Iterable[Measured], ruler: Ruler) -> list[list[Atom]]:
        run = list(measured)
        atoms = [atom for atom, _ in run]
        starts = find_best_segment_starts(vectorised.get_vectors(atoms), [n for _, n in run], ruler.room) if atoms else []
        return [atoms[low:high] for low, high in zip(starts, [*starts[1:], len(atoms)], strict=True)]

    return draft_pieces(document.blocks, document.ruler, group_sentences)


def find_best_segment_starts(vectors: Vectors, tokens: Sequence[int], room: int) -> list[int]:
    """Return where the best segments start. A segment of several sentences has at most `room` tokens."""
    mean = _average_similarity(vectors)
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
    return _trace_segment_starts(cut.tolist())


def _average_similarity(vectors: Vectors) -> float:
    """Return the mean cosine of sentences that are less than MOST_SENTENCES apart."""
    total, n = 0.0, 0
    for gap in range(1, min(MOST_SENTENCES, len(vectors))):
        total += float(np.einsum("ij,ij->", vectors[:-gap], vectors[gap:], dtype=np.float64))
        n += len(vectors) - gap
    return total / n if n else 0.0


def _trace_segment_starts(cut: Sequence[int]) -> list[int]:
    starts: list[int] = []
    at = len(cut) - 1
    while at > 0:
        at = cut[at]
        starts.append(at)
    return starts[::-1]
