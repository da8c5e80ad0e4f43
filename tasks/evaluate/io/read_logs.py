"""Read what evaluations logged in a corpus, or in the folder of an experiment."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, TypedDict

from schemas.corpus import Corpus
from schemas.errors import CorpusError, InputError
from schemas.records import MetricRow
from schemas.tables.evaluations import METRICS
from tasks.evaluate.gold import EVERYTHING
from tasks.evaluate.report.data import BUDGET, LOCATED, Cost, Key, LoggedQuestion, LoggedRun, Mean, Result
from tasks.evaluate.scoring import Span
from tasks.store import lance, published
from tasks.store.conditions import make_in_condition

WHOLE = f"split = '{EVERYTHING}' AND domain = '{EVERYTHING}'"
KEY = ["metric", "cutoff_unit", "cutoff"]
COST = list(Cost._fields)
PLACED = ["rank", "path", "start_char", "end_char", "pages", "score"]


def read_log_rows(corpus: Corpus, name: str, columns: Sequence[str], where: str | None = None) -> list[dict[str, Any]]:
    """Return rows of a log; an empty list if the log does not exist. A column that an older log lacks has the value None."""
    if not lance.does_table_exist(corpus, name):
        return []
    there = set(lance.open_table(corpus, name).schema.names)
    rows = published.read_log(corpus, name, [column for column in columns if column in there], where).to_pylist()
    lacking = dict.fromkeys(column for column in columns if column not in there)
    return [{**row, **lacking} for row in rows] if lacking else rows


def read_logged_runs(corpus: Corpus) -> list[LoggedRun]:
    """Return every evaluation in the logs, the oldest first.

    Raises:
        InputError: there is none.
    """
    columns = ["run_id", "recipe", "generation", "evaluated_at"]
    names = {
        row["run_id"]: {"name": row["name"], "options": _read_options_of_evaluation(row["name"], row["options"])}
        for row in read_log_rows(corpus, "recipes", ["run_id", "name", "options"])
    }
    if not lance.does_table_exist(corpus, "metrics"):
        raise InputError(f"{corpus} holds no evaluation to report on: run pagemill evaluate, or name the folder of an experiment")
    # one row for each evaluation, which has many means
    rows = published.read_log(corpus, "metrics", columns).group_by(columns, use_threads=False).aggregate([]).to_pylist()
    runs = (LoggedRun(**{**row, **names.get(row["run_id"], {})}) for row in rows)
    return sorted(runs, key=lambda one: (one.evaluated_at, one.run_id))


def _read_options_of_evaluation(name: str, options: str) -> str:
    """Return the options of evaluation among `options`, in JSON; where these were not logged, the name stands for them."""
    evaluate = json.loads(options).get("evaluate")
    return json.dumps(evaluate, sort_keys=True) if evaluate else name


def read_metric_means(corpus: Corpus, runs: Iterable[str]) -> dict[str, dict[Key, Mean]]:
    """Return the means of `runs` over all questions."""
    where = f"{make_in_condition('run_id', runs)} AND {WHOLE}"
    found: dict[str, dict[Key, Mean]] = {}
    for row in read_log_rows(corpus, "metrics", ["run_id", *KEY, "value", "low", "high", "n"], where):
        key = row["metric"], row["cutoff_unit"], row["cutoff"]
        found.setdefault(row["run_id"], {})[key] = Mean(row["value"], row["low"], row["high"], row["n"])
    return found


class LoggedScore(TypedDict):
    """What is read of a row of SCORES."""

    run_id: str
    question_id: str
    metric: str
    cutoff_unit: str
    domain: str
    value: float
    lost: str | None


def read_score_rows(corpus: Corpus, runs: Iterable[str], metrics: Iterable[str], cutoff: int) -> list[LoggedScore]:
    """Return the rows of SCORES of `runs` with one of `metrics` at `cutoff`, in whatever unit, and those that say UNPLACED."""
    named = [name for metric in metrics for name in (metric, BUDGET + metric)]
    wanted = f"({make_in_condition('metric', named)} AND cutoff = {cutoff:d}) OR {make_in_condition('metric', [LOCATED])}"
    where = f"{make_in_condition('run_id', runs)} AND ({wanted})"
    found: Any = read_log_rows(corpus, "scores", [*LoggedScore.__annotations__], where)
    rows: list[LoggedScore] = found
    return rows


def read_question_values(corpus: Corpus, runs: Sequence[str], metric: str, unit: str, cutoff: int) -> list[dict[str, float]]:
    """Return for each of `runs` the value of a metric of each question, at a cutoff in this unit."""
    values: dict[str, dict[str, float]] = {run: {} for run in runs}
    for row in read_score_rows(corpus, runs, [metric], cutoff):
        if row["cutoff_unit"] == unit and row["metric"] != LOCATED:
            values[row["run_id"]][row["question_id"]] = row["value"]
    return list(values.values())


def read_run_costs(corpus: Corpus, runs: Iterable[str]) -> dict[str, Cost]:
    """Return what `runs` cost, of those that say so."""
    rows = read_log_rows(corpus, "recipes", ["run_id", *COST], make_in_condition("run_id", runs))
    return {row.pop("run_id"): Cost(**row) for row in rows}


def read_logged_questions(corpus: Corpus, run: str) -> list[LoggedQuestion]:
    """Return the questions of a run."""
    columns = ["question_id", "question", "answer", "domain", "documents", "gold"]
    return [_as_logged_question(row) for row in read_log_rows(corpus, "questions", columns, make_in_condition("run_id", [run]))]


def _as_logged_question(row: dict[str, Any]) -> LoggedQuestion:
    spans: dict[str, list[Span]] = {}
    pages: dict[str, list[int]] = {}
    for gold in row["gold"]:
        if gold["page"] is not None:
            pages.setdefault(gold["document"], []).append(gold["page"])
        elif gold["start"] is not None and gold["end"] is not None:
            spans.setdefault(gold["document"], []).append((gold["start"], gold["end"]))
    of = {"answer": row["answer"] or "", "spans": spans, "pages": pages}
    return LoggedQuestion(**{**{name: row[name] for name in ("question_id", "question", "domain", "documents")}, **of})


def read_logged_results(corpus: Corpus, run: str, unit: str, cutoff: int) -> dict[str, list[Result]]:
    """Return the results of a run by question, in the order of their ranks."""
    where = f"{make_in_condition('run_id', [run])} AND {make_in_condition('cutoff_unit', [unit])} AND cutoff = {cutoff:d}"
    found: dict[str, list[Result]] = {}
    for row in sorted(read_log_rows(corpus, "retrieved", ["question_id", *PLACED], where), key=lambda row: row["rank"]):
        span = row["start_char"], row["end_char"]
        found.setdefault(row["question_id"], []).append(Result(row["rank"], row["path"], span, row["pages"], row["score"]))
    return found


def read_document_texts(corpus: Corpus, generation: int, paths: Iterable[str]) -> tuple[dict[str, str], str]:
    """Return the texts of documents by path, and the reason why others are missing. A path of several documents has none."""
    named = make_in_condition("path", sorted(paths))
    try:
        if lance.does_table_exist(corpus, "texts"):
            rows = read_log_rows(corpus, "texts", ["path", "text"], named)
        elif generation:
            rows = published.read_columns(
                corpus, published.find_generation(corpus, generation), "documents", ["path", "text"], named
            ).to_pylist()
        else:
            return {}, "the experiment has kept no texts"
    except CorpusError:
        return {}, f"generation {generation} is no longer kept; evaluate the live one"
    counted = [row["path"] for row in rows]
    unique = {row["path"]: row["text"] for row in rows if counted.count(row["path"]) == 1}
    return unique, "its documents no longer hold this path, or two sources have it"


class AskedQuestion(TypedDict):
    """What is read of a row of QUESTIONS."""

    question_id: str
    question: str
    documents: list[str]


def read_questions_by_id(corpus: Corpus, run_id: str) -> dict[str, AskedQuestion]:
    """Return the questions of an evaluation and their documents, by id."""
    columns = [*AskedQuestion.__annotations__]
    rows = published.read_log(corpus, "questions", columns, make_in_condition("run_id", [run_id])).to_pylist()
    return {row["question_id"]: row for row in rows}


def list_metrics(corpus: Corpus, run_id: str) -> list[MetricRow]:
    """Return the rows of METRICS of an evaluation, those over all splits and domains first."""
    rows = published.read_log(corpus, "metrics", METRICS.names, make_in_condition("run_id", [run_id])).to_pylist()
    keys = ("split", "domain", "cutoff_unit", "metric", "cutoff")
    return sorted(rows, key=lambda row: ["" if row[name] == EVERYTHING else row[name] for name in keys])


def list_scores(corpus: Corpus, run_id: str, metric: str, cutoff: int) -> list[dict[str, object]]:
    """Return the score of each question of an evaluation with its text and what was lost, the worst first.

    Questions that could not be scored have the value 0.

    Raises:
        InputError: the evaluation does not have the metric at this cutoff.
    """
    where = f"{make_in_condition('run_id', [run_id])} AND (metric = 'located' OR {make_in_condition('metric', [metric])})"
    columns = ["question_id", "metric", "cutoff", "value", "lost"]
    rows = published.read_log(corpus, "scores", columns, where).to_pylist()
    scored = {row["question_id"]: row for row in rows if (row["metric"], row["cutoff"]) == (metric, cutoff)}
    if not scored:
        known = list_metrics(corpus, run_id)
        listed = ", ".join(dict.fromkeys(f"{row['metric']}@{row['cutoff']}" for row in known if row["cutoff"]))
        raise InputError(f"{metric}@{cutoff} is not in this evaluation: choose one of {listed}")
    misplaced = {row["question_id"]: row for row in rows if row["metric"] == "located" and not row["value"]}
    questions = read_questions_by_id(corpus, run_id)
    found = [
        {"question_id": name, "question": questions[name]["question"], "value": row["value"], "lost": row["lost"]}
        for name, row in {**misplaced, **scored}.items()
    ]
    return sorted(found, key=lambda row: (row["value"], row["question_id"]))
