"""`pagemill evaluate`: score the live generation with questions whose answers are known."""

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any
from uuid import uuid4

import typer

from flows.cli.compare import convert_comparison_to_json, print_comparison
from flows.cli.output import As, CorpusOption, Json, print_json, print_line, print_table, print_warning
from flows.cli.server import get_prefect_server_url, report_to_prefect_server
from flows.settings import read_chat_options, read_evaluate_options
from schemas.access import Principal
from schemas.corpus import Corpus
from schemas.errors import InputError
from schemas.options.chat import ChatOptions
from schemas.options.sections import EvaluateOptions
from schemas.records import MetricRow

if TYPE_CHECKING:
    from tasks.evaluate.io.compare import EvaluationComparison

METRIC, CUTOFF = "recall", 5
"""The metric whose questions a comparison with a candidate shows, if it was measured at that cutoff."""


def add_evaluate_command(application: typer.Typer) -> None:
    """Add the command."""
    application.command("evaluate")(evaluate_corpus_command)


def evaluate_corpus_command(
    corpus: CorpusOption,
    questions: Annotated[str, typer.Option(envvar="PAGEMILL_QUESTIONS", help="JSON-lines file of questions.")],
    mode: Annotated[str | None, typer.Option(help="hybrid, the default, dense or fts.")] = None,
    returned: Annotated[str | None, typer.Option(help="What a result is: passages, the default, chunks or parents.")] = None,
    cutoffs: Annotated[str | None, typer.Option(help="How many of the first results are scored; 1,3,5,10 by default.")] = None,
    budget: Annotated[
        str | None, typer.Option(help="Tokens to fill with results, which are scored too, such as 500,2000.")
    ] = None,
    answers: Annotated[
        str | None,
        typer.Option(help="Who answers from each budget: none, the default, builtin, or chat, a language model."),
    ] = None,
    judge: Annotated[
        bool, typer.Option("--judge", help="Have the language model of the section chat grade the answers.")
    ] = False,
    candidate: Annotated[
        str | None, typer.Option(help="Score this candidate too, and compare it with the live generation by pairs.")
    ] = None,
    asker: As = None,
    as_json: Json = False,
) -> None:
    """Score what the live generation finds for QUESTIONS, and log the metrics in the corpus."""
    lists = {"cutoffs": parse_numbers("--cutoffs", cutoffs), "budgets": parse_numbers("--budget", budget)}
    given = {"mode": mode, "returned": returned, "answers": answers, "judge": judge, **lists}
    options = read_evaluate_options({name: value for name, value in given.items() if value})
    if options.asks_model:
        logging.getLogger("tasks.evaluate.answers").setLevel(logging.INFO)  # it logs what it cost to stderr
    if candidate is not None:
        evaluate_candidate(corpus, candidate, questions, options, as_json, asker)
        return
    rows = run_evaluation(corpus, questions, options, read_chat_options({}), asker)
    if as_json:
        print_json(rows)
        return
    lines = make_metric_lines(rows)
    print_table(lines, None, "no metrics")
    if answered := make_answer_lines(rows):
        print_table(answered, None, "no answers")
    print_line(f"report: {corpus.report}")


def parse_numbers(flag: str, value: str | None) -> list[int]:
    """Return the numbers of a list with commas.

    >>> parse_numbers("--cutoffs", "1, 5,10")
    [1, 5, 10]

    Raises:
        InputError: it is something else.
    """
    try:
        return [int(part) for part in value.split(",")] if value else []
    except ValueError:
        raise InputError(f"{flag} {value} is no list of numbers: write it as 1,5,10") from None


def make_metric_lines(rows: Sequence[MetricRow]) -> list[dict[str, object]]:
    """Return metrics with a cutoff as lines for people, with intervals. A part equal to one that holds it is left out.

    >>> row = {"split": "all", "domain": "all", "cutoff": 3, "metric": "mrr", "value": 0.5, "low": 0.25, "high": 1.0, "n": 7}
    >>> make_metric_lines([row, {**row, "domain": "law"}, {**row, "split": "test"}])
    [{'split': 'all', 'domain': 'all', 'n': 7, 'first': 3, 'mrr': '0.50 [0.25 1.00]'}]
    """
    from tasks.evaluate.averages import MAIN

    parts: dict[tuple[str, str], dict[int, dict[str, Any]]] = {}
    for row in rows:
        if row["cutoff"] and row["metric"] in MAIN:
            line = parts.setdefault((row["split"], row["domain"]), {}).setdefault(row["cutoff"], {"n": 0, "first": row["cutoff"]})
            line["n"] = max(line["n"], row["n"])
            line[row["metric"]] = f"{row['value']:.2f} [{row['low']:.2f} {row['high']:.2f}]"
    return [
        {"split": split, "domain": domain, **line}
        for (split, domain), cutoffs in parts.items()
        if all(parts.get(wider) != cutoffs for wider in (("all", "all"), ("all", domain)) if wider != (split, domain))
        for _, line in sorted(cutoffs.items())
    ]


def make_answer_lines(rows: Sequence[MetricRow]) -> list[dict[str, object]]:
    """Return the metrics of answers over all questions as lines for people, a column for each budget, with intervals.

    >>> row = {"split": "all", "domain": "all", "cutoff": 500, "value": 0.5, "low": 0.25, "high": 1.0, "n": 7}
    >>> make_answer_lines([{**row, "metric": "answer_f1"}, {**row, "metric": "mrr"}])
    [{'answers': 'answer_f1', 'n': 7, '500 tokens': '0.50 [0.25 1.00]'}]
    """
    lines: dict[str, dict[str, Any]] = {}
    for row in rows:
        if row["metric"].startswith(("answer_", "judge_")) and (row["split"], row["domain"]) == ("all", "all"):
            line = lines.setdefault(row["metric"], {"answers": row["metric"], "n": 0})
            line["n"] = max(line["n"], row["n"])
            line[f"{row['cutoff']} tokens"] = f"{row['value']:.2f} [{row['low']:.2f} {row['high']:.2f}]"
    return list(lines.values())


def run_evaluation(
    corpus: Corpus,
    questions: str,
    options: EvaluateOptions,
    chat: ChatOptions | None = None,
    asker: Principal | None = None,
) -> list[MetricRow]:
    """Evaluate, as a run of the Prefect server if one answers; return the rows of metrics.

    A wrong corpus or file raises an error before anything is loaded. A question that cannot be scored is named on stderr.
    """
    from tasks.evaluate.io import logs, score
    from tasks.evaluate.io.history import read_evaluation_history
    from tasks.evaluate.io.report import write_evaluation_report

    evaluation = score.start_evaluation(uuid4().hex, corpus, questions, options, chat, asker)
    located = score.locate_gold(evaluation)
    for problem in located.problems:
        print_warning(f"question {problem.question_id}: {problem.document}: {problem.reason}")
    if url := get_prefect_server_url():
        from flows.evaluate import evaluate

        with report_to_prefect_server(url):
            return evaluate(corpus.uri, questions, options, chat)
    rows = logs.score_and_log_evaluation(evaluation, located)
    back = read_evaluation_history(evaluation)
    if back.alarm.raised:
        print_warning(f"{back.watched}: {back.alarm.message}")
    write_evaluation_report(corpus, corpus.report)
    return rows


def evaluate_candidate(
    corpus: Corpus, name: str, questions: str, options: EvaluateOptions, as_json: bool, asker: Principal | None = None
) -> None:
    """Evaluate the live generation and a candidate with the same questions, and print how they differ, question by question."""
    from tasks.publish.io.candidates import find_candidate

    candidate = find_candidate(corpus, name)
    compared = compare_candidate(corpus, candidate, questions, options, asker)
    if as_json:
        print_json(convert_comparison_to_json(compared))
        return
    print_comparison(compared, ("the corpus: ", f"candidate {name}: "))


def compare_candidate(
    corpus: Corpus, candidate: Corpus, questions: str, options: EvaluateOptions, asker: Principal | None = None
) -> "EvaluationComparison":
    """Evaluate both, each in its own logs; return how the candidate differs from the corpus.

    Raises:
        CorpusError: one of them was never published.
        InputError: no question can be scored in both.
    """
    from tasks.evaluate.io.compare import compare_across_corpora, find_evaluation_by_run

    logged = []
    for one in (corpus, candidate):
        rows = run_evaluation(one, questions, options, read_chat_options({}), asker)
        logged.append((one, find_evaluation_by_run(one, rows[0]["run_id"])))
    cutoff = CUTOFF if CUTOFF in options.cutoffs else options.cutoffs[-1]
    return compare_across_corpora(logged[0], logged[1], METRIC, cutoff, options)
