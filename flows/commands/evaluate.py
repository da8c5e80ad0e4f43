"""`pagemill evaluate`: score the live generation with questions whose answers are known."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.commands.output import Corpus, Json, say_json, say_table
from flows.commands.server import use_local_server
from flows.settings import evaluate_options
from schemas.options import EvaluateOptions

if TYPE_CHECKING:
    from tasks.transforms.gold import Problem


def register(application: typer.Typer) -> None:
    """Add the command."""
    application.command("evaluate")(evaluate_command)


def unanswerable(corpus: str, questions: str, options: EvaluateOptions) -> "list[Problem]":
    """Return what cannot be scored and why; a wrong corpus or file is told before a flow starts."""
    from tasks.score import Evaluation

    work = Evaluation("", corpus, questions, options)
    work.locate()
    return work.problems


def evaluate_command(
    corpus: Corpus,
    questions: Annotated[str, typer.Option(envvar="PAGEMILL_QUESTIONS", help="JSON-lines file of questions.")],
    mode: Annotated[str | None, typer.Option(help="hybrid, dense or fts.")] = None,
    as_json: Json = False,
) -> None:
    """Score what the live generation finds for QUESTIONS, and log the metrics in the corpus."""
    options = evaluate_options({"mode": mode} if mode else {})
    for problem in unanswerable(corpus, questions, options):
        sys.stderr.write(f"pagemill: question {problem.question_id}: {problem.document}: {problem.reason}\n")
    use_local_server()
    from flows.evaluate import evaluate

    rows: list[dict[str, Any]] = evaluate(corpus, questions, options)
    if as_json:
        say_json(rows)
        return
    rounded = [{**row, **{name: f"{row[name]:.3f}" for name in ("value", "low", "high")}} for row in rows]
    say_table(rounded, ["split", "domain", "metric", "cutoff", "value", "low", "high", "n"], "no metrics")
