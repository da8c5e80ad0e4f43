"""Logs of evaluations that are drawn: documents, questions with gold, results around it, and what follows from these."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import numpy as np

from schemas.conform import make_table_from_rows
from schemas.corpus import Corpus
from schemas.tables.evaluations import METRICS, QUESTIONS, RECIPES, RETRIEVED, SCORES, TEXTS
from tasks.evaluate.averages import ScoredQuestion, average_scores, get_cutoff_unit
from tasks.evaluate.losses import LOSSES
from tasks.evaluate.scoring import Relevant, Retrieved, Scores, Span, score_question, take_within_budget
from tasks.store import lance

SCHEMAS = {"questions": QUESTIONS, "metrics": METRICS, "scores": SCORES, "retrieved": RETRIEVED, "recipes": RECIPES}
BEGAN = datetime(2026, 10, 1, 3, tzinfo=UTC)
CUTOFFS = (1, 3, 5, 10)
DOMAINS = ("finance", "law", "medicine", "meetings", "chat", "encyclopedia", "manuals")
WORDS = (
    "the report of each year shows how rainfall in valleys rose while reservoirs fell and mills along river banks ground less "
    "corn because floods took their wheels in winter so farmers moved uphill where snow stays until May"
).split()
HOSTILE = '</text></svg><script>alert(1)</script><img src=x onerror=alert(1)> & "quotes" \' \u202egnp.exe'


class Question(NamedTuple):
    """A question, and the span of one document that answers it."""

    name: str
    document: str
    span: Span
    domain: str


class Setting(NamedTuple):
    """How good a drawn recipe is: how often gold is found, how long results are in characters, how many chunks there are."""

    name: str
    found: float = 0.7
    length: int = 700
    n_chunks: int = 4000
    seconds: float | None = 60.0
    budgets: tuple[int, ...] = ()


def texts_of(n: int, draw: np.random.Generator) -> dict[str, str]:
    """Return `n` documents by path."""
    found = {}
    for at in range(n):
        sentences = (" ".join(draw.choice(WORDS, draw.integers(6, 20))).capitalize() + "." for _ in range(60))
        found[f"{DOMAINS[at % len(DOMAINS)]}/document {at:02}.pdf"] = "\n".join(sentences)
    return found


def questions_of(n: int, texts: Mapping[str, str], draw: np.random.Generator) -> list[Question]:
    """Return `n` questions."""
    found = []
    for at in range(n):
        document = list(texts)[at % len(texts)]
        start = int(draw.integers(0, len(texts[document]) - 200))
        span = start, start + int(draw.integers(60, 180))
        found.append(Question(f"q{at:03}", document, span, document.partition("/")[0]))
    return found


class LoggedRun(NamedTuple):
    """An evaluation to be logged."""

    name: str
    generation: int
    setting: Setting
    seed: int = 0


def log_runs(corpus: Corpus, runs: Sequence[LoggedRun], texts: Mapping[str, str], asked: Sequence[Question]) -> None:
    """Log evaluations of `asked`, with all that can be logged of them: a log gets the rows of all at once."""
    logs: dict[str, list[dict[str, Any]]] = {name: [] for name in SCHEMAS}
    for run in runs:
        for name, rows in _rows_of(run, texts, asked):
            logs[name] += rows
    for name, rows in logs.items():
        lance.append_to_log(corpus, name, make_table_from_rows(rows, SCHEMAS[name]))


def _rows_of(run: LoggedRun, texts: Mapping[str, str], asked: Sequence[Question]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    draw, of, named = np.random.default_rng(run.seed), run.setting, {"run_id": run.name}
    when = {**named, "evaluated_at": BEGAN + timedelta(days=run.generation, minutes=run.seed)}
    results = {one.name: _results(one, of, texts, draw) for one in asked}
    scored = [ScoredQuestion(one.name, "test", one.domain, _scores(one, results[one.name], of.budgets)) for one in asked]
    recipe = {"recipe": f"{of.name}-recipe", "generation": run.generation}
    yield "questions", [{**named, **_question(one, texts)} for one in asked]
    yield "metrics", [{**row, **when, **recipe} for row in average_scores(scored, "passages", 200, 0.95, 0)]
    yield "scores", [{**row, **when} for one in scored for row in _score_rows(one, draw)]
    yield "retrieved", [{**named, **row} for one in asked for row in _retrieved(one, results[one.name])]
    yield "recipes", [{**when, **_cost(of, len(texts), draw), "recipe": recipe["recipe"]}]


def log_texts(corpus: Corpus, texts: Mapping[str, str]) -> None:
    """Keep the texts, as an experiment does."""
    rows = [{"document_id": path, "path": path, "text": text} for path, text in texts.items()]
    lance.append_to_log(corpus, "texts", make_table_from_rows(rows, TEXTS))


def _results(one: Question, of: Setting, texts: Mapping[str, str], draw: np.random.Generator) -> list[tuple[str, Span]]:
    """Return ten results; one of them lies around the gold, or begins in the middle of it, as often as the recipe finds it."""
    found = []
    at = int(draw.geometric(0.5)) - 1 if draw.random() < of.found else 99
    for rank in range(max(CUTOFFS)):
        path = one.document if rank == at else str(draw.choice(list(texts)))
        start = one.span[0] - int(draw.integers(-60, 200)) if rank == at else int(draw.integers(0, 3000))
        start = max(0, min(start, len(texts[path]) - 50))
        found.append((path, (start, min(len(texts[path]), start + of.length))))
    return found


def _scores(one: Question, results: Sequence[tuple[str, Span]], budgets: Sequence[int]) -> Scores:
    ranked = [Retrieved(path, *span) for path, span in results]
    scores = score_question(Relevant({one.document: [one.span]}), ranked, CUTOFFS)
    for budget in budgets:
        kept = score_question(Relevant({one.document: [one.span]}), take_within_budget(ranked, budget), CUTOFFS[-1:])
        scores |= {(f"budget_{metric}", budget): value for (metric, _), value in kept.items()}
    sizes = {k: sum(end - start for _, (start, end) in results[:k]) / 4 for k in CUTOFFS}
    return scores | {("tokens", k): size for k, size in sizes.items()} | {("located", 0): 1.0}


def _score_rows(one: ScoredQuestion, draw: np.random.Generator) -> Iterator[dict[str, Any]]:
    reason = LOSSES[int(draw.integers(2, len(LOSSES)))]
    of = {"question_id": one.question_id, "split": one.split, "domain": one.domain}
    for (metric, cutoff), value in one.scores.items():
        unit = get_cutoff_unit(metric, "passages")
        lost = reason if metric == "recall" and value < 1 else None
        yield {**of, "metric": metric, "cutoff_unit": unit, "cutoff": cutoff, "value": value, "lost": lost}


def _question(one: Question, texts: Mapping[str, str]) -> dict[str, Any]:
    quote = texts[one.document][slice(*one.span)]
    gold = {"document": one.document, "start": one.span[0], "end": one.span[1], "quote": quote, "page": None}
    asked = {"question_id": one.name, "question": f"What does document {one.document} say of {quote[:30]}?", "answer": quote[:40]}
    return {**asked, "documents": [one.document], "gold": [gold], "domain": one.domain, "split": "test", "origin": "drawn"}


def _retrieved(one: Question, results: Sequence[tuple[str, Span]]) -> Iterator[dict[str, Any]]:
    for k in CUTOFFS:
        for rank, (path, (start, end)) in enumerate(results[:k], 1):
            place = {"document_id": path, "path": path, "start_char": start, "end_char": end}
            pages = [start // 2000 + 1, end // 2000 + 1]
            of = {"question_id": one.name, "cutoff_unit": "passages", "cutoff": k, "rank": rank}
            yield {**of, **place, "pages": sorted(set(pages)), "score": 1 / (60 + rank)}


def _cost(of: Setting, n_documents: int, draw: np.random.Generator) -> dict[str, Any]:
    lengths = np.histogram(draw.gamma(8, of.length / 4 / 8, of.n_chunks), np.arange(0, 528, 16))[0].tolist()
    counts = {"n_documents": n_documents, "n_chunks": of.n_chunks, "index_bytes": of.n_chunks * 1900, "lengths": lengths}
    times = {"chunking_seconds": 1.5, "embedding_seconds": of.seconds, "search_p50_ms": 12.0, "search_p95_ms": 31.5}
    return {
        "name": f"{of.name}, drawn",
        "options": json.dumps({"chunk": {"size": of.length}, "evaluate": {"name": of.name}}),
        **counts,
        **times,
    }
