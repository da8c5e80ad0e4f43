"""Ranking: join ranked lists into one."""

from collections.abc import Mapping, Sequence

LEXICAL_WEIGHT = 0.75
"""Of BM25, as a share of the question's best, beside a cosine: recall and IoU hardly change between 0.5 and 1."""

RRF_K = 60
"""Cormack, Clarke and Büttcher (SIGIR 2009) fixed k at 60 in their pilot runs and found the choice not critical."""


def reciprocal_rank_fusion(rankings: Sequence[Sequence[str]], k: int = RRF_K) -> list[tuple[str, float]]:
    """Fuse ranked lists of ids: the score of an id is the sum of 1 / (k + rank) over the lists that hold it, ranks from 1.

    Ties keep the order in which the ids first appear, list by list. Source: Cormack et al., "Reciprocal rank fusion
    outperforms Condorcet and individual rank learning methods", SIGIR 2009.

    >>> reciprocal_rank_fusion([["a", "b"], ["b"]])[0][0]
    'b'
    """
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, name in enumerate(ranking, start=1):
            scores[name] = scores.get(name, 0.0) + 1.0 / (k + rank)
    return sorted(scores.items(), key=lambda item: -item[1])


def score_sum(
    cosines: Mapping[str, float], lexical: Mapping[str, float], weight: float = LEXICAL_WEIGHT
) -> list[tuple[str, float]]:
    """Rank ids by cosine plus `weight` times their share of the best lexical score; ties keep the order of `cosines`.

    `cosines` holds every id; one that `lexical` lacks has a lexical score of 0.

    >>> score_sum({"a": 0.5, "b": 0.4}, {"b": 7.0})[0]
    ('b', 1.15)
    """
    best = max(lexical.values(), default=0.0) or 1.0
    scores = {name: cosine + weight * lexical.get(name, 0.0) / best for name, cosine in cosines.items()}
    return sorted(scores.items(), key=lambda item: -item[1])
