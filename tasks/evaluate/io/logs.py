"""Logs: the rows that an evaluation leaves in a corpus."""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from schemas.conform import make_table_from_rows
from schemas.records import MetricRow
from schemas.tables.evaluations import METRICS, QUESTIONS, RECIPES, RETRIEVED, SCORES
from tasks.evaluate.answers.io.answer import add_answer_scores, score_answers
from tasks.evaluate.averages import ScoredQuestion, average_scores, get_cutoff_unit
from tasks.evaluate.gold import Question
from tasks.evaluate.io import score
from tasks.evaluate.io.costs import Costs
from tasks.evaluate.io.score import Evaluation, LocatedQuestions, SearchResults
from tasks.store import lance
from tasks.store.locks import hold_publish_lock

Row = dict[str, object]

OF_HIT = {"rank", "document_id", "path", "start_char", "end_char", "pages", "score"}
"""What RETRIEVED keeps of a result."""


def score_and_log_evaluation(evaluation: Evaluation, located: LocatedQuestions) -> list[MetricRow]:
    """Carry out the steps of an evaluation after each other; return the rows of METRICS."""
    found = score.search_questions(evaluation, located)
    answered = score_answers(evaluation, located, found)
    scored = add_answer_scores(score.score_questions(evaluation, located, found), answered)
    return append_evaluation_logs(evaluation, located, found, scored, score.measure_search_costs(evaluation, located))


def append_evaluation_logs(
    evaluation: Evaluation, located: LocatedQuestions, found: SearchResults, scored: Sequence[ScoredQuestion], costs: Costs
) -> list[MetricRow]:
    """Append questions, results, scores, their means and the costs to the logs of the corpus; return the rows of METRICS."""
    corpus, options = evaluation.corpus, evaluation.options
    run_id, now = evaluation.run_id, datetime.now(UTC)
    run = {"run_id": run_id, "evaluated_at": now}
    means = average_scores(scored, options.returned, options.bootstrap_samples, options.confidence, options.seed)
    known = {question.id: question for question in located.questions}
    recipe, generation = evaluation.live.recipe, evaluation.generation
    metrics: list[MetricRow] = [
        {**row, "run_id": run_id, "evaluated_at": now, "recipe": recipe, "generation": generation} for row in means
    ]
    results = build_retrieved_rows(evaluation.run_id, located, found, options.cutoffs, options.returned)
    with hold_publish_lock(corpus):
        questions = [build_question_row(evaluation.run_id, known.get(question.id, question)) for question in evaluation.questions]
        lance.append_to_log(corpus, "questions", make_table_from_rows(questions, QUESTIONS))
        lance.append_to_log(corpus, "retrieved", make_table_from_rows(list(results), RETRIEVED))
        lance.append_to_log(corpus, "recipes", make_table_from_rows([{**run, **_build_recipe_row(evaluation, costs)}], RECIPES))
        scores = [{**row, **run} for question in scored for row in build_score_rows(question, options.returned)]
        lance.append_to_log(corpus, "scores", make_table_from_rows(scores, SCORES))
        lance.append_to_log(corpus, "metrics", make_table_from_rows(metrics, METRICS))
    return metrics


def build_question_row(run_id: str, question: Question) -> Row:
    """Return a row of QUESTIONS."""
    values = question.model_dump(exclude={"id"})
    return values | {"run_id": run_id, "question_id": question.id, "documents": list(question.document_paths)}


def build_score_rows(question: ScoredQuestion, returned: str) -> Iterator[Row]:
    """Yield rows of SCORES without the columns that name the run. Only metrics of results have a reason in `lost`."""
    of = {"question_id": question.question_id, "split": question.split, "domain": question.domain}
    for (metric, cutoff), value in question.scores.items():
        unit = get_cutoff_unit(metric, returned)
        lost = question.lost.get(cutoff) if unit == returned else None
        yield {**of, "metric": metric, "cutoff_unit": unit, "cutoff": cutoff, "value": value, "lost": lost}


def build_retrieved_rows(
    run_id: str, located: LocatedQuestions, found: SearchResults, cutoffs: Sequence[int], returned: str
) -> Iterator[Row]:
    """Yield rows of RETRIEVED."""
    for cutoff in cutoffs:
        for question, hits in zip(located.questions, found.results[cutoff], strict=True):
            of = {"run_id": run_id, "question_id": question.id, "cutoff_unit": returned, "cutoff": cutoff}
            yield from (hit.model_dump(include=OF_HIT) | of for hit in hits)


def _build_recipe_row(evaluation: Evaluation, costs: Costs) -> Row:
    live = evaluation.live
    made: dict[str, Any] = {step: facts.get("options", {}) for step, facts in json.loads(live.recipe_details).items()}
    return {
        **costs.model_dump(),
        "run_id": evaluation.run_id,
        "name": f"generation {evaluation.generation}, {evaluation.options.mode}, {evaluation.options.returned}",
        "recipe": live.recipe,
        "options": json.dumps(made | {"evaluate": evaluation.options.facts()} | _list_answer_facts(evaluation)),
        "n_documents": live.counts["n_documents"],
        "n_chunks": live.counts["n_chunks"],
    }


def _list_answer_facts(evaluation: Evaluation) -> Row:
    """Return who answered and judged. It is kept apart from the options of search: evaluations that differ only in it compare."""
    options = evaluation.options
    if options.answers == "none":
        return {}
    model = {"chat": evaluation.chat.facts()} if options.asks_model else {}
    return {"answers": {"reader": options.answers, "nli_model": options.nli_model, "judge": options.judge, **model}}
