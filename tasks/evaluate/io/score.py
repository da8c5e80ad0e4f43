"""Score: compare what a generation retrieves for questions with their gold, and log the means with their intervals."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from schemas.tables.scores import SCORES
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


Found = Mapping[int, Sequence[Sequence[Hit]]]
"""For each cutoff k, the results of a search for k results for each located question, best first."""


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
    """Search for each located question, once for each cutoff: k results are not the first k of more."""
    questions = [question.question for question in located.questions]
    options = evaluation.options
    return _searcher(evaluation).search_cutoffs(questions, options.cutoffs, options.mode, returned=options.returned)


def score(evaluation: Evaluation, located: Located, found: Found) -> list[Scored]:
    """Return the scores of every question, of those that could not be located too."""
    from tasks.embed.io.tokenizer import load_tokenizer, model_dir

    tokenizer = load_tokenizer(model_dir(_searcher(evaluation).embed_options.model))
    rows = _published_at(evaluation, {path for question in located.questions for path in question.named})
    documents = {path: Document(row["document_id"], row["text"]) for path, row in rows.items()}
    ranges = TokenRanges(tokenizer, documents, located.questions)
    values = {
        question.id: LOCATED | score_hits(question, {k: found[k][at] for k in found}, ranges)
        for at, question in enumerate(located.questions)
    }
    return [Scored(asked.id, asked.split, asked.domain, values.get(asked.id, MISPLACED)) for asked in evaluation.asked]


def log(evaluation: Evaluation, located: Located, scored: Sequence[Scored]) -> list[dict[str, Any]]:
    """Append questions, scores and their means to the logs of the corpus; return the rows of METRICS."""
    corpus, run_id, options = evaluation.corpus, evaluation.run_id, evaluation.options
    found = {question.id: question for question in located.questions}
    questions = [question_row(run_id, found.get(asked.id, asked)) for asked in evaluation.asked]
    run = {"run_id": run_id, "evaluated_at": datetime.now(UTC)}
    of = {**run, "recipe": published.at(corpus, evaluation.generation).recipe, "generation": evaluation.generation}
    means = average(scored, options.returned, options.bootstrap_samples, options.confidence, options.seed)
    metrics = [{**row, **of} for row in means]
    scores = [{**row, **run} for question in scored for row in score_rows(question, options.returned)]
    with publishing(corpus):
        lance.append_log(corpus, "questions", from_rows(questions, QUESTIONS))
        lance.append_log(corpus, "scores", from_rows(scores, SCORES))
        lance.append_log(corpus, "metrics", from_rows(metrics, METRICS))
    return metrics


def score_rows(question: Scored, unit: str) -> Iterator[dict[str, Any]]:
    """Yield rows of SCORES without the columns that name the run."""
    of = {"question_id": question.question_id, "split": question.split, "domain": question.domain, "cutoff_unit": unit}
    for (metric, cutoff), value in question.scores.items():
        yield {**of, "metric": metric, "cutoff": cutoff, "value": value}


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


def score_hits(question: Question, hits: Mapping[int, Sequence[Hit]], ranges: TokenRanges) -> Scores:
    """Return the scores of one question, by metric and cutoff, from its results for each cutoff."""
    spans: dict[str, list[Span]] = {}
    for gold in question.gold:
        if gold.page is None:
            spans.setdefault(ranges.id_of(gold.document), []).append(ranges.gold(gold))
    pages = {(ranges.id_of(gold.document), gold.page) for gold in question.gold if gold.page is not None}
    relevant = Relevant(spans, pages, {ranges.id_of(path) for path in question.documents})
    scores: Scores = {}
    for k, found in hits.items():
        scores |= score_question(relevant, [ranges.hit(hit) for hit in found], (k,))
    return scores


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
