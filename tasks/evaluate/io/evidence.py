"""Evidence: what a generation holds of the documents that answer questions, and what its ranking of chunks makes of it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from schemas.corpus import Corpus
from schemas.hits import Hit
from schemas.options.search import Returned
from tasks.evaluate.gold import Question
from tasks.evaluate.io.ranges import Ranges, characters_of
from tasks.evaluate.losses import Loss, explain_loss
from tasks.evaluate.rankings import score_ranking
from tasks.evaluate.scoring import Relevant, Retrieved, Scores, precision_omega, touches
from tasks.search.io.results import DocumentTexts
from tasks.search.io.retrieve import n_chunks
from tasks.search.passages import TextSpan
from tasks.store import published
from tasks.store.open_tables import OpenTables
from tasks.store.published import Generation

RANKED_COLUMNS = ["chunk_id", "document_id", "start_char", "end_char", "pages"]

Pages = set[tuple[str, int]]
"""Pages by document id and number."""


class Evidence(NamedTuple):
    """By document id: the chunks by their ids, and the rejected pages. Beside them, the pages of spans of gold."""

    chunks: Mapping[str, Mapping[str, Retrieved]]
    rejected: Mapping[str, set[int]]
    pages: Mapping[TextSpan, Sequence[int]]

    def relevant_chunks(self, relevant: Relevant) -> dict[str, Retrieved]:
        """Return the chunks with gold, which is in characters; none for a question that only documents answer."""
        if not relevant.spans and not relevant.pages:
            return {}
        named = {*relevant.spans, *(document for document, _ in relevant.pages)}
        of_named = [chunk for document in sorted(named) for chunk in self.chunks.get(document, {}).items()]
        return {name: chunk for name, chunk in of_named if touches(relevant, chunk)}

    def relevant_pages(self, relevant: Relevant) -> Pages:
        """Return the pages with gold, which is in characters."""
        spans = [TextSpan(document, *span) for document, found in relevant.spans.items() for span in found]
        return {*relevant.pages, *((span.document_id, page) for span in spans for page in self.pages.get(span, ()))}


def read_evidence(corpus: Corpus, live: Generation, ranges: Ranges, questions: Sequence[Question]) -> Evidence:
    """Read what the documents that answer the questions consist of.

    Raises:
        CorpusError: the tables cannot be read.
    """
    named = sorted({ranges.id_of(path) for question in questions for path in question.document_paths})
    chunks: dict[str, dict[str, Retrieved]] = {}
    for row in published.read_rows_of(corpus, live, "chunks", RANKED_COLUMNS, named).to_pylist():
        chunks.setdefault(row["document_id"], {})[row["chunk_id"]] = as_retrieved(row)
    rejected: dict[str, set[int]] = {}
    for row in published.read_rows_of(corpus, live, "rejects", ["document_id", "page_number"], named).to_pylist():
        rejected.setdefault(row["document_id"], set()).add(row["page_number"])
    spans = list(dict.fromkeys(gold_spans(ranges, questions)))
    cited = DocumentTexts(OpenTables(corpus, live)).cite(spans)
    return Evidence(chunks, rejected, {span: found.get("pages", []) for span, found in zip(spans, cited, strict=True)})


def gold_spans(ranges: Ranges, questions: Iterable[Question]) -> Iterable[TextSpan]:
    """Yield the spans of gold in characters, question by question."""
    for question in questions:
        for document, spans in ranges.in_characters(question).spans.items():
            yield from (TextSpan(document, *span) for span in spans)


def as_retrieved(row: Mapping[str, Any]) -> Retrieved:
    """Return where a chunk is, in characters."""
    return Retrieved(row["document_id"], row["start_char"], row["end_char"], tuple(row["pages"]))


def score_chunk_ranking(
    question: Question, ranked: Sequence[Mapping[str, Any]], evidence: Evidence, ranges: Ranges, cutoffs: Sequence[int]
) -> Scores:
    """Return the scores of the ranked chunks (rows of PLACED) for a question: as chunks, as pages, and as documents.

    A page or a document stands where its first chunk does. The names of the metrics begin with chunk_, page_ and document_.
    precision_omega is that of all chunks of the corpus, at cutoff 0.
    """
    relevant = ranges.in_characters(question)
    golden = evidence.relevant_chunks(relevant)
    pages = dict.fromkeys((row["document_id"], page) for row in ranked for page in row["pages"])
    documents = dict.fromkeys(row["document_id"] for row in ranked)
    scores = score_ranking([row["chunk_id"] for row in ranked], golden, cutoffs, "chunk_")
    scores |= score_ranking(list(pages), evidence.relevant_pages(relevant), cutoffs, "page_")
    scores |= score_ranking(list(documents), {ranges.id_of(path) for path in question.document_paths}, cutoffs, "document_")
    if relevant.spans and not relevant.pages:
        named = [chunk for document in relevant.spans for chunk in evidence.chunks.get(document, {}).values()]
        scores["precision_omega", 0] = precision_omega(relevant, named)
    return scores


def find_losses(
    question: Question,
    hits: Mapping[int, Sequence[Hit]],
    ranked: Sequence[Mapping[str, Any]],
    evidence: Evidence,
    ranges: Ranges,
    returned: Returned,
) -> dict[int, Loss]:
    """Return by cutoff why the results for a question lack gold, for those that do."""
    relevant, ranking = ranges.in_words(question), [as_retrieved(row) for row in ranked]
    named = {ranges.id_of(path) for path in question.document_paths}
    chunks = [chunk for document in sorted(named) for chunk in evidence.chunks.get(document, {}).values()]
    found = {
        k: explain_loss(
            relevant, [characters_of(hit) for hit in results], ranking, n_chunks(k, returned), chunks, evidence.rejected
        )
        for k, results in hits.items()
    }
    return {k: reason for k, reason in found.items() if reason is not None}
