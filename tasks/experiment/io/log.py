"""Log: what an experiment found, in tables like those of a corpus's evaluations; each configuration is a run."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from schemas.conform import make_table_from_rows
from schemas.corpus import Corpus
from schemas.tables.evaluations import METRICS, QUESTIONS, RECIPES, RETRIEVED, SCORES, TEXTS
from tasks.evaluate.averages import average_scores
from tasks.evaluate.io.costs import count_lengths_in_bins
from tasks.evaluate.io.logs import build_question_row, build_retrieved_rows, build_score_rows
from tasks.evaluate.io.score import LocatedQuestions
from tasks.experiment.grid import Cell
from tasks.experiment.io.documents import read_library
from tasks.experiment.io.measure import Cost, Measured, Result
from tasks.experiment.io.plan import Plan
from tasks.store import conditions, lance, published
from tasks.store.locks import hold_publish_lock

NO_GENERATION = 0
"""What METRICS has in the place of a generation: an experiment publishes none."""


def find_finished_runs(out: Corpus, run_ids: Sequence[str]) -> set[str]:
    """Return those of `run_ids` whose rows are all logged: the row of RECIPES is the last."""
    if not lance.does_table_exist(out, "recipes") or not run_ids:
        return set()
    found = published.read_log(out, "recipes", ["run_id"], conditions.make_in_condition("run_id", run_ids))
    return set(found["run_id"].to_pylist())


def log_document_texts(plan: Plan) -> None:
    """Keep the texts, so that results can be shown without a corpus."""
    texts = read_library(plan).texts.values()
    rows = [{"document_id": text.document_id, "path": text.path, "text": text.text} for text in texts]
    with hold_publish_lock(plan.out):
        lance.append_to_log(plan.out, "texts", make_table_from_rows(rows, TEXTS))


def log_cell_results(plan: Plan, located: LocatedQuestions, cell: Cell, measured: Measured) -> None:
    """Append what the configurations of a cell found."""
    run = {"evaluated_at": datetime.now(UTC)}
    known = {question.id: question for question in located.questions}
    results, of = measured.results, {**run, "recipe": cell.recipe, "generation": NO_GENERATION}
    questions = [
        build_question_row(one.configuration.run_id, known.get(question.id, question))
        for one in results
        for question in plan.questions
    ]
    scores = [{**row, **run} for one in results for row in _make_score_rows(one)]
    metrics = [{**row, **of} for one in results for row in _make_metric_rows(plan, one)]
    recipes = [{**make_recipe_row(plan, cell, one, measured.cost), **run} for one in results]
    with hold_publish_lock(plan.out):
        lance.append_to_log(plan.out, "questions", make_table_from_rows(questions, QUESTIONS))
        lance.append_to_log(plan.out, "retrieved", make_table_from_rows(_make_retrieved_rows(plan, located, results), RETRIEVED))
        lance.append_to_log(plan.out, "scores", make_table_from_rows(scores, SCORES))
        lance.append_to_log(plan.out, "metrics", make_table_from_rows(metrics, METRICS))
        lance.append_to_log(plan.out, "recipes", make_table_from_rows(recipes, RECIPES))


def _make_score_rows(result: Result) -> Iterator[dict[str, object]]:
    for question in result.scored:
        for row in build_score_rows(question, result.configuration.returned):
            yield {**row, "run_id": result.configuration.run_id}


def _make_metric_rows(plan: Plan, result: Result) -> Iterator[dict[str, object]]:
    options = plan.options
    means = average_scores(
        result.scored, result.configuration.returned, options.bootstrap_samples, options.confidence, options.seed
    )
    return ({**row, "run_id": result.configuration.run_id} for row in means)


def _make_retrieved_rows(plan: Plan, located: LocatedQuestions, results: Sequence[Result]) -> Iterator[dict[str, object]]:
    for result in results:
        one = result.configuration
        yield from build_retrieved_rows(one.run_id, located, result.found, plan.options.cutoffs, one.returned)


def make_recipe_row(plan: Plan, cell: Cell, result: Result, cost: Cost) -> dict[str, object]:
    """Return a row of RECIPES without the time."""
    scored = plan.options.scoring(result.configuration.returned).model_dump(mode="json", exclude={"mode"})
    options = {
        "chunk": cell.chunk.facts(),
        "embed": {**cell.embed.facts(), "engine": cell.engine},
        "evaluate": {"ranking": result.configuration.ranking, **scored},
    }
    return {
        "run_id": result.configuration.run_id,
        "name": result.configuration.name,
        "recipe": cell.recipe,
        "options": json.dumps(options, sort_keys=True, ensure_ascii=False),
        "n_documents": len(read_library(plan).texts),
        "n_chunks": len(cost.lengths),
        "index_bytes": cost.index_bytes,
        "lengths": list(count_lengths_in_bins(Counter(cost.lengths))),
        "chunking_seconds": cost.chunking_seconds,
        "embedding_seconds": cost.embedding_seconds,
        "search_p50_ms": None,
        "search_p95_ms": None,
    }
