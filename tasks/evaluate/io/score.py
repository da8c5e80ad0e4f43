"""Score: compare what a generation retrieves for questions with their gold, and log the means with their intervals."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from schemas.conform import from_rows
from schemas.corpus import Corpus
from schemas.errors import InputError
from schemas.options.sections import EvaluateOptions
from schemas.references import Frozen
from schemas.tables.metrics import METRICS
from schemas.tables.questions import QUESTIONS
from tasks.evaluate.averages import Scored, average
from tasks.evaluate.gold import Gold, Problem, Question, Source, locate_questions
from tasks.evaluate.io.question_files import read_questions
from tasks.evaluate.scoring import Relevant, Retrieved, Scores, Span, score_question, token_span
from tasks.search.io.retrieve import Hit, Searcher
from tasks.store import conditions, lance, published
from tasks.store.locks import publishing

if TYPE_CHECKING:
    from tasks.embed.io.tokenizer import Tokenizer

LOCATED: Scores = {("located", 0): 1.0}
MISPLACED: Scores = {("located", 0): 0.0}
"""The metric `located` is the share of questions whose gold was found. All other metrics are means over those questions."""


class Evaluation(Frozen):
    """One evaluation of one generation, with one file of questions."""

    run_id: str
    corpus: Corpus
    generation: int
    asked: tuple[Question, ...]
    options: EvaluateOptions


class Located(Frozen):
    """The questions whose gold was found in the corpus, and the problems of the others."""

    questions: tuple[Question, ...]
    problems: tuple[Problem, ...]


Found = Sequence[Sequence[Hit]]
"""The results for each located question, best first."""


class Document(NamedTuple):
    """A published document that questions name."""

    document_id: str
    text: str


def begin(run_id: str, corpus: Corpus, questions: str, options: EvaluateOptions) -> Evaluation:
    """Return an evaluation of the generation that is live now.

    Raises:
        CorpusError: nothing has been published yet.
        InputError: the questions cannot be read.
    """
    asked = tuple(read_questions(Path(questions)))
    return Evaluation(run_id=run_id, corpus=corpus, generation=published.live(corpus).generation, asked=asked, options=options)


def locate(evaluation: Evaluation) -> Located:
    """Find the gold of the questions in the published documents.

    Raises:
        InputError: no question can be scored; gives the reason for the first one.
    """
    rows = _published_at(evaluation, {path for question in evaluation.asked for path in question.named})
    sources = {path: Source(row["text"], row["n_pages"]) for path, row in rows.items()}
    questions, problems = locate_questions(evaluation.asked, sources)
    if not questions:
        first = problems[0]
        raise InputError(
            f"no question can be scored against generation {evaluation.generation} of {evaluation.corpus}: "
            f"question {first.question_id}, {first.document}: {first.reason}: check that corpus and questions belong together"
        )
    return Located(questions=tuple(questions), problems=tuple(problems))


def retrieve(evaluation: Evaluation, located: Located) -> Found:
    """Retrieve results for every located question, as many as the largest cutoff."""
    questions = [question.question for question in located.questions]
    options = evaluation.options
    return _searcher(evaluation).search_many(questions, max(options.cutoffs), options.mode, returned=options.returned)


def score(evaluation: Evaluation, located: Located, found: Found) -> list[dict[str, Any]]:
    """Return rows of METRICS without the columns that name the run."""
    from tasks.embed.io.tokenizer import load_tokenizer, model_dir

    options = evaluation.options
    tokenizer = load_tokenizer(model_dir(_searcher(evaluation).embed_options.model))
    rows = _published_at(evaluation, {path for question in located.questions for path in question.named})
    documents = {path: Document(row["document_id"], row["text"]) for path, row in rows.items()}
    ranges = TokenRanges(tokenizer, documents, located.questions)
    scored = [
        Scored(question.split, question.domain, LOCATED | score_hits(question, hits, ranges, options.cutoffs))
        for question, hits in zip(located.questions, found, strict=True)
    ]
    misplaced = {problem.question_id for problem in located.problems}
    scored += [Scored(asked.split, asked.domain, MISPLACED) for asked in evaluation.asked if asked.id in misplaced]
    return average(scored, options.bootstrap_samples, options.confidence, options.seed)


def log(evaluation: Evaluation, located: Located, rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Append the questions and metrics to the logs of the corpus; return the rows of METRICS."""
    corpus, run_id = evaluation.corpus, evaluation.run_id
    found = {question.id: question for question in located.questions}
    questions = [question_row(run_id, found.get(asked.id, asked)) for asked in evaluation.asked]
    recipe = published.at(corpus, evaluation.generation).recipe
    run = {"run_id": run_id, "recipe": recipe, "generation": evaluation.generation}
    metrics = [{**row, **run, "evaluated_at": datetime.now(UTC)} for row in rows]
    with publishing(corpus):
        lance.append_log(corpus, "questions", from_rows(questions, QUESTIONS))
        lance.append_log(corpus, "metrics", from_rows(metrics, METRICS))
    return metrics


def _searcher(evaluation: Evaluation) -> Searcher:
    return Searcher(evaluation.corpus, published.at(evaluation.corpus, evaluation.generation))


class TokenRanges:
    """Gold and hits as token ranges. In a document without gold, a hit is a range from 0 with its number of tokens."""

    def __init__(self, tokenizer: "Tokenizer", documents: Mapping[str, Document], questions: Iterable[Question]) -> None:
        self._tokenizer = tokenizer
        self._documents = documents
        named = {gold.document for question in questions for gold in question.gold if gold.page is None}
        self._offsets = {documents[path].document_id: self._tokens(documents[path].text) for path in sorted(named)}
        self._lengths: dict[str, int] = {}

    def id_of(self, path: str) -> str:
        """Return the id of the document at `path`."""
        return self._documents[path].document_id

    def gold(self, gold: Gold) -> Span:
        """Return the token range of a gold span."""
        assert gold.start is not None and gold.end is not None
        return token_span(self._offsets[self.id_of(gold.document)], (gold.start, gold.end))

    def hit(self, hit: Hit) -> Retrieved:
        """Return the token range of a result."""
        if hit.document_id in self._offsets:
            start, end = token_span(self._offsets[hit.document_id], (hit.start_char, hit.end_char))
            return Retrieved(hit.document_id, start, end, tuple(hit.pages))
        if hit.text not in self._lengths:
            self._lengths[hit.text] = len(self._tokens(hit.text))
        return Retrieved(hit.document_id, 0, self._lengths[hit.text], tuple(hit.pages))

    def _tokens(self, text: str) -> Any:
        offsets = np.array(self._tokenizer.offsets(text), dtype=np.int64).reshape(-1, 2)
        return offsets[offsets[:, 0] < offsets[:, 1]]


def score_hits(question: Question, hits: Sequence[Hit], ranges: TokenRanges, cutoffs: Sequence[int]) -> Scores:
    """Return the scores of one question, by metric and cutoff."""
    spans: dict[str, list[Span]] = {}
    for gold in question.gold:
        if gold.page is None:
            spans.setdefault(ranges.id_of(gold.document), []).append(ranges.gold(gold))
    pages = {(ranges.id_of(gold.document), gold.page) for gold in question.gold if gold.page is not None}
    relevant = Relevant(spans, pages, {ranges.id_of(path) for path in question.documents})
    return score_question(relevant, [ranges.hit(hit) for hit in hits], cutoffs)


def _published_at(evaluation: Evaluation, paths: set[str]) -> dict[str, dict[str, Any]]:
    """Return the documents at `paths`, without paths that occur in several sources: these are ambiguous."""
    columns, named = ["document_id", "path", "text", "n_pages"], conditions.one_of("path", sorted(paths))
    generation = published.at(evaluation.corpus, evaluation.generation)
    rows = published.read_columns(evaluation.corpus, generation, "documents", columns, named).to_pylist()
    times = Counter(row["path"] for row in rows)
    return {row["path"]: row for row in rows if times[row["path"]] == 1}


def question_row(run_id: str, question: Question) -> dict[str, Any]:
    """Return a row of QUESTIONS."""
    values = question.model_dump(exclude={"id"})
    return values | {"run_id": run_id, "question_id": question.id, "documents": list(question.named)}
