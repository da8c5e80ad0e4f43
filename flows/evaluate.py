"""Evaluate: ask the live generation questions whose answers are known, and log how well it finds them."""

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from prefect import flow, get_run_logger, task
from prefect.artifacts import create_table_artifact
from prefect.runtime import flow_run

from flows.settings import evaluate_options
from schemas.options import EvaluateOptions
from tasks.score import Evaluation
from tasks.transforms.averages import overview


@flow(name="evaluate", flow_run_name="{corpus} with {questions}")
def evaluate(corpus: str, questions: str, options: EvaluateOptions | None = None) -> list[dict[str, Any]]:
    """Score the live generation of `corpus` with a JSON-lines file of questions; return the rows of `metrics`.

    Options that are set here win over PAGEMILL_ variables, and these over pagemill.toml. A question whose gold no longer
    stands in the corpus is logged as a warning and not scored; the metric `located` is the share of the others.
    """
    settings = evaluate_options(options.model_dump(exclude_unset=True) if options else {})
    work = Evaluation(flow_run.get_id() or uuid4().hex, corpus, questions, settings)
    locate_gold(questions, work)
    retrieve_chunks(questions, work)
    metrics = log_metrics(corpus, work, score_chunks(questions, work))
    report_evaluation(corpus, work, metrics)
    return metrics


@task(task_run_name="locate gold of {title}")
def locate_gold(title: str, work: Evaluation) -> None:
    """Find where the gold stands in the published documents."""
    work.locate()
    for problem in work.problems:
        get_run_logger().warning("question %s: %s: %s", problem.question_id, problem.document, problem.reason)


@task(task_run_name="retrieve for {title}")
def retrieve_chunks(title: str, work: Evaluation) -> None:
    """Retrieve once, for the largest cutoff."""
    work.retrieve()


@task(task_run_name="score {title}")
def score_chunks(title: str, work: Evaluation) -> list[dict[str, Any]]:
    """Score every question and average."""
    return work.score()


@task(task_run_name="log metrics in {title}")
def log_metrics(title: str, work: Evaluation, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Append to the tables `questions` and `metrics`."""
    return work.log(rows)


@task(task_run_name="report on {title}")
def report_evaluation(title: str, work: Evaluation, metrics: Sequence[dict[str, Any]]) -> None:
    """Leave the means, and the questions that could not be scored, in the UI."""
    about = f"{title}, generation {work.reader.generation}: {len(work.located)} of {len(work.asked)} questions scored"
    create_table_artifact(overview(metrics), key="evaluation", description=about)
    problems = [problem.model_dump() for problem in work.problems]
    create_table_artifact(problems, key="evaluation-problems", description=f"{len(problems)} questions or places not found")
