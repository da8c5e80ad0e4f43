"""Passages: neighbouring chunks that were found together, joined and trimmed to the sentences that match.

How near a sentence is to the question (its proximity) comes from the cosines of chunks alone; nothing is embedded for it. A
chunk's cosine is that of its middle. Between the middles of two chunks that follow each other, it changes evenly: a sentence at
the edge of a chunk has something of both.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from tasks.chunk.sentences import Span
from tasks.search.chunk_source import RankedRow, SpanCitation
from tasks.search.ranking import ChunkPosition
from tasks.search.trimming import PassageChunk, choose_unit_runs, split_units

BASE_RANK = 60
"""The cosine of the chunk at this rank is that of a chunk which says nothing of the question. It differs from model to model."""
BASE_SHARE = 0.5
"""Where there are fewer chunks, it is this share of the best one's."""


class ChunkCosines(NamedTuple):
    """The cosines of the chunks that were found for a question, and the cosine of one which says nothing of it."""

    by_position: Mapping[ChunkPosition, float]
    base: float


class RankedQuestion(NamedTuple):
    """A question, its ranked chunks, the weights of its words (see `normalize_idf`), and cosines (None: only words count).

    `answered`: how likely it has an answer, if that is known. `whole`: passages at the places that it names are not trimmed.
    """

    question: str
    rows: list[RankedRow]
    weights: Mapping[str, float]
    cosines: ChunkCosines | None
    answered: float | None = None
    whole: bool = False


class TextSpan(NamedTuple):
    """A span of a document."""

    document_id: str
    start: int
    end: int


class Texts(Protocol):
    """The texts of documents, and the citations of spans in them."""

    def load(self, documents: Sequence[str], around: Sequence[TextSpan] = ()) -> None:
        """Read the texts of the documents that are not loaded yet, and meanwhile what it takes to cite parts of few spans."""
        ...

    def text(self, document: str) -> str:
        """Return the text of a loaded document."""
        ...

    def language(self, document: str) -> str:
        """Return the ISO 639-1 code of a loaded document's language; "" if it is not known."""
        ...

    def cite(self, spans: Sequence[TextSpan]) -> list[SpanCitation]:
        """Return section, pages and boxes of each span; an empty dict for a span without elements."""
        ...


class TrimmedPassage(NamedTuple):
    """What is kept of a passage: its span, its text, the row of its best chunk, and whether that row's citation is its own."""

    span: TextSpan
    text: str
    row: RankedRow
    cited: bool


class JoinedChunks(NamedTuple):
    """Neighbouring chunks in a text that holds them, from the `offset`-th character of the document on, and their units there."""

    chunks: Sequence[PassageChunk]
    text: str
    offset: int
    units: Sequence[Span]

    def between(self, span: Span) -> str:
        """Return the text of a span of the document."""
        return self.text[span[0] - self.offset : span[1] - self.offset]


def join_neighbouring_chunks(ranked: Sequence[PassageChunk], most: int) -> list[list[PassageChunk]]:
    """Return at most `most` passages, best first. A passage is a list of chunks that follow each other, its best chunk first.

    In order of rank, a candidate joins the first passage that has a chunk next to it. Otherwise it starts a new passage, if
    there are fewer than `most`.
    """
    passages: list[list[PassageChunk]] = []
    for candidate in ranked:
        neighbour = next((passage for passage in passages if _touches_passage(passage, candidate)), None)
        if neighbour is not None:
            neighbour.append(candidate)
        elif len(passages) < most:
            passages.append([candidate])
    return passages


def _touches_passage(passage: Sequence[PassageChunk], candidate: PassageChunk) -> bool:
    return any(_are_neighbouring_chunks(found, candidate) for found in passage)


def _are_neighbouring_chunks(one: PassageChunk, other: PassageChunk) -> bool:
    """Return whether two chunks follow each other. A figure has no neighbours, because it is complete on its own."""
    if "figure" in (one.kind, other.kind):
        return False
    return one.document_id == other.document_id and abs(one.position - other.position) == 1


def estimate_base_cosine(cosines: Sequence[float]) -> float:
    """Return the cosine of a chunk that says nothing of the question; `cosines` are those of the nearest chunks, best first.

    >>> estimate_base_cosine([0.8, 0.7]), estimate_base_cosine([])
    (0.4, 0.0)
    """
    return cosines[BASE_RANK - 1] if len(cosines) >= BASE_RANK else BASE_SHARE * max(cosines, default=0.0)


def estimate_proximities(spans: Sequence[Span], passage: Sequence[PassageChunk], cosines: ChunkCosines) -> list[float]:
    """Return for each span of a passage how much its cosine exceeds the base. A chunk that was not found has the base."""
    chunks = sorted(passage, key=lambda chunk: chunk.position)
    first, last = chunks[0], chunks[-1]
    by_position, base = cosines
    around = [ChunkPosition(first.document_id, first.position - 1), ChunkPosition(last.document_id, last.position + 1)]
    before, after = (by_position.get(position, base) - base for position in around)
    middles = [(chunk.start + chunk.end) / 2 for chunk in chunks]
    values = [by_position[ChunkPosition(chunk.document_id, chunk.position)] - base for chunk in chunks]
    if first.position:
        middles, values = [middles[0] - (first.end - first.start), *middles], [before, *values]
    middles, values = [*middles, middles[-1] + (last.end - last.start)], [*values, after]
    found: list[float] = np.interp([(start + end) / 2 for start, end in spans], middles, values).tolist()
    return found


def make_passages(questions: Sequence[RankedQuestion], k: int, documents: Texts) -> list[list[TrimmedPassage]]:
    """Return up to `k` passages for each question.

    A passage that matches much less than the best one is left out, unless it ranks first or lies at a place that is named.
    """
    joined = [join_neighbouring_chunks([_make_passage_chunk(row) for row in one.rows], k) for one in questions]
    rows = [{row["chunk_id"]: row for row in one.rows} for one in questions]
    around = [
        _span_of_chunks(chunks)
        for found, of in zip(joined, rows, strict=True)
        for chunks in found
        if not _are_chunks_in_one_element(chunks, of)
    ]
    documents.load(
        [chunks[0].document_id for found in joined for chunks in found if not _is_trimmable_single_chunk(chunks)], around
    )
    return [_trim_passages(one, found, of, documents) for one, found, of in zip(questions, joined, rows, strict=True)]


def _trim_passages(
    ranked: RankedQuestion, found: Sequence[Sequence[PassageChunk]], rows: Mapping[str, RankedRow], documents: Texts
) -> list[TrimmedPassage]:
    joined = [_split_joined_chunks_into_units(chunks, rows, documents) for chunks in found]
    cosines = ranked.cosines
    proximities = [estimate_proximities(one.units, one.chunks, cosines) if cosines else [0.0] * len(one.units) for one in joined]
    base = cosines.base if cosines else 0.0
    scores = [rows[one.chunks[0].chunk_id]["score"] - base for one in joined]
    at_place = [any(rows[chunk.chunk_id].get("at_place") for chunk in one.chunks) for one in joined]
    texts = [[one.between(unit) for unit in one.units] for one in joined]
    runs = choose_unit_runs(texts, proximities, ranked.weights, scores, at_place=at_place)
    if ranked.whole:
        runs = [(0, len(one.units) - 1) if there else run for one, run, there in zip(joined, runs, at_place, strict=True)]
    return [_cut_passage_to_run(one, run, rows) for one, run in zip(joined, runs, strict=True) if run]


def _cut_passage_to_run(joined: JoinedChunks, run: tuple[int, int], rows: Mapping[str, RankedRow]) -> TrimmedPassage:
    span, best = (joined.units[run[0]][0], joined.units[run[1]][1]), joined.chunks[0]
    cited = _has_own_citation(joined.chunks, span, rows)
    return TrimmedPassage(TextSpan(best.document_id, *span), joined.between(span), rows[best.chunk_id], cited)


def _split_joined_chunks_into_units(
    chunks: Sequence[PassageChunk], rows: Mapping[str, RankedRow], documents: Texts
) -> JoinedChunks:
    """Return joined chunks with their units. The text of a chunk alone is its row's."""
    best = chunks[0]
    if not _is_trimmable_single_chunk(chunks):
        text = documents.text(best.document_id)
        return JoinedChunks(chunks, text, 0, split_units(text, chunks, documents.language(best.document_id)))
    text = rows[best.chunk_id]["text"]
    found = split_units(text, [best._replace(start=0, end=best.end - best.start)])
    return JoinedChunks(chunks, text, best.start, [(low + best.start, high + best.start) for low, high in found])


def _span_of_chunks(chunks: Sequence[PassageChunk]) -> TextSpan:
    """Return the span from the first of some chunks of a document to the last."""
    return TextSpan(chunks[0].document_id, min(chunk.start for chunk in chunks), max(chunk.end for chunk in chunks))


def _is_trimmable_single_chunk(chunks: Sequence[PassageChunk]) -> bool:
    """Return whether a passage is one chunk that can be trimmed without its document: the ends of its sentences are known."""
    return len(chunks) == 1 and (chunks[0].kind != "text" or chunks[0].sentence_ends is not None)


def _has_own_citation(chunks: Sequence[PassageChunk], span: Span, rows: Mapping[str, RankedRow]) -> bool:
    """Return whether a span of a passage is surely cited as its best chunk is: it is all of it, or all lies in one element.

    Chunks of one table have different rows of it, if it has places.
    """
    alone = len(chunks) == 1
    if not alone and any(rows[chunk.chunk_id].get("places") for chunk in chunks):
        return False
    return (alone and span == (chunks[0].start, chunks[0].end)) or _are_chunks_in_one_element(chunks, rows)


def _are_chunks_in_one_element(chunks: Sequence[PassageChunk], rows: Mapping[str, RankedRow]) -> bool:
    [positions, *others] = [rows[chunk.chunk_id]["element_positions"] for chunk in chunks]
    return len(positions) <= 1 and all(positions == other for other in others)


def _make_passage_chunk(row: RankedRow) -> PassageChunk:
    """Return a chunk's row for joining. Older corpora know no ends of sentences."""
    span = row["start_char"], row["end_char"]
    return PassageChunk(row["chunk_id"], row["document_id"], row["position"], *span, row["kind"], row.get("sentence_ends"))
