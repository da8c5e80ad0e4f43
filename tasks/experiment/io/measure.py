"""Measure: search the chunks of a cell for every question, and score what is found."""

from collections.abc import Sequence
from contextlib import ExitStack
from typing import NamedTuple

from schemas.errors import InputError
from schemas.options.sections import EmbedOptions
from tasks.embed.io.providers import load_counting_tokenizer
from tasks.evaluate.averages import ScoredQuestion
from tasks.evaluate.gold import Question, locate_questions
from tasks.evaluate.io.evidence import Document, Evidence, Ranges, as_retrieved_span, list_gold_spans
from tasks.evaluate.io.score import (
    MISPLACED,
    LocatedQuestions,
    SearchResults,
    as_ranked_chunks,
    list_search_limits,
    score_located_questions,
)
from tasks.evaluate.losses import LOOKED_AT
from tasks.evaluate.scoring import Retrieved
from tasks.experiment.grid import Cell, Configuration
from tasks.experiment.io.chunks import Chunks, CutChunk, make_kept_word_search, read_or_cut_chunks
from tasks.experiment.io.documents import Library, list_texts_by_path, read_library
from tasks.experiment.io.index import MemoryIndex, Questions
from tasks.experiment.io.plan import Plan
from tasks.experiment.io.vectors import VectorFile
from tasks.search.io.retrieve import QUERY_BATCH_TOKENS


class Cost(NamedTuple):
    """What the index of a cell costs: tokens of each chunk, bytes of texts and vectors, seconds of cutting and embedding.

    Where only words are searched, there are no vectors and no seconds of embedding.
    """

    lengths: list[int]
    index_bytes: int
    chunking_seconds: float
    embedding_seconds: float | None


class Result(NamedTuple):
    """What a configuration found for the located questions, and the scores of all questions."""

    configuration: Configuration
    found: SearchResults
    scored: list[ScoredQuestion]


class Measured(NamedTuple):
    """The results of a cell's configurations, and what its index costs."""

    results: list[Result]
    cost: Cost


def locate_gold(plan: Plan) -> LocatedQuestions:
    """Find the gold of the questions in the documents.

    Raises:
        InputError: no question can be scored; gives the reason for the first one.
    """
    questions, problems = locate_questions(plan.questions, list_texts_by_path(read_library(plan)))
    if not questions:
        first = problems[0]
        raise InputError(
            f"no question can be scored against the documents of {plan.options.source}: question {first.question_id}, "
            f"{first.document}: {first.reason}: check that documents and questions belong together"
        )
    return LocatedQuestions(questions=tuple(questions), problems=tuple(problems))


def search_and_score(plan: Plan, located: LocatedQuestions, cell: Cell, configurations: Sequence[Configuration]) -> Measured:
    """Search and score some configurations of a cell. Chunks and vectors that are kept are not computed again."""
    library = read_library(plan)
    with ExitStack() as stack:
        folder = plan.out.staging / "vectors"
        made = stack.enter_context(VectorFile(folder, cell.embed.model_copy(update={"engine": cell.engine})))
        exact = stack.enter_context(VectorFile(folder, _make_query_embed_options(cell.embed)))
        chunks = read_or_cut_chunks(plan, cell, library, made.encode)
        texts = [chunk["embedding_text"] for chunk in chunks.rows if any(one.ranking != "lexical" for one in configurations)]
        vectors = made.encode(texts)
        question_texts = [question.question for question in located.questions]
        questions = Questions(question_texts, exact.encode_queries(question_texts if texts else []))
        index = MemoryIndex(chunks.rows, vectors, questions, library, make_kept_word_search(plan, cell))
        cost = _sum_up_indexing_cost(chunks, vectors.nbytes, made.seconds(texts) if texts else None)
        found = {one: _search_index(plan, one, index) for one in configurations}
    tokenizer = load_counting_tokenizer(cell.embed)
    documents = {text.path: Document(text.document_id, text.text) for text in library.texts.values()}
    ranges = Ranges(tokenizer, documents, located.questions)
    evidence = gather_evidence(library, chunks.rows, ranges, located.questions)
    results = []
    for one, hits in found.items():
        scored = score_located_questions(located, hits, plan.options.scoring(one.returned), ranges, evidence)
        results.append(
            Result(one, hits, [scored.get(question.id) or _score_misplaced_question(question) for question in plan.questions])
        )
    return Measured(results, cost)


def _make_query_embed_options(options: EmbedOptions) -> EmbedOptions:
    """Return how questions are embedded, as a search of a corpus does it."""
    return options.model_copy(update={"engine": "torch", "too_long": "truncate", "batch_tokens": QUERY_BATCH_TOKENS})


def _sum_up_indexing_cost(chunks: Chunks, vector_bytes: int, embedding_seconds: float | None) -> Cost:
    lengths = [chunk["n_tokens"] for chunk in chunks.rows]
    n_bytes = vector_bytes + sum(len(chunk["text"].encode()) for chunk in chunks.rows)
    return Cost(lengths, n_bytes, chunks.seconds, embedding_seconds)


def _search_index(plan: Plan, configuration: Configuration, index: MemoryIndex) -> SearchResults:
    cutoffs = list_search_limits(plan.options.scoring(configuration.returned))
    found = index.search(configuration.ranking, configuration.returned, cutoffs, LOOKED_AT)
    return SearchResults(found.results, [as_ranked_chunks(rows) for rows in found.chunks], found.answered)


def gather_evidence(library: Library, chunks: Sequence[CutChunk], ranges: Ranges, questions: Sequence[Question]) -> Evidence:
    """Return what the documents consist of, as `read_evidence` reads it from a corpus."""
    by_document: dict[str, dict[str, Retrieved]] = {}
    for chunk in chunks:
        by_document.setdefault(chunk["document_id"], {})[chunk["chunk_id"]] = as_retrieved_span(chunk)
    spans = list(dict.fromkeys(list_gold_spans(ranges, questions)))
    pages = {span: found.get("pages", []) for span, found in zip(spans, library.cite(spans), strict=True)}
    rejected = {name: {reject["page_number"] for reject in text.row["rejects"]} for name, text in library.texts.items()}
    return Evidence(by_document, rejected, pages)


def _score_misplaced_question(question: Question) -> ScoredQuestion:
    return ScoredQuestion(question.id, question.split, question.domain, MISPLACED, {0: "no document"}, question.is_generated)
