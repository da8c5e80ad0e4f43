"""Ranking: join ranked lists into one."""

from collections.abc import Sequence

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
