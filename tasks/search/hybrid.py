"""Hybrid ranking: chunks by meaning, words, section, neighbours, and by the document that the question means.

The weights were chosen by `make bench-ranking`: on corpora of several kinds, each scored with what is best for the others.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from tasks.search.ranking import LEXICAL_WEIGHT, NEIGHBOURS, Place, with_neighbours
from tasks.search.trimming import stems

SCENT_WEIGHT = 1.25
"""Weight of the scent of a chunk's document. From 1 to 2, the figures change by two points at most."""
SECTION_WEIGHT = 0.25
"""Weight of the share of the question's words that stand in a chunk's section path."""
PLACE_WEIGHT = 1.0
"""Weight of the share of the places that a question names at which a chunk lies."""


class Candidate(NamedTuple):
    """A chunk that may be a result: its cosine to the question, its place, and the path of its section."""

    cosine: float
    place: Place
    section: Sequence[str]


class Evidence(NamedTuple):
    """What else is known of a question.

    `lexical`: BM25 of chunks that have its words, by id. `rarity`: weights of its words, see `trimming.rarity`. `scents`: those
    of documents, by id. `within`: see `within`, for chunks of the documents that were looked into. `lying`: the share of the
    places that the question names at which a chunk lies, by id.
    """

    lexical: Mapping[str, float]
    rarity: Mapping[str, float]
    scents: Mapping[str, float]
    within: Mapping[str, float]
    lying: Mapping[str, float] = MappingProxyType({})


def hybrid_ranked(
    candidates: Mapping[str, Candidate], evidence: Evidence, neighbours: float = NEIGHBOURS
) -> list[tuple[str, float]]:
    """Rank chunks by their scores.

    A score is cosine + LEXICAL_WEIGHT * words + SECTION_WEIGHT * section, plus `neighbours` times the mean of both neighbours',
    plus SCENT_WEIGHT * scent and PLACE_WEIGHT * lying.
    Equal scores keep the order of `candidates`, which must have every id of `evidence`.
    """
    words = _word_shares(candidates, evidence)
    scores = [
        (name, one.cosine + LEXICAL_WEIGHT * words.get(name, 0.0) + SECTION_WEIGHT * _section(one.section, evidence.rarity))
        for name, one in candidates.items()
    ]
    found = with_neighbours(scores, {name: one.place for name, one in candidates.items()}, neighbours)
    if not evidence.scents and not evidence.lying:
        return found
    meant = [(name, score + _meant(name, candidates[name].place.document_id, evidence)) for name, score in found]
    return sorted(meant, key=lambda item: -item[1])


def _meant(name: str, document: str, evidence: Evidence) -> float:
    return SCENT_WEIGHT * evidence.scents.get(document, 0.0) + PLACE_WEIGHT * evidence.lying.get(name, 0.0)


def _word_shares(candidates: Mapping[str, Candidate], evidence: Evidence) -> dict[str, float]:
    """Return BM25 by the best BM25; within a document that was looked into, by its own BM25.

    The best chunk of such a document keeps its share of the best BM25 of all, or gets its document's scent if that is more.
    """
    best = max(evidence.lexical.values(), default=0.0) or 1.0
    shares = {name: score / best for name, score in evidence.lexical.items()}
    tops: dict[str, float] = {}
    for name in evidence.within:
        document = candidates[name].place.document_id
        scent = min(1.0, evidence.scents.get(document, 0.0))
        tops[document] = max(tops.get(document, scent), shares.get(name, 0.0))
    return shares | {name: share * tops[candidates[name].place.document_id] for name, share in evidence.within.items()}


def _section(path: Sequence[str], rarity: Mapping[str, float]) -> float:
    return sum(rarity[word] for word in stems(" ".join(path)) & rarity.keys()) if path else 0.0
