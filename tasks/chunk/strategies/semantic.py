"""Semantic: cuts between sentences whose vectors differ, or where a language model proposes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tasks.chunk.packing import Measured, draft_pieces
from tasks.chunk.pieces import Piece, Ruler
from tasks.chunk.strategies.contract import ChunkerInput, SentenceVectors, Vectors, sentence_atoms
from tasks.chunk.text_blocks import Atom

Starts = Callable[[Sequence[Measured]], set[int]]
"""Returns the indices of a run's atoms that begin a chunk."""


def semantic_percentile(document: ChunkerInput) -> Iterator[Piece]:
    """Cut where the distance of neighbouring sentences exceeds a percentile of the document's distances."""
    vectorised, blocks = _require_vectors(document), list(document.blocks)
    limit = np.percentile(distances(vectorised.of(sentence_atoms(blocks))), document.options.value("percentile"))

    def starts(measured: Sequence[Measured]) -> set[int]:
        apart = distances(vectorised.of(_atoms(measured)))[: len(measured) - 1]
        return {int(i) + 1 for i in np.flatnonzero(apart > limit)}

    return _cut_at(replace(document, blocks=blocks), starts)


def semantic_merge(document: ChunkerInput) -> Iterator[Piece]:
    """Join neighbouring sentences while their cosine exceeds the threshold."""
    vectorised, threshold = _require_vectors(document), document.options.value("threshold")

    def starts(measured: Sequence[Measured]) -> set[int]:
        apart = distances(vectorised.of(_atoms(measured)))[: len(measured) - 1]
        return {int(i) + 1 for i in np.flatnonzero(1 - apart <= threshold)}

    return _cut_at(document, starts)


def semantic_threshold(document: ChunkerInput) -> Iterator[Piece]:
    """Cut before a sentence whose cosine to the mean of the chunk so far is below the threshold."""
    vectorised = _require_vectors(document)
    threshold, least = document.options.value("threshold"), document.options.value("min_tokens")

    def starts(measured: Sequence[Measured]) -> set[int]:
        return _find_topic_changes(measured, vectorised.of(_atoms(measured)), threshold, least, document.ruler.room)

    return _cut_at(document, starts)


def cut_at_proposals(document: ChunkerInput) -> Iterator[Piece]:
    """Cut before the sentences that start at `document.breaks`."""
    breaks = set(document.breaks)
    return _cut_at(document, lambda measured: {i for i, (atom, _) in enumerate(measured) if atom.start in breaks})


def distances(vectors: Vectors) -> NDArray[np.float64]:
    """Return the cosine distances of neighbouring rows; a single 0 if there are fewer than two."""
    if len(vectors) < 2:
        return np.zeros(1)
    found: NDArray[np.float64] = 1 - np.einsum("ij,ij->i", vectors[:-1], vectors[1:], dtype=np.float64)
    return found


def _find_topic_changes(measured: Sequence[Measured], vectors: Vectors, threshold: float, least: int, most: int) -> set[int]:
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


def _require_vectors(document: ChunkerInput) -> SentenceVectors:
    if document.vectorised is None:
        raise ValueError(f"{document.options.strategy} needs the vectors of the sentences")
    return document.vectorised


def _atoms(measured: Sequence[Measured]) -> list[Atom]:
    return [atom for atom, _ in measured]


def _cut_at(document: ChunkerInput, starts: Starts) -> Iterator[Piece]:
    """Cut each run before its `starts`, and wherever the next sentence does not fit."""

    def group(measured: Iterable[Measured], ruler: Ruler) -> list[list[Atom]]:
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

    return draft_pieces(document.blocks, document.ruler, group)
