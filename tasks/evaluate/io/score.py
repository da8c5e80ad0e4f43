"""Score: hold what a generation retrieves for questions against their gold, and log the means with their intervals."""

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
from schemas.tables.metrics import METRICS
from schemas.tables.questions import QUESTIONS
from tasks.evaluate.averages import Scored, average
from tasks.evaluate.gold import Gold, Problem, Question, Source, locate_questions
from tasks.evaluate.io.question_files import read_questions
from tasks.evaluate.scoring import Relevant, Retrieved, Scores, Span, score_question, token_span
from tasks.search.io.retrieve import Hit, Reader, open_reader
from tasks.store import lance, published
from tasks.store.locks import publishing

if TYPE_CHECKING:
    from tasks.embed.io.tokenizer import Tokenizer

LOCATED: Scores = {("located", 0): 1.0}
MISPLACED: Scores = {("located", 0): 0.0}
"""The share of the questions whose gold stands in the corpus; only of those the other metrics are means."""


class Document(NamedTuple):
    """A published document that questions name."""

    document_id: str
    text: str


class Evaluation:
    """An evaluation of one generation. Plain on purpose: Prefect looks into models and collections."""

    def __init__(self, run_id: str, corpus: Corpus, questions: str, options: EvaluateOptions) -> None:
        """Open the live generation and read the questions.

        Raises:
            CorpusError: nothing was published there yet.
            InputError: the questions cannot be read.
        """
        self.run_id = run_id
        self.options = options
        self.asked = read_questions(Path(questions))
        self.reader: Reader = open_reader(corpus)
        self.located: list[Question] = []
        self.problems: list[Problem] = []
        self.documents: dict[str, Document] = {}
        self.hits: list[list[Hit]] = []

    def locate(self) -> None:
        """Look for the gold of the questions in the published documents.

        Raises:
            InputError: not one question can be scored; says why for the first.
        """
        rows = published_at(self.reader, {path for question in self.asked for path in question.named})
        sources = {path: Source(row["text"], row["n_pages"]) for path, row in rows.items()}
        self.documents = {path: Document(row["document_id"], row["text"]) for path, row in rows.items()}
        self.located, self.problems = locate_questions(self.asked, sources)
        if not self.located:
            first = self.problems[0]
            raise InputError(
                f"no question can be scored against generation {self.reader.generation} of {self.reader.corpus}: "
                f"question {first.question_id}, {first.document}: {first.reason}: check that corpus and questions belong together"
            )

    def retrieve(self) -> None:
        """Retrieve for every question as many chunks as the largest cutoff."""
        questions = [question.question for question in self.located]
        self.hits = self.reader.search_many(
            questions, max(self.options.cutoffs), self.options.mode, returned=self.options.returned
        )

    def score(self) -> list[dict[str, Any]]:
        """Return rows of METRICS, less what names the run."""
        from tasks.embed.io.tokenizer import load_tokenizer, model_dir

        tokenizer = load_tokenizer(model_dir(self.reader.embed_options.model))
        places = Places(tokenizer, self.documents, self.located)
        scored = [
            Scored(question.split, question.domain, LOCATED | score_hits(question, hits, places, self.options.cutoffs))
            for question, hits in zip(self.located, self.hits, strict=True)
        ]
        misplaced = {problem.question_id for problem in self.problems}
        scored += [Scored(asked.split, asked.domain, MISPLACED) for asked in self.asked if asked.id in misplaced]
        return average(scored, self.options.bootstrap_samples, self.options.confidence, self.options.seed)

    def log(self, rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Append questions and metrics to the corpus's logs; return the rows of METRICS."""
        found = {question.id: question for question in self.located}
        questions = [question_row(self.run_id, found.get(asked.id, asked)) for asked in self.asked]
        run = {"run_id": self.run_id, "recipe": self.reader.recipe, "generation": self.reader.generation}
        metrics = [{**row, **run, "evaluated_at": datetime.now(UTC)} for row in rows]
        with publishing(self.reader.corpus):
            lance.append_log(self.reader.corpus, "questions", from_rows(questions, QUESTIONS))
            lance.append_log(self.reader.corpus, "metrics", from_rows(metrics, METRICS))
        return metrics


class Places:
    """Gold and hits as ranges of tokens: of a document that holds gold, of others just as many tokens from 0."""

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
        """Return the tokens of a gold span."""
        assert gold.start is not None and gold.end is not None
        return token_span(self._offsets[self.id_of(gold.document)], (gold.start, gold.end))

    def hit(self, hit: Hit) -> Retrieved:
        """Return the tokens of a result."""
        if hit.document_id in self._offsets:
            start, end = token_span(self._offsets[hit.document_id], (hit.start_char, hit.end_char))
            return Retrieved(hit.document_id, start, end, tuple(hit.pages))
        if hit.text not in self._lengths:
            self._lengths[hit.text] = len(self._tokens(hit.text))
        return Retrieved(hit.document_id, 0, self._lengths[hit.text], tuple(hit.pages))

    def _tokens(self, text: str) -> Any:
        offsets = np.array(self._tokenizer.offsets(text), dtype=np.int64).reshape(-1, 2)
        return offsets[offsets[:, 0] < offsets[:, 1]]


def score_hits(question: Question, hits: Sequence[Hit], places: Places, cutoffs: Sequence[int]) -> Scores:
    """Return the scores of one question, by metric and cutoff."""
    spans: dict[str, list[Span]] = {}
    for gold in question.gold:
        if gold.page is None:
            spans.setdefault(places.id_of(gold.document), []).append(places.gold(gold))
    pages = {(places.id_of(gold.document), gold.page) for gold in question.gold if gold.page is not None}
    relevant = Relevant(spans, pages, {places.id_of(path) for path in question.documents})
    return score_question(relevant, [places.hit(hit) for hit in hits], cutoffs)


def published_at(reader: Reader, paths: set[str]) -> dict[str, dict[str, Any]]:
    """Return the documents at `paths`; a path that several sources have is left out, for it does not say which is meant."""
    columns, named = ["document_id", "path", "text", "n_pages"], lance.one_of("path", sorted(paths))
    rows = published.read_columns(reader.corpus, reader.live, "documents", columns, named).to_pylist()
    times = Counter(row["path"] for row in rows)
    return {row["path"]: row for row in rows if times[row["path"]] == 1}


def question_row(run_id: str, question: Question) -> dict[str, Any]:
    """Return a row of QUESTIONS."""
    values = question.model_dump(exclude={"id"})
    return values | {"run_id": run_id, "question_id": question.id, "documents": list(question.named)}
