"""Evaluate: ask the live generation questions whose answers are known, and log how well it finds them."""

import logging
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from prefect import flow, task
from prefect.cache_policies import NO_CACHE
from prefect.runtime import flow_run

from flows.logs import run_logs
from flows.settings import evaluate_options
from flows.ui import evaluate_name, tagged
from schemas.corpus import Corpus
from schemas.options.sections import EvaluateOptions
from schemas.shown import plain
from tasks.evaluate.averages import overview
from tasks.evaluate.io.score import Evaluation
from tasks.publish.escaping import sheet
from tasks.publish.io.artifacts import leave
from tasks.publish.io.names import corpus_name

MOST_PROBLEMS = 500
"""Questions that could not be scored which an artifact names; all of them are logged."""

logger = logging.getLogger(__name__)


@flow(name="evaluate", flow_run_name=evaluate_name)
def evaluate(corpus: str, questions: str, options: EvaluateOptions | None = None) -> list[dict[str, Any]]:
    """Score the live generation of `corpus` with a JSON-lines file of questions; return the rows of `metrics`.

    Options that are set here win over PAGEMILL_ variables, and these over pagemill.toml. A question whose gold no longer
    stands in the corpus is logged as a warning and not scored; the metric `located` is the share of the others.
    """
    settings = evaluate_options(options.model_dump(exclude_unset=True) if options else {})
    work = Evaluation(flow_run.get_id() or uuid4().hex, Corpus(corpus), questions, settings)
    asked, name = corpus_name(questions), corpus_name(corpus)
    with run_logs(), tagged(corpus):
        locate_gold(asked, work)
        retrieve_chunks(asked, work)
        metrics = log_metrics(name, work, score_chunks(asked, work))
        report_evaluation(name, work, metrics)
    return metrics


@task(task_run_name="locate gold of {title}", cache_policy=NO_CACHE)
def locate_gold(title: str, work: Evaluation) -> None:
    """Find where the gold stands in the published documents."""
    work.locate()
    for problem in work.problems:
        logger.warning("question %s", plain(f"{problem.question_id}: {problem.document}: {problem.reason}"))


@task(task_run_name="retrieve for {title}", cache_policy=NO_CACHE)
def retrieve_chunks(title: str, work: Evaluation) -> None:
    """Retrieve once, for the largest cutoff."""
    work.retrieve()


@task(task_run_name="score {title}", cache_policy=NO_CACHE)
def score_chunks(title: str, work: Evaluation) -> list[dict[str, Any]]:
    """Score every question and average."""
    return work.score()


@task(task_run_name="log metrics in {title}", cache_policy=NO_CACHE)
def log_metrics(title: str, work: Evaluation, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Append to the tables `questions` and `metrics`."""
    return work.log(rows)


@task(task_run_name="report on {title}", cache_policy=NO_CACHE)
def report_evaluation(title: str, work: Evaluation, metrics: Sequence[dict[str, Any]]) -> None:
    """Leave the means, and the questions that could not be scored, in the UI."""
    about = f"{len(work.located)} of {len(work.asked)} questions scored, generation {work.reader.generation} of"
    leave("evaluation", work.reader.corpus.uri, sheet("Evaluation", overview(metrics)), about)
    problems = [problem.model_dump() for problem in work.problems[:MOST_PROBLEMS]]
    leave(
        "evaluation-problems",
        work.reader.corpus.uri,
        sheet("Not found", problems),
        f"{len(work.problems)} questions or places not found in",
    )
