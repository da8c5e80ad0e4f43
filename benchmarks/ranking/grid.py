"""Grid: many weights of hybrid ranking, tried on what a search knew of each question; nothing is searched twice."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple
from unittest.mock import patch

import numpy as np

from benchmarks.ranking.corpora import Kind
from benchmarks.ranking.measures import K, Place, measure_cover
from tasks.embed.vectors import VectorCache
from tasks.search import ranker, ranking
from tasks.search.io.retrieve import Searcher
from tasks.search.ranking import Candidate, Evidence

PRIORS, SECTIONS, WORDS = (0.0, 0.75, 1.25, 2.0), (0.0, 0.25, 0.5), (0.25, 0.5, 0.75, 1.0)
"""Weights that are tried."""
COLUMNS = ["first", "any of 5", "chunks"]


class Weights(NamedTuple):
    """Of the document prior, of the section's words, and of BM25."""

    prior: float
    section: float
    words: float

    def __str__(self) -> str:
        return f"prior {self.prior:g}, section {self.section:g}, words {self.words:g}"


SHIPPED = Weights(ranking.PRIOR_WEIGHT, ranking.SECTION_WEIGHT, ranking.LEXICAL_WEIGHT)
ALL = [Weights(*three) for three in itertools.product(PRIORS, SECTIONS, WORDS)]

Row = tuple[float, float, float | None]
"""As `measures.Scores`, without passages."""


class RecordedQuestion(NamedTuple):
    """What a search knew of a question, and where the chunks stand."""

    candidates: Mapping[str, Candidate]
    evidence: Evidence
    places: Mapping[str, Place]


@contextmanager
def use_weights(weights: Weights) -> Iterator[None]:
    """Rank with these weights in the block."""
    prior, section, words = weights
    with patch.multiple(ranking, PRIOR_WEIGHT=prior, SECTION_WEIGHT=section, LEXICAL_WEIGHT=words):
        yield


def try_weights(searcher: Searcher, kind: Kind) -> dict[Weights, Row]:
    """Return the scores of a kind for ALL weights."""
    questions = _record(searcher, kind)
    return {weights: _score(kind, questions, weights) for weights in ALL}


def left_out(found: Mapping[str, Mapping[Weights, Row]]) -> dict[str, tuple[Weights, Row]]:
    """Return for each kind the weights that are best for the others, and its scores; drawn reports count as one kind."""
    groups = {name: name.split("-")[0] for name in found}

    def mean(weights: Weights, without: str) -> float:
        by_group: dict[str, list[float]] = {}
        for name, group in groups.items():
            if group != without:
                by_group.setdefault(group, []).append(one(found[name][weights]))
        return float(np.mean([np.mean(values) for values in by_group.values()]))

    chosen = {group: max(ALL, key=lambda weights: mean(weights, group)) for group in {*groups.values()}}
    return {name: (chosen[group], found[name][chosen[group]]) for name, group in groups.items()}


def one(row: Row) -> float:
    """Return one figure to choose weights by."""
    return float(np.mean([value for value in row if value is not None]))


def _record(searcher: Searcher, kind: Kind) -> list[RecordedQuestion]:
    seen: list[tuple[Mapping[str, Candidate], Evidence]] = []
    rank = ranking.rank_candidates

    def recording(candidates: Mapping[str, Candidate], evidence: Evidence) -> list[tuple[str, float]]:
        seen.append((dict(candidates), evidence))
        return rank(candidates, evidence)

    with patch.object(ranker, "rank_candidates", recording):
        searcher.search_ranked([question.text for question in kind.questions], (K,), returned="chunks", memory=VectorCache())
    return [RecordedQuestion(candidates, evidence, _places(searcher, list(candidates))) for candidates, evidence in seen]


def _places(searcher: Searcher, names: Sequence[str]) -> dict[str, Place]:
    table = searcher.chunks.read(names, ["path", "start_char", "end_char"])
    return dict(zip(names, zip(*(column.to_pylist() for column in table.columns), strict=True), strict=True))


def _score(kind: Kind, questions: Sequence[RecordedQuestion], weights: Weights) -> Row:
    rows = []
    with use_weights(weights):
        for question, recorded in zip(kind.questions, questions, strict=True):
            ranked = ranking.rank_candidates(recorded.candidates, recorded.evidence)[:K]
            places = [recorded.places[name] for name, _ in ranked]
            right = [path in {gold.path for gold in question.gold} for path, _, _ in places]
            rows.append((float(any(right[:1])), float(any(right)), measure_cover(question.gold, places)[0]))
    first, any_of, chunks = np.array(rows, dtype=float).mean(axis=0).tolist()
    return first, any_of, None if np.isnan(chunks) else chunks
