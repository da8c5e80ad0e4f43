"""Ranking: what a chunk scores by meaning, words, section, neighbours, document and place.

The weights were chosen by `make bench NAME=ranking`: on corpora of several kinds, each scored with what is best for the others.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from tasks.search.words import extract_stems

LEXICAL_WEIGHT = 0.75
"""Weight of BM25 (divided by the best BM25 for the question) when added to a cosine. From 0.5 to 1, recall and IoU hardly
change."""
NEIGHBOUR_WEIGHT = 0.4
"""Weight of the mean score of the chunks before and after a chunk. From 0.2 to 0.6 recall gains 1 to 3 points in each of five
collections that were measured one by one."""
PRIOR_WEIGHT = 1.25
"""Weight of the question's affinity to a chunk's document. From 1 to 2, the figures change by two points at most."""
SECTION_WEIGHT = 0.25
"""Weight of the share of the question's words that stand in a chunk's section path."""
LOCATION_WEIGHT = 1.0
"""Weight of the share of the places named by a question at which a chunk is located."""
RRF_K = 60
"""The value of Cormack, Clarke and Büttcher (SIGIR 2009), who found that the choice is not critical."""


class ChunkPosition(NamedTuple):
    """A document, and a chunk's number in the order of this document's chunks."""

    document_id: str
    position: int


class Candidate(NamedTuple):
    """A chunk that may be a result: its cosine to the question, its position, and the path of its section."""

    cosine: float
    position: ChunkPosition
    section: Sequence[str]


class Evidence(NamedTuple):
    """What else is known for a question.

    `lexical`: BM25 of chunks that have its words, by id. `idf`: weights of its words, see `normalize_idf`. `affinities`: those
    to documents, by id. `in_document`: see `score_chunks_by_bm25`, for chunks of scanned documents. `locations`: the share of the
    places that the question names at which a chunk is located, by id.
    """

    lexical: Mapping[str, float]
    idf: Mapping[str, float]
    affinities: Mapping[str, float]
    in_document: Mapping[str, float]
    locations: Mapping[str, float] = MappingProxyType({})


def rank_candidates(candidates: Mapping[str, Candidate], evidence: Evidence) -> list[tuple[str, float]]:
    """Rank chunks by their scores.

    A score is cosine + LEXICAL_WEIGHT * words + SECTION_WEIGHT * section, plus NEIGHBOUR_WEIGHT times the mean of both
    neighbours' scores, plus PRIOR_WEIGHT * affinity and LOCATION_WEIGHT * location.
    Equal scores keep the order of `candidates`, which must have every id of `evidence`.
    """
    words = _compute_bm25_shares(candidates, evidence)
    scores = [
        (
            name,
            one.cosine
            + LEXICAL_WEIGHT * words.get(name, 0.0)
            + SECTION_WEIGHT * _compute_section_share(one.section, evidence.idf),
        )
        for name, one in candidates.items()
    ]
    ranked = add_neighbour_scores(scores, {name: one.position for name, one in candidates.items()})
    if not evidence.affinities and not evidence.locations:
        return ranked
    affinity, location = evidence.affinities.get, evidence.locations.get
    priors = (PRIOR_WEIGHT * affinity(candidates[name].position.document_id, 0.0) for name, _ in ranked)
    with_prior = [
        (name, score + (prior + LOCATION_WEIGHT * location(name, 0.0)))
        for (name, score), prior in zip(ranked, priors, strict=True)
    ]
    return sorted(with_prior, key=lambda item: -item[1])


def _compute_bm25_shares(candidates: Mapping[str, Candidate], evidence: Evidence) -> dict[str, float]:
    """Return each chunk's share of the best BM25; within a scanned document, by its own BM25.

    The best chunk of such a document keeps its share of the best BM25 of all, or gets the affinity to its document if that is
    more.
    """
    best = max(evidence.lexical.values(), default=0.0) or 1.0
    shares = {name: score / best for name, score in evidence.lexical.items()}
    tops: dict[str, float] = {}
    for name in evidence.in_document:
        document = candidates[name].position.document_id
        affinity = min(1.0, evidence.affinities.get(document, 0.0))
        tops[document] = max(tops.get(document, affinity), shares.get(name, 0.0))
    return shares | {name: share * tops[candidates[name].position.document_id] for name, share in evidence.in_document.items()}


def _compute_section_share(path: Sequence[str], idf: Mapping[str, float]) -> float:
    return sum(idf[word] for word in extract_stems(" ".join(path)) & idf.keys()) if path else 0.0


def add_neighbour_scores(
    scores: Sequence[tuple[str, float]], positions: Mapping[str, ChunkPosition], weight: float = NEIGHBOUR_WEIGHT
) -> list[tuple[str, float]]:
    """Rank ids by their score plus `weight` times the mean score of both neighbours: an answer stands where others match too.

    A neighbour without a score counts 0. `positions` must have every id. Equal scores keep their order.

    >>> positions = {"a": ChunkPosition("d", 0), "b": ChunkPosition("d", 1), "c": ChunkPosition("e", 2)}
    >>> add_neighbour_scores([("c", 1.0), ("a", 0.9), ("b", 0.6)], positions)[0]
    ('a', 1.02)
    """
    at: dict[tuple[str, int], float] = {positions[name]: score for name, score in scores}
    score_at, half = at.get, weight / 2
    placed = ((name, score, *positions[name]) for name, score in scores)
    totals = [
        (name, score + half * (score_at((document, position - 1), 0.0) + score_at((document, position + 1), 0.0)))
        for name, score, document, position in placed
    ]
    return sorted(totals, key=lambda item: -item[1])


def reciprocal_rank_fusion(rankings: Sequence[Sequence[str]], k: int = RRF_K) -> list[tuple[str, float]]:
    """Fuse ranked lists of ids. The score of an id is the sum of 1 / (k + rank) over its lists, with ranks from 1.

    Equal scores keep the order in which the ids first appear, list by list. Source: Cormack et al., "Reciprocal rank fusion
    outperforms Condorcet and individual rank learning methods", SIGIR 2009.

    >>> reciprocal_rank_fusion([["a", "b"], ["b"]])[0][0]
    'b'
    """
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, name in enumerate(ranking, start=1):
            scores[name] = scores.get(name, 0.0) + 1.0 / (k + rank)
    return sorted(scores.items(), key=lambda item: -item[1])
