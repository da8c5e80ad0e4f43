"""`pagemill evaluate`: score the live generation with questions whose answers are known."""

from typing import Annotated, Any

import typer

from flows.commands.output import Corpus, Json, say_json, say_table
from flows.commands.server import use_local_server
from flows.settings import evaluate_options


def register(application: typer.Typer) -> None:
    """Add the command."""
    application.command("evaluate")(evaluate_command)


def evaluate_command(
    corpus: Corpus,
    questions: Annotated[str, typer.Option(envvar="PAGEMILL_QUESTIONS", help="JSON-lines file of questions.")],
    mode: Annotated[str | None, typer.Option(help="hybrid, dense or fts.")] = None,
    as_json: Json = False,
) -> None:
    """Score what the live generation finds for QUESTIONS, and log the metrics in the corpus."""
    options = evaluate_options({"mode": mode} if mode else {})
    use_local_server()
    from flows.evaluate import evaluate

    rows: list[dict[str, Any]] = evaluate(corpus, questions, options)
    if as_json:
        say_json(rows)
        return
    rounded = [{**row, **{name: f"{row[name]:.3f}" for name in ("value", "low", "high")}} for row in rows]
    say_table(rounded, ["split", "domain", "metric", "cutoff", "value", "low", "high", "n"], "no metrics")
