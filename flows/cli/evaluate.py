"""`pagemill evaluate`: score the live generation with questions whose answers are known."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any
from uuid import uuid4

import typer

from flows.cli.output import CorpusOption, Json, say_json, say_table, warn
from flows.cli.server import reporting_to, server_url
from flows.settings import evaluate_options
from schemas.corpus import Corpus
from schemas.options.sections import EvaluateOptions


def register(application: typer.Typer) -> None:
    """Add the command."""
    application.command("evaluate")(evaluate_command)


def evaluate_command(
    corpus: CorpusOption,
    questions: Annotated[str, typer.Option(envvar="PAGEMILL_QUESTIONS", help="JSON-lines file of questions.")],
    mode: Annotated[str | None, typer.Option(help="hybrid, dense or fts.")] = None,
    as_json: Json = False,
) -> None:
    """Score what the live generation finds for QUESTIONS, and log the metrics in the corpus."""
    options = evaluate_options({"mode": mode} if mode else {})
    rows = run_evaluation(corpus, questions, options)
    if as_json:
        say_json(rows)
        return
    lines = metric_lines(rows)
    say_table(lines, list(dict.fromkeys(name for line in lines for name in line)), "no metrics")


def metric_lines(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return metrics with a cutoff as lines for people, with intervals. A part equal to the whole is left out.

    >>> row = {"split": "all", "domain": "all", "cutoff": 3, "metric": "mrr", "value": 0.5, "low": 0.25, "high": 1.0, "n": 7}
    >>> metric_lines([row, {**row, "domain": "law"}])
    [{'split': 'all', 'domain': 'all', 'n': 7, 'first': 3, 'mrr': '0.50 [0.25 1.00]'}]
    """
    parts: dict[tuple[str, str], dict[int, dict[str, Any]]] = {}
    for row in rows:
        if row["cutoff"]:
            line = parts.setdefault((row["split"], row["domain"]), {}).setdefault(row["cutoff"], {"n": 0, "first": row["cutoff"]})
            line["n"] = max(line["n"], row["n"])
            line[row["metric"]] = f"{row['value']:.2f} [{row['low']:.2f} {row['high']:.2f}]"
    whole = parts.get(("all", "all"))
    return [
        {"split": split, "domain": domain, **line}
        for (split, domain), cutoffs in parts.items()
        if cutoffs is whole or cutoffs != whole
        for _, line in sorted(cutoffs.items())
    ]


def run_evaluation(corpus: Corpus, questions: str, options: EvaluateOptions) -> list[dict[str, Any]]:
    """Evaluate, as a run of the Prefect server if one answers; return the rows of metrics.

    A wrong corpus or file raises an error before anything is loaded. A question that cannot be scored is named on stderr.
    """
    from tasks.evaluate.io import logs, score

    evaluation = score.begin(uuid4().hex, corpus, questions, options)
    located = score.locate(evaluation)
    for problem in located.problems:
        warn(f"question {problem.question_id}: {problem.document}: {problem.reason}")
    if url := server_url():
        from flows.evaluate import evaluate

        with reporting_to(url):
            rows: list[dict[str, Any]] = evaluate(corpus.uri, questions, options)
            return rows
    return logs.score_and_log(evaluation, located)
