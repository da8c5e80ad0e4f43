"""Write the report of the evaluations that the logs of a folder hold."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from schemas.corpus import Corpus
from schemas.errors import InputError
from tasks.evaluate.drift import WINDOW, detect_drift
from tasks.evaluate.io import read_logs
from tasks.evaluate.io.read_logs import LoggedScore
from tasks.evaluate.report.data import (
    BUDGET,
    LOCATED,
    RANKED_BY,
    Cost,
    Key,
    LoggedQuestion,
    LoggedRun,
    Mean,
    QuestionDetails,
    ReportData,
    Run,
    TrendPoint,
    choose_recall_cutoff,
    choose_shown_run,
    find_cutoff_unit,
    rank_runs_by_means,
    select_latest_runs,
    select_trend_runs,
    sort_questions_worst_first,
)
from tasks.evaluate.report.page import render_report
from tasks.publish.io.reports.names import name_corpus
from tasks.store import files

MOST_RECIPES, MOST_NIGHTS, MOST_QUESTIONS = 60, WINDOW, 300
"""How many are shown; what is left out is counted in the report."""

Means = Mapping[str, Mapping[Key, Mean]]


def write_evaluation_report(corpus: Corpus, target: Path, run_ids: Sequence[str] | None = None) -> Path:
    """Write the report of `run_ids`, or of the last evaluation of each recipe, as one HTML file; return its path.

    `corpus` is a corpus or the folder of an experiment. A file that is there is replaced.

    Raises:
        InputError: there is no evaluation, or none with one of `run_ids`.
        CorpusError: a log cannot be read.
        WriteError: the file cannot be written.
    """
    files.write_atomically(target, render_report(read_report_data(corpus, run_ids)).encode())
    return target


def read_report_data(corpus: Corpus, run_ids: Sequence[str] | None = None) -> ReportData:
    """Read what a report shows.

    Raises:
        InputError: there is no evaluation, or none with one of `run_ids`.
        CorpusError: a log cannot be read.
    """
    found = read_logs.read_logged_runs(corpus)
    chosen, n_left_out = _choose_reported_runs(corpus, found, run_ids)
    means = read_logs.read_metric_means(corpus, [one.run_id for one in chosen])
    cutoff = choose_recall_cutoff(means.values())
    scores = read_logs.read_score_rows(corpus, means, RANKED_BY, cutoff)
    costs = read_logs.read_run_costs(corpus, means)
    by_run: dict[str, list[LoggedScore]] = {}
    for row in scores:
        by_run.setdefault(row["run_id"], []).append(row)
    runs = rank_runs_by_means(
        [_make_reported_run(one, means[one.run_id], cutoff, by_run.get(one.run_id, []), costs) for one in chosen], cutoff
    )
    domains = {row["question_id"]: row["domain"] for row in scores}
    run = choose_shown_run(runs)
    questions = read_logs.read_logged_questions(corpus, run.logged.run_id)
    trend, message = _read_trend_and_drift(corpus, select_trend_runs(found, run.logged, MOST_NIGHTS), cutoff, questions)
    details = _read_question_details(corpus, run, cutoff, questions)
    return ReportData(name_corpus(corpus.uri), cutoff, runs, n_left_out, domains, details, trend, message)


def _choose_reported_runs(
    corpus: Corpus, found: Sequence[LoggedRun], run_ids: Sequence[str] | None
) -> tuple[list[LoggedRun], int]:
    if not found:
        raise InputError(f"{corpus} holds no evaluation to report on: run pagemill evaluate, or name the folder of an experiment")
    if run_ids is None:
        return select_latest_runs(found, MOST_RECIPES)
    of = {one.run_id: one for one in found}
    unknown = [run for run in run_ids if run not in of]
    if unknown or not run_ids:
        raise InputError(f"{corpus} holds no evaluation {', '.join(unknown) or 'that was asked for'}: see its table metrics")
    return [of[run] for run in dict.fromkeys(run_ids)], 0


def _make_reported_run(
    logged: LoggedRun, means: Mapping[Key, Mean], cutoff: int, rows: Sequence[LoggedScore], costs: Mapping[str, Cost]
) -> Run:
    unit = find_cutoff_unit(means, cutoff)
    values: dict[str, dict[str, float]] = {}
    lost = {}
    for row in rows:
        if row["lost"] and (row["cutoff_unit"] == unit or row["metric"] == LOCATED):
            lost[row["question_id"]] = row["lost"]
        if row["cutoff_unit"] == unit and row["metric"] != LOCATED:
            values.setdefault(row["metric"].removeprefix(BUDGET), {})[row["question_id"]] = row["value"]
    return Run(logged, unit, means, costs.get(logged.run_id), values, lost)


def _read_question_details(corpus: Corpus, run: Run, cutoff: int, questions: Sequence[LoggedQuestion]) -> QuestionDetails:
    shown = sort_questions_worst_first(run, questions)[:MOST_QUESTIONS]
    names = {one.question_id for one in shown}
    found = read_logs.read_logged_results(corpus, run.logged.run_id, run.unit, cutoff)
    results = {name: listed for name, listed in found.items() if name in names}
    paths = {path for one in shown for path in one.spans} | {result.path for listed in results.values() for result in listed}
    texts, lacking = read_logs.read_document_texts(corpus, run.logged.generation, paths)
    return QuestionDetails(run, shown, len(questions), results, texts, lacking)


def _has_same_recipe_and_options(night: TrendPoint, last: TrendPoint) -> bool:
    """Return whether two evaluations have the same recipe and the same options, as far as these were logged."""
    recipe, unit, options = last.logged.recipe, last.unit, last.logged.options
    return (night.logged.recipe, night.unit) == (recipe, unit) and night.logged.options in (options, "")


def _read_trend_and_drift(
    corpus: Corpus, chosen: Sequence[LoggedRun], cutoff: int, questions: Sequence[LoggedQuestion]
) -> tuple[list[TrendPoint], str]:
    """Return the evaluations of the trend, and the message of the drift test on those that are like the last one."""
    if len(chosen) < 2:
        return [], ""
    means = read_logs.read_metric_means(corpus, [one.run_id for one in chosen])
    shown = [TrendPoint(one, find_cutoff_unit(means[one.run_id], cutoff), means[one.run_id]) for one in chosen]
    last = shown[-1]
    same = [night.logged.run_id for night in shown if _has_same_recipe_and_options(night, last)]
    values = read_logs.read_question_values(corpus, same, RANKED_BY[0], last.unit, cutoff)
    documents = {one.question_id: (one.documents or [one.question_id])[0] for one in questions}
    return shown, f"Nightly check of recall@{cutoff}: {detect_drift(values, documents).message}."
