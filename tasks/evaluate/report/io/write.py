"""Write the report of the evaluations that the logs of a folder hold."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from schemas.corpus import Corpus
from schemas.errors import InputError
from tasks.evaluate.drift import WINDOW, alarm
from tasks.evaluate.report.facts import (
    BUDGET,
    RANKED_BY,
    UNPLACED,
    Asked,
    Drilled,
    Facts,
    Key,
    Logged,
    Mean,
    Night,
    Run,
    by_rank,
    headline,
    latest,
    nights,
    to_drill,
    unit_of,
    worst_first,
)
from tasks.evaluate.report.io import logs
from tasks.evaluate.report.page import page
from tasks.publish.io.reports.names import corpus_name
from tasks.store import files

MOST_RECIPES, MOST_NIGHTS, MOST_QUESTIONS = 60, WINDOW, 300
"""How many are shown; what is left out is counted in the report."""

Means = Mapping[str, Mapping[Key, Mean]]


def write_report(corpus: Corpus, target: Path, run_ids: Sequence[str] | None = None) -> Path:
    """Write the report of `run_ids`, or of the last evaluation of each recipe, as one HTML file; return its path.

    `corpus` is a corpus or the folder of an experiment. A file that is there is replaced.

    Raises:
        InputError: there is no evaluation, or none with one of `run_ids`.
        CorpusError: a log cannot be read.
        WriteError: the file cannot be written.
    """
    files.put(target, page(gather(corpus, run_ids)).encode())
    return target


def gather(corpus: Corpus, run_ids: Sequence[str] | None = None) -> Facts:
    """Read what a report shows.

    Raises:
        InputError: there is no evaluation, or none with one of `run_ids`.
        CorpusError: a log cannot be read.
    """
    found = logs.evaluations(corpus)
    chosen, n_left_out = _chosen(corpus, found, run_ids)
    means = logs.means(corpus, [one.run_id for one in chosen])
    cutoff = headline(means.values())
    scores = logs.scores(corpus, means, RANKED_BY, cutoff)
    costs = logs.costs(corpus, means)
    by_run: dict[str, list[dict[str, Any]]] = {}
    for row in scores:
        by_run.setdefault(row["run_id"], []).append(row)
    runs = by_rank([_run(one, means[one.run_id], cutoff, by_run.get(one.run_id, []), costs) for one in chosen], cutoff)
    domains = {row["question_id"]: row["domain"] for row in scores}
    drilled = to_drill(runs)
    asked = logs.questions(corpus, drilled.logged.run_id)
    shown_nights, said = _trend(corpus, nights(found, drilled.logged, MOST_NIGHTS), cutoff, asked)
    opened = _drilled(corpus, drilled, cutoff, asked)
    return Facts(corpus_name(corpus.uri), cutoff, runs, n_left_out, domains, opened, shown_nights, said)


def _chosen(corpus: Corpus, found: Sequence[Logged], run_ids: Sequence[str] | None) -> tuple[list[Logged], int]:
    if not found:
        raise InputError(f"{corpus} holds no evaluation to report on: run pagemill evaluate, or name the folder of an experiment")
    if run_ids is None:
        return latest(found, MOST_RECIPES)
    of = {one.run_id: one for one in found}
    unknown = [run for run in run_ids if run not in of]
    if unknown or not run_ids:
        raise InputError(f"{corpus} holds no evaluation {', '.join(unknown) or 'that was asked for'}: see its table metrics")
    return [of[run] for run in dict.fromkeys(run_ids)], 0


def _run(logged: Logged, means: Mapping[Key, Mean], cutoff: int, rows: Sequence[dict[str, Any]], costs: Mapping[str, Any]) -> Run:
    unit = unit_of(means, cutoff)
    values: dict[str, dict[str, float]] = {}
    lost = {}
    for row in rows:
        if row["lost"] and (row["cutoff_unit"] == unit or row["metric"] == UNPLACED):
            lost[row["question_id"]] = row["lost"]
        if row["cutoff_unit"] == unit and row["metric"] != UNPLACED:
            values.setdefault(row["metric"].removeprefix(BUDGET), {})[row["question_id"]] = row["value"]
    return Run(logged, unit, means, costs.get(logged.run_id), values, lost)


def _drilled(corpus: Corpus, run: Run, cutoff: int, asked: Sequence[Asked]) -> Drilled:
    shown = worst_first(run, asked)[:MOST_QUESTIONS]
    names = {one.question_id for one in shown}
    found = logs.results(corpus, run.logged.run_id, run.unit, cutoff)
    results = {name: listed for name, listed in found.items() if name in names}
    paths = {path for one in shown for path in one.spans} | {result.path for listed in results.values() for result in listed}
    texts, lacking = logs.texts(corpus, run.logged.generation, paths)
    return Drilled(run, shown, len(asked), results, texts, lacking)


def _alike(night: Night, last: Night) -> bool:
    """Return whether two nights have one recipe and were asked in one way, as far as the log says how."""
    recipe, unit, asked = last.logged.recipe, last.unit, last.logged.asked
    return (night.logged.recipe, night.unit) == (recipe, unit) and night.logged.asked in (asked, "")


def _trend(corpus: Corpus, chosen: Sequence[Logged], cutoff: int, asked: Sequence[Asked]) -> tuple[list[Night], str]:
    """Return the nights of the trend, and what the nightly alarm says of those with the recipe of the last one."""
    if len(chosen) < 2:
        return [], ""
    means = logs.means(corpus, [one.run_id for one in chosen])
    shown = [Night(one, unit_of(means[one.run_id], cutoff), means[one.run_id]) for one in chosen]
    last = shown[-1]
    same = [night.logged.run_id for night in shown if _alike(night, last)]
    values: dict[str, dict[str, float]] = {run: {} for run in same}
    for row in logs.scores(corpus, same, ["recall"], cutoff):
        if row["cutoff_unit"] == last.unit and row["metric"] != UNPLACED:
            values[row["run_id"]][row["question_id"]] = row["value"]
    documents = {one.question_id: (one.documents or [one.question_id])[0] for one in asked}
    return shown, f"Nightly check of recall@{cutoff}: {alarm(list(values.values()), documents).message}."
