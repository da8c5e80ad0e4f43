"""What is measured of a ranking: whether the right document comes first, and how much of the answer is found."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from benchmarks.ranking.corpora import Gold, Kind
from tasks.embed.vectors import VectorCache
from tasks.search.io.retrieve import Searcher

K = 5

Place = tuple[str, int, int]
"""Path, start and end in characters."""


class Scores(NamedTuple):
    """Shares over the questions of a kind, in [0, 1]; None where the gold is a document and no place in it.

    `first`, `any`: the document of the first result, or of any of five, is right. `chunks`, `passages`: how much of the gold
    the first five chunks cover, or five passages. `iou`: what passages cover by what they and the gold span.
    """

    first: float
    any: float
    chunks: float | None
    passages: float | None
    iou: float | None

    @property
    def one(self) -> float:
        """One figure to choose weights by: the mean of all but IoU."""
        return float(np.mean([value for value in self[:4] if value is not None]))


def measure(searcher: Searcher, kind: Kind, memory: VectorCache) -> Scores:
    """Ask all questions of a kind; what is in `memory` is not embedded again."""
    found = searcher.search_ranked([question.text for question in kind.questions], (K,), memory=memory)
    rows = []
    for question, hits, chunks in zip(kind.questions, found.results[K], found.chunks, strict=True):
        right = {gold.path for gold in question.gold}
        passages = [(hit.path, hit.start_char, hit.end_char) for hit in hits]
        first = [(chunk["path"], chunk["start_char"], chunk["end_char"]) for chunk in chunks[:K]]
        documents = [path in right for path, _, _ in passages]
        recall, iou = measure_cover(question.gold, passages)
        rows.append((float(any(documents[:1])), float(any(documents)), measure_cover(question.gold, first)[0], recall, iou))
    means = np.array(rows, dtype=float).mean(axis=0).tolist()
    return Scores(*means[:2], *(None if np.isnan(mean) else mean for mean in means[2:]))


def measure_cover(gold: Sequence[Gold], places: Sequence[Place]) -> tuple[float, float]:
    """Return recall and IoU in characters; NaN for gold without a span."""
    wanted = {(one.path, at) for one in gold if one.span for at in range(*one.span)}
    if not wanted:
        return float("nan"), float("nan")
    n_covered = len(wanted & {(path, at) for path, start, end in places for at in range(start, end)})
    n_given = sum(end - start for _, start, end in places)
    return n_covered / len(wanted), n_covered / (n_given + len(wanted) - n_covered)
