"""Scores of a ranking of chunks, pages or documents, some of which are relevant. Relevance is binary.

hit_rate, recall, mrr, ndcg and map are Success@k, R@k, RR@k, nDCG@k and AP@k of ir-measures (MacAvaney, Macdonald and Ounis,
ECIR 2022). nDCG is that of Järvelin and Kekäläinen (TOIS 20, 2002) with the discount log2(rank + 1).
"""

from collections.abc import Collection, Hashable, Iterable, Sequence
from math import log2

from tasks.evaluate.scoring import Scores


def score_ranking(ranked: Sequence[Hashable], relevant: Collection[Hashable], cutoffs: Iterable[int], prefix: str) -> Scores:
    """Return the scores of the first k of `ranked`, which has nothing twice, for each cutoff k.

    The names of the metrics begin with `prefix`. Nothing is returned if nothing is relevant.
    """
    scores: Scores = {}
    for k in cutoffs if relevant else ():
        ranks = [rank for rank, item in enumerate(ranked[:k], 1) if item in relevant]
        best = sum(1 / log2(rank + 1) for rank in range(1, min(k, len(relevant)) + 1))
        scores[f"{prefix}hit_rate", k] = float(bool(ranks))
        scores[f"{prefix}recall", k] = len(ranks) / len(relevant)
        scores[f"{prefix}mrr", k] = 1 / ranks[0] if ranks else 0.0
        scores[f"{prefix}ndcg", k] = sum(1 / log2(rank + 1) for rank in ranks) / best
        scores[f"{prefix}map", k] = sum(n / rank for n, rank in enumerate(ranks, 1)) / len(relevant)
    return scores
