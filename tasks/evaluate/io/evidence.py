"""Evidence: gold, results and chunks as ranges of published documents, and the scores that follow from them."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from typing_extensions import TypedDict  # Pydantic wants it before Python 3.12

from schemas.access import OWNER
from schemas.corpus import Corpus
from schemas.hits import Hit
from schemas.options.search import Returned
from tasks.evaluate.gold import Gold, Question
from tasks.evaluate.losses import Loss, explain_loss
from tasks.evaluate.scoring import (
    Relevant,
    Retrieved,
    Scores,
    Span,
    contains_relevant,
    find_token_span,
    measure_spans,
    precision_omega,
    score_characters,
    score_question,
    score_ranking,
    take_within_budget,
)
from tasks.search.io.texts import DocumentTexts
from tasks.search.passages import TextSpan
from tasks.search.ranker import max_chunks_for
from tasks.store import published
from tasks.store.access import OpenTables
from tasks.store.published import Generation

if TYPE_CHECKING:
    from tasks.embed.io.tokenizer import Tokenizer

WORD = re.compile(r"\S+")


Pages = set[tuple[str, int]]
"""Pages by document id and number."""


class ChunkPlace(TypedDict):
    """Where a chunk is, in characters: what rows of all kinds say of it."""

    document_id: str
    start_char: int
    end_char: int
    pages: list[int]


class RankedChunk(ChunkPlace):
    """What a ranking says of a chunk."""

    chunk_id: str


class Document(NamedTuple):
    """A published document that questions name."""

    document_id: str
    text: str


class Ranges:
    """Gold and hits as ranges. In a document without gold, a hit's tokens are a range from 0 with their number."""

    def __init__(self, tokenizer: "Tokenizer", documents: Mapping[str, Document], questions: Iterable[Question]) -> None:
        self._tokenizer = tokenizer
        self._documents = documents
        named = {gold.document for question in questions for gold in question.gold if gold.page is None}
        self._offsets = {documents[path].document_id: self._get_token_offsets(documents[path].text) for path in sorted(named)}
        self._lengths: dict[str, int] = {}

    def get_document_id(self, path: str) -> str:
        """Return the id of the document at `path`."""
        return self._documents[path].document_id

    def find_relevant_tokens(self, question: Question) -> Relevant:
        """Return what answers a question, with spans in tokens."""
        return self._build_relevant(question, lambda gold: [self.find_gold_tokens(gold)])

    def find_relevant_characters(self, question: Question) -> Relevant:
        """Return what answers a question, with spans in characters."""
        return self._build_relevant(question, lambda gold: [_get_gold_span(gold)])

    def find_relevant_words(self, question: Question) -> Relevant:
        """Return what answers a question, with the spans in characters of its words: white space is not looked for."""
        return self._build_relevant(question, self._find_word_spans)

    def _build_relevant(self, question: Question, spans_of: Callable[[Gold], list[Span]]) -> Relevant:
        spans: dict[str, list[Span]] = {}
        for gold in question.gold:
            if gold.page is None:
                spans.setdefault(self.get_document_id(gold.document), []).extend(spans_of(gold))
        pages = {(self.get_document_id(gold.document), gold.page) for gold in question.gold if gold.page is not None}
        return Relevant(spans, pages, {self.get_document_id(path) for path in question.documents})

    def _find_word_spans(self, gold: Gold) -> list[Span]:
        start, end = _get_gold_span(gold)
        return [match.span() for match in WORD.finditer(self._documents[gold.document].text, start, end)]

    def find_gold_tokens(self, gold: Gold) -> Span:
        """Return the token range of a gold span."""
        return find_token_span(self._offsets[self.get_document_id(gold.document)], _get_gold_span(gold))

    def find_hit_tokens(self, hit: Hit) -> Retrieved:
        """Return the token range of a result."""
        if hit.document_id in self._offsets:
            start, end = find_token_span(self._offsets[hit.document_id], (hit.start_char, hit.end_char))
            return Retrieved(hit.document_id, start, end, tuple(hit.pages))
        if hit.text not in self._lengths:
            self._lengths[hit.text] = len(self._get_token_offsets(hit.text))
        return Retrieved(hit.document_id, 0, self._lengths[hit.text], tuple(hit.pages))

    def _get_token_offsets(self, text: str) -> NDArray[np.int64]:
        offsets: NDArray[np.int64] = np.array(self._tokenizer.offsets(text), dtype=np.int64).reshape(-1, 2)
        return offsets[offsets[:, 0] < offsets[:, 1]]


def _get_gold_span(gold: Gold) -> Span:
    assert gold.start is not None and gold.end is not None
    return gold.start, gold.end


def get_hit_characters(hit: Hit) -> Retrieved:
    """Return the range of characters of a result."""
    return Retrieved(hit.document_id, hit.start_char, hit.end_char, tuple(hit.pages))


def score_hits(question: Question, hits: Mapping[int, Sequence[Hit]], ranges: Ranges) -> Scores:
    """Return the scores of one question, by metric and cutoff, from its results for each cutoff."""
    in_tokens, in_characters = ranges.find_relevant_tokens(question), ranges.find_relevant_characters(question)
    scores: Scores = {}
    for k, found in hits.items():
        retrieved = [ranges.find_hit_tokens(hit) for hit in found]
        scores["tokens", k] = float(measure_spans(result.span for result in retrieved))
        scores |= score_question(in_tokens, retrieved, (k,))
        scores |= score_characters(in_characters, [get_hit_characters(hit) for hit in found], (k,))
    return scores


def score_hits_in_budget(question: Question, hits: Sequence[Hit], budget: int, ranges: Ranges) -> Scores:
    """Return the scores of the first `hits` that fit into `budget` tokens; the names of the metrics begin with budget_."""
    kept = take_within_budget([ranges.find_hit_tokens(hit) for hit in hits], budget)
    scores = score_question(ranges.find_relevant_tokens(question), kept, (max(1, len(kept)),))
    return {(f"budget_{metric}", budget): value for (metric, _), value in scores.items()}


class Evidence(NamedTuple):
    """By document id: the chunks by their ids, and the rejected pages. Beside them, the pages of spans of gold."""

    chunks: Mapping[str, Mapping[str, Retrieved]]
    rejected: Mapping[str, set[int]]
    pages: Mapping[TextSpan, Sequence[int]]

    def find_chunks_with_gold(self, relevant: Relevant) -> dict[str, Retrieved]:
        """Return the chunks with gold, which is in characters; none for a question that only documents answer."""
        if not relevant.spans and not relevant.pages:
            return {}
        named = {*relevant.spans, *(document for document, _ in relevant.pages)}
        of_named = [chunk for document in sorted(named) for chunk in self.chunks.get(document, {}).items()]
        return {name: chunk for name, chunk in of_named if contains_relevant(relevant, chunk)}

    def find_pages_with_gold(self, relevant: Relevant) -> Pages:
        """Return the pages with gold, which is in characters."""
        spans = [TextSpan(document, *span) for document, found in relevant.spans.items() for span in found]
        return {*relevant.pages, *((span.document_id, page) for span in spans for page in self.pages.get(span, ()))}


def read_evidence(corpus: Corpus, live: Generation, ranges: Ranges, questions: Sequence[Question]) -> Evidence:
    """Read what the documents that answer the questions consist of.

    Raises:
        CorpusError: the tables cannot be read.
    """
    named = sorted({ranges.get_document_id(path) for question in questions for path in question.document_paths})
    chunks: dict[str, dict[str, Retrieved]] = {}
    for row in published.read_rows_of(corpus, live, "chunks", list(RankedChunk.__annotations__), named).to_pylist():
        chunks.setdefault(row["document_id"], {})[row["chunk_id"]] = as_retrieved_span(row)
    rejected: dict[str, set[int]] = {}
    for row in published.read_rows_of(corpus, live, "rejects", ["document_id", "page_number"], named).to_pylist():
        rejected.setdefault(row["document_id"], set()).add(row["page_number"])
    spans = list(dict.fromkeys(list_gold_spans(ranges, questions)))
    cited = DocumentTexts(OpenTables(corpus, live, OWNER)).cite(spans)
    return Evidence(chunks, rejected, {span: found.get("pages", []) for span, found in zip(spans, cited, strict=True)})


def list_gold_spans(ranges: Ranges, questions: Iterable[Question]) -> Iterable[TextSpan]:
    """Yield the spans of gold in characters, question by question."""
    for question in questions:
        for document, spans in ranges.find_relevant_characters(question).spans.items():
            yield from (TextSpan(document, *span) for span in spans)


def as_retrieved_span(row: ChunkPlace) -> Retrieved:
    """Return where a chunk is, in characters."""
    return Retrieved(row["document_id"], row["start_char"], row["end_char"], tuple(row["pages"]))


def score_chunk_ranking(
    question: Question, ranked: Sequence[RankedChunk], evidence: Evidence, ranges: Ranges, cutoffs: Sequence[int]
) -> Scores:
    """Return the scores of the ranked chunks (rows of PLACED) for a question: as chunks, as pages, and as documents.

    A page or a document stands where its first chunk does. The names of the metrics begin with chunk_, page_ and document_.
    precision_omega is that of all chunks of the corpus, at cutoff 0.
    """
    relevant = ranges.find_relevant_characters(question)
    golden = evidence.find_chunks_with_gold(relevant)
    pages = dict.fromkeys((row["document_id"], page) for row in ranked for page in row["pages"])
    documents = dict.fromkeys(row["document_id"] for row in ranked)
    scores = score_ranking([row["chunk_id"] for row in ranked], golden, cutoffs, "chunk_")
    scores |= score_ranking(list(pages), evidence.find_pages_with_gold(relevant), cutoffs, "page_")
    scores |= score_ranking(
        list(documents), {ranges.get_document_id(path) for path in question.document_paths}, cutoffs, "document_"
    )
    if relevant.spans and not relevant.pages:
        named = [chunk for document in relevant.spans for chunk in evidence.chunks.get(document, {}).values()]
        scores["precision_omega", 0] = precision_omega(relevant, named)
    return scores


def explain_losses(
    question: Question,
    hits: Mapping[int, Sequence[Hit]],
    ranked: Sequence[RankedChunk],
    evidence: Evidence,
    ranges: Ranges,
    returned: Returned,
) -> dict[int, Loss]:
    """Return the reason for each cutoff at which the results for a question miss gold."""
    relevant, ranking = ranges.find_relevant_words(question), [as_retrieved_span(row) for row in ranked]
    named = {ranges.get_document_id(path) for path in question.document_paths}
    chunks = [chunk for document in sorted(named) for chunk in evidence.chunks.get(document, {}).values()]
    found = {
        k: explain_loss(
            relevant,
            [get_hit_characters(hit) for hit in results],
            ranking,
            max_chunks_for(k, returned),
            chunks,
            evidence.rejected,
        )
        for k, results in hits.items()
    }
    return {k: reason for k, reason in found.items() if reason is not None}
