"""The Prefect tasks of an evaluation. Each takes and returns values, and can be retried on its own."""

import logging
from collections.abc import Sequence
from datetime import UTC, datetime

from prefect import task
from prefect.cache_policies import NO_CACHE

from schemas.corpus import Corpus
from schemas.events import RECALL_FELL
from schemas.records import MetricRow
from schemas.shown import plain
from tasks.charts.io.image import render_markdown_image
from tasks.evaluate.answers.io.answer import AnswerScores, add_answer_scores, score_answers
from tasks.evaluate.averages import MAIN, ScoredQuestion, tabulate_means
from tasks.evaluate.corpus_status import draw_mean_history, draw_run_panels, render_corpus_page
from tasks.evaluate.io import gate, logs, score
from tasks.evaluate.io.corpus_status import read_corpus_status
from tasks.evaluate.io.costs import Costs
from tasks.evaluate.io.history import read_evaluation_history
from tasks.evaluate.io.report import write_evaluation_report
from tasks.evaluate.io.score import Evaluation, LocatedQuestions, SearchResults
from tasks.publish.escaping import escape_markdown, format_titled_markdown_table
from tasks.publish.io.reports.artifacts import create_artifact, emit_corpus_event
from tasks.publish.io.steps import Versions
from tasks.publish.tasks import check_draft_verdict
from tasks.publish.verdict import Verdict
from tasks.refresh.run import Run
from tasks.refresh.tasks import is_failure_transient

MOST_PROBLEMS = 500
"""How many questions without a score an artifact names, at most. The log has all of them."""

ANSWER_RETRIES = (15, 120)
"""Seconds before questions are answered again after an endpoint failed; each call has been tried again before, see chat."""

logger = logging.getLogger(__name__)


@task(task_run_name="locate gold of {title}", cache_policy=NO_CACHE)
def locate_gold(title: str, evaluation: Evaluation) -> LocatedQuestions:
    """Find the gold of the questions in the published documents."""
    located = score.locate_gold(evaluation)
    for problem in located.problems:
        logger.warning("question %s", plain(f"{problem.question_id}: {problem.document}: {problem.reason}"))
    return located


@task(name="retrieve_chunks", task_run_name="retrieve for {title}", cache_policy=NO_CACHE)
def search_questions(title: str, evaluation: Evaluation, located: LocatedQuestions) -> SearchResults:
    """Search for each question, once for each cutoff."""
    return score.search_questions(evaluation, located)


@task(
    task_run_name="answer questions of {title}",
    cache_policy=NO_CACHE,
    retries=len(ANSWER_RETRIES),
    retry_delay_seconds=list(ANSWER_RETRIES),
    retry_condition_fn=is_failure_transient,
)
def answer_questions(title: str, evaluation: Evaluation, located: LocatedQuestions, found: SearchResults) -> AnswerScores:
    """Have a reader answer each question from what was found. A retry asks no model the same again."""
    return score_answers(evaluation, located, found)


@task(task_run_name="measure searches of {title}", cache_policy=NO_CACHE)
def measure_index(title: str, evaluation: Evaluation, located: LocatedQuestions) -> Costs:
    """Measure the index, and how long searches take."""
    return score.measure_search_costs(evaluation, located)


@task(task_run_name="score {title}", cache_policy=NO_CACHE)
def score_chunks(
    title: str, evaluation: Evaluation, located: LocatedQuestions, found: SearchResults, answered: AnswerScores
) -> list[ScoredQuestion]:
    """Score every question, with the scores of its answers."""
    return add_answer_scores(score.score_questions(evaluation, located, found), answered)


@task(task_run_name="log metrics in {title}", cache_policy=NO_CACHE)
def log_metrics(
    title: str,
    evaluation: Evaluation,
    located: LocatedQuestions,
    found: SearchResults,
    scored: list[ScoredQuestion],
    costs: Costs,
) -> list[MetricRow]:
    """Append to the tables `questions`, `retrieved`, `recipes`, `scores` and `metrics`."""
    return logs.append_evaluation_logs(evaluation, located, found, scored, costs)


@task(task_run_name="search the draft of {title}", cache_policy=NO_CACHE)
def examine_draft(title: str, run: Run, verdict: Verdict, versions: Versions) -> Verdict:
    """Search the live generation and the draft with the questions of the gate. A refused draft is shown in the UI.

    Raises:
        GateError: the draft is refused.
    """
    return check_draft_verdict(run, gate.examine_draft(run, verdict, versions))


@task(task_run_name="report on {title}", cache_policy=NO_CACHE)
def report_evaluation(title: str, evaluation: Evaluation, located: LocatedQuestions, metrics: Sequence[MetricRow]) -> None:
    """Show the means, their trend, and the questions that could not be scored, in the UI; write the report beside the corpus."""
    corpus, back = evaluation.corpus, read_evaluation_history(evaluation)
    if back.alarm.raised:
        emit_corpus_event(
            RECALL_FELL, corpus.uri, f"{title}: {back.watched}: {back.alarm.message}; see the report {corpus.report}"
        )
    path = write_evaluation_report(corpus, corpus.report)
    about = f"{len(located.questions)} of {len(evaluation.questions)} questions scored, generation {evaluation.generation} of"
    trend = draw_mean_history(
        back.watched, [night.generation for night in back.nights], [night.mean[:3] for night in back.nights]
    )
    shown = [row for row in metrics if row["metric"] in ("located", "answered", *MAIN)]
    parts = [
        escape_markdown(f"{back.watched}: {back.alarm.message}"),
        escape_markdown(f"The whole report, question by question: {path}. All metrics: pagemill metrics."),
        format_titled_markdown_table("Evaluation", tabulate_means(shown)),
        render_markdown_image(f"Trend of {back.watched}", trend),
    ]
    create_artifact("evaluation", corpus.uri, "\n\n".join(parts), about)
    problems = [problem.model_dump() for problem in located.problems[:MOST_PROBLEMS]]
    n = len(located.problems)
    create_artifact(
        "evaluation-problems",
        corpus.uri,
        format_titled_markdown_table("Not found", problems),
        f"{n} questions or places not found in",
    )


@task(task_run_name="show {title}", cache_policy=NO_CACHE)
def show_corpus(title: str, corpus: Corpus) -> None:
    """Show the page of a corpus in the UI: freshness, size and the trend of its last runs. A new corpus has none yet."""
    status = read_corpus_status(corpus)
    if status is None:
        return
    trend = (
        render_markdown_image(f"Trend of the last {len(status.points)} runs", draw_run_panels(status.points))
        if status.points
        else ""
    )
    create_artifact(
        "corpus", corpus.uri, render_corpus_page(status, datetime.now(UTC), trend), "Freshness, size and last runs of"
    )
