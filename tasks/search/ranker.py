"""The ranker: the best chunks for a question, with what it takes to make results of them.

A corpus and an experiment are ranked by it alike; they differ in the source of their chunks only.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

import pyarrow as pa

from schemas.options.search import Returned
from tasks.search.answerability import answer_probability
from tasks.search.chunk_source import (
    POSITION,
    ChunkRow,
    ChunkSource,
    RankedRow,
    RankingMode,
    Vector,
    compute_cosines,
    convert_to_lists,
)
from tasks.search.document_prior import MOST_CHOSEN, Catalogue, DocumentAffinities, drop_naming_words
from tasks.search.document_scan import ScannedDocument, find_chunks_in_documents, read_documents_to_scan, score_document_by_bm25
from tasks.search.named_places import NamedPlaces, compute_location_shares, find_chunks_at_all_places, find_named_places
from tasks.search.passages import BASE_RANK, ChunkCosines, RankedQuestion, estimate_base_cosine
from tasks.search.ranking import Candidate, ChunkPosition, Evidence, rank_candidates, reciprocal_rank_fusion
from tasks.search.words import extract_stems, find_wanted_stems, normalize_idf

CANDIDATES = 200
"""How many chunks of each list take part in hybrid ranking, at least."""
CHUNKS_PER_RESULT = 3
"""How many chunks are considered per result, if results are passages or parents."""
SAMPLE = BASE_RANK
"""How many chunks of each list show how rare a word is."""
TIES = 50
"""So many more chunks are asked for: those of equal BM25 take part by document and position, not as their rows were written."""


def max_chunks_for(k: int, returned: Returned) -> int:
    """Return the most chunks of which k results are made."""
    return k if returned == "chunks" else k * CHUNKS_PER_RESULT


class SearchRequest(NamedTuple):
    """The way to rank, the condition in SQL, how many chunks each list has and how many are returned, trimmed or not."""

    mode: RankingMode
    where: str | None
    depth: int
    n: int
    trimmed: bool

    @property
    def n_sampled(self) -> int:
        """How many chunks of each list show how rare the question's words are; 0 if that need not be known."""
        return SAMPLE if self.trimmed or self.mode == "hybrid" else 0


class LexicalMatches(NamedTuple):
    """The chunks that share words with a question: their BM25 by row, best first, and what ranking needs of them.

    `stems` has those of the question in each of the best.
    """

    scores: Mapping[str, float]
    rows: pa.Table
    stems: Mapping[str, frozenset[str]]


class QueryIntent(NamedTuple):
    """What a question means, before it has a vector: the places that it names, its stems, and the documents that it means."""

    named: NamedPlaces
    stems: frozenset[str]
    affinities: DocumentAffinities
    documents: list[ScannedDocument]


class Prefetch(NamedTuple):
    """What is known of a question without its vector: which chunks have its words, and what it means (None: not hybrid)."""

    matches: LexicalMatches
    intent: QueryIntent | None


class Candidates(NamedTuple):
    """The chunks that take part in ranking, by their rows.

    `positions` has all of them, `sections` the paths of their sections if the search is hybrid. `cosines` has those that a vector
    was compared with, the nearest first, then those that only words found. `nearest` are the cosines of the nearest alone.
    """

    positions: Mapping[str, ChunkPosition]
    cosines: Mapping[str, float]
    nearest: Sequence[float]
    sections: Mapping[str, Sequence[str]]


class RankedChunks(NamedTuple):
    """Chunks by row with their scores, best first, and the cosines of chunks by their positions.

    `question` is what is left of the question when its document is found, `weights` those of its words. `answered`: see
    `answer_probability`; None if that is not known. `at_places`: the chunks at all of the places that the question names.
    """

    ranked: list[tuple[str, float]]
    cosines: Mapping[ChunkPosition, float]
    question: str
    weights: Mapping[str, float]
    answered: float | None = None
    at_places: frozenset[str] = frozenset()


class Reranks(Protocol):
    """Puts the best chunks of a question in another order."""

    most: int
    """How many chunks it reads."""

    def rerank(self, question: str, rows: Sequence[RankedRow]) -> list[RankedRow]:
        """Return the rows of chunks in their new order."""
        ...


class Ranker:
    """The chunks of a source, ranked for questions. Threads may share it."""

    def __init__(self, source: ChunkSource, calibrated: bool = False, reranker: Reranks | None = None) -> None:
        """`calibrated`: whether cosines tell how likely a question is answered."""
        self._source, self._calibrated, self._reranker = source, calibrated, reranker
        self._catalogue = Catalogue(source)
        self._columns = [name for name in ChunkRow.__annotations__ if name in source.columns]

    def make_request(
        self, k: int, mode: RankingMode, returned: Returned, where: str | None = None, depth: int = 1
    ) -> SearchRequest:
        """Return a request for `k` results, made of at least `depth` chunks. `where` is SQL that the source understands."""
        n = max_chunks_for(k, returned)
        of_each = max(n, CANDIDATES if mode in ("hybrid", "rrf") else SAMPLE)
        return SearchRequest(mode, where, min(of_each, max(self._source.n, 1)), max(n, depth), returned == "passages")

    def prefetch(self, question: str, request: SearchRequest) -> Prefetch:
        """Return what is known of a question without its vector."""
        named = find_places_for_request(question, request)
        return Prefetch(self.match_words(named, request), self.find_intent(named, request))

    def match_words(self, named: NamedPlaces, request: SearchRequest) -> LexicalMatches:
        """Return the chunks that share most words with a question; no chunks if only vectors count."""
        columns = _choose_columns_for_mode(request.mode)
        if not self._source.n or request.mode == "dense":
            return LexicalMatches({}, self._source.read([], columns), {})
        found = self._source.find_words(named.rest, request.depth + TIES, request.where)
        read = self._source.read([row for row, _ in found], columns)
        positions = list(zip(*(read[name].to_pylist() for name in POSITION), strict=True))
        order = [at for *_, at in sorted((-score, *positions[at], at) for at, (_, score) in enumerate(found))][: request.depth]
        scores = {found[at][0]: found[at][1] for at in order}
        rows = read.take(pa.array(order, pa.int64()))
        return LexicalMatches(scores, rows, self._find_stems(list(scores)[: request.n_sampled], extract_stems(named.rest)))

    def find_intent(self, named: NamedPlaces, request: SearchRequest) -> QueryIntent | None:
        """Return what a question means, by the places that it names and its other words; None if the search is not hybrid."""
        if request.mode != "hybrid":
            return None
        affinities = self._catalogue.find_affinities(named.rest)
        documents = read_documents_to_scan(self._source, list(affinities.discounts), named, request.where)
        scored = [score_document_by_bm25(one, named.rest, affinities.discounts[one.document_id]) for one in documents]
        return QueryIntent(named, extract_stems(named.rest), affinities, scored)

    def rank(self, question: str, vector: Vector | None, known: Prefetch, request: SearchRequest) -> RankedQuestion:
        """Return the best `request.n` chunks, and what it takes to trim them; `vector` is None if only words count."""
        matches, intent = known
        found = self.find_candidates(vector, matches, request)
        sample = (
            self._sample(found, matches.stems, intent.stems if intent else extract_stems(question)) if request.n_sampled else {}
        )
        if intent and vector is not None:
            chunks = self.rank_hybrid(intent, vector, matches.scores, found, sample, request.where)
        else:
            cosines = {found.positions[row]: cosine for row, cosine in found.cosines.items()}
            ranked = _rank_by_one_score(found, matches.scores, request.mode)
            chunks = RankedChunks(ranked, cosines, question, normalize_idf(extract_stems(question), list(sample.values())))
        n = max(request.n, self._reranker.most) if self._reranker else request.n
        rows = self._read_ranked_rows(chunks.ranked[:n], chunks.at_places)
        rows = self._reranker.rerank(question, rows) if self._reranker else rows
        near = ChunkCosines(chunks.cosines, estimate_base_cosine(found.nearest)) if found.cosines else None
        answered = chunks.answered if self._calibrated else None
        whole = intent is not None and bool(intent.named.parts)
        return RankedQuestion(chunks.question, rows, chunks.weights, near, answered, whole)

    def find_candidates(self, vector: Vector | None, matches: LexicalMatches, request: SearchRequest) -> Candidates:
        """Return the chunks that take part in ranking: the nearest, and those that share words."""
        columns = _choose_columns_for_mode(request.mode)
        nearest: list[str] = []
        if vector is not None and self._source.n:
            nearest = self._source.find_nearest(vector, request.depth, request.where)
        new = [row for row in nearest if row not in matches.scores]
        names = [*new, *matches.scores]
        read = pa.concat_tables([self._source.read(new, columns), matches.rows])
        positions = dict(zip(names, map(ChunkPosition, *(read[name].to_pylist() for name in POSITION)), strict=True))
        sections = dict(zip(names, convert_to_lists(read["section"]), strict=True)) if request.mode == "hybrid" else {}
        cosines = dict(zip(names, compute_cosines(read, vector).tolist(), strict=True)) if nearest and vector is not None else {}
        # The nearest come first: what only words found follows, in the order of its BM25.
        near = dict(sorted(((row, cosines[row]) for row in nearest), key=lambda item: -item[1]))
        return Candidates(positions, near | cosines, list(near.values()), sections)

    def rank_hybrid(
        self,
        intent: QueryIntent,
        vector: Vector,
        lexical: Mapping[str, float],
        found: Candidates,
        sample: Mapping[str, frozenset[str]],
        where: str | None,
    ) -> RankedChunks:
        """Rank the candidates, and other chunks of documents that the question means, if they meet `where`.

        `sample` has the question's stems in the best chunks, by row: they show how rare a word is.
        """
        affinities, in_sample = intent.affinities, list(sample.values())
        candidates = {row: Candidate(cosine, found.positions[row], found.sections[row]) for row, cosine in found.cosines.items()}
        scan = find_chunks_in_documents(
            self._source, self._choose_documents(intent, candidates, where), intent.named, vector, candidates
        )
        candidates |= scan.candidates
        weights = normalize_idf(intent.stems, in_sample)
        likely = answer_probability([(candidates[row].cosine, held) for row, held in sample.items()], weights)
        evidence = Evidence(
            {row: score for row, score in lexical.items() if row in candidates},
            weights,
            affinities.by_document,
            scan.in_document,
            compute_location_shares(scan.locations),
        )
        ranked = rank_candidates(candidates, evidence)
        best = candidates[ranked[0][0]].position.document_id if ranked else ""
        cosines = {one.position: one.cosine for one in candidates.values()}
        left = drop_naming_words(intent.named.rest, affinities.discounts.get(best, {}))
        return RankedChunks(
            ranked,
            cosines,
            left,
            normalize_idf(extract_stems(left), in_sample),
            likely,
            find_chunks_at_all_places(scan.locations),
        )

    def _choose_documents(self, intent: QueryIntent, known: Mapping[str, Candidate], where: str | None) -> list[ScannedDocument]:
        """Return the documents that the question means; if it names places and means none, those of the nearest chunks."""
        if intent.affinities.discounts or not intent.named.names_any:
            return intent.documents
        nearest = self._catalogue.limit_scan(_list_documents_of_nearest(known.values()))
        return read_documents_to_scan(self._source, nearest, intent.named, where)

    def _sample(
        self, found: Candidates, matched: Mapping[str, frozenset[str]], wanted: frozenset[str]
    ) -> dict[str, frozenset[str]]:
        """Return the wanted stems in the best chunks, by row; `matched` are those of the chunks with most words."""
        nearest = list(found.cosines)[: len(found.nearest)][:SAMPLE]
        names = list(dict.fromkeys([*nearest, *matched]))
        held = {**matched, **self._find_stems([name for name in names if name not in matched], wanted)}
        return {name: held[name] for name in names}

    def _find_stems(self, rows: Sequence[str], wanted: frozenset[str]) -> dict[str, frozenset[str]]:
        return dict(zip(rows, find_wanted_stems(wanted, self._source.read(rows, ["text"])["text"].to_pylist()), strict=True))

    def _read_ranked_rows(self, ranked: Sequence[tuple[str, float]], at_places: Container[str]) -> list[RankedRow]:
        """Return the rows of chunks, with their scores and whether they lie at the named places, in the order of `ranked`."""
        rows: list[RankedRow] = self._source.read([name for name, _ in ranked], self._columns).to_pylist()
        for row, (name, score) in zip(rows, ranked, strict=True):
            row["score"], row["at_place"] = score, name in at_places
        return rows


def find_places_for_request(question: str, request: SearchRequest) -> NamedPlaces:
    """Return the places that a question names; no places if the search is not hybrid."""
    return find_named_places(question) if request.mode == "hybrid" else NamedPlaces(frozenset(), frozenset(), question)


def _choose_columns_for_mode(mode: RankingMode) -> list[str]:
    """Return what ranking needs of a chunk."""
    return [*POSITION, *(["section"] if mode == "hybrid" else []), *(["vector"] if mode != "fts" else [])]


def _rank_by_one_score(found: Candidates, lexical: Mapping[str, float], mode: RankingMode) -> list[tuple[str, float]]:
    if mode == "rrf":
        return reciprocal_rank_fusion([list(found.cosines)[: len(found.nearest)], list(lexical)])
    return list((lexical if mode == "fts" else found.cosines).items())


def _list_documents_of_nearest(nearest: Iterable[Candidate]) -> list[str]:
    """Return the documents of the nearest chunks, MOST_CHOSEN of them: those that a question without a name points to."""
    return list(dict.fromkeys(one.position.document_id for one in nearest))[:MOST_CHOSEN]
