"""What an evaluation logged: its means, and the scores of its questions."""

from typing import Any

from schemas.corpus import Corpus
from schemas.errors import InputError
from schemas.tables.metrics import METRICS
from tasks.evaluate.io.compare import read_questions_of
from tasks.store import conditions, published

Row = dict[str, Any]


def read_metrics(corpus: Corpus, run_id: str) -> list[Row]:
    """Return the rows of METRICS of an evaluation, those over all splits and domains first."""
    rows = published.read_log(corpus, "metrics", METRICS.names, conditions.one_of("run_id", [run_id])).to_pylist()
    return sorted(rows, key=lambda row: (row["split"] != "all", row["split"], row["domain"] != "all", row["domain"], *_key(row)))


def _key(row: Row) -> tuple[str, str, int]:
    return row["cutoff_unit"], row["metric"], row["cutoff"]


def read_scores(corpus: Corpus, run_id: str, metric: str, cutoff: int) -> list[Row]:
    """Return the score of each question of an evaluation with its text and what was lost, the worst first.

    Questions that could not be scored have the value 0.

    Raises:
        InputError: the evaluation does not have the metric at this cutoff.
    """
    where = f"{conditions.one_of('run_id', [run_id])} AND (metric = 'located' OR {conditions.one_of('metric', [metric])})"
    columns = ["question_id", "metric", "cutoff", "value", "lost"]
    rows = published.read_log(corpus, "scores", columns, where).to_pylist()
    scored = {row["question_id"]: row for row in rows if (row["metric"], row["cutoff"]) == (metric, cutoff)}
    if not scored:
        known = read_metrics(corpus, run_id)
        listed = ", ".join(dict.fromkeys(f"{row['metric']}@{row['cutoff']}" for row in known if row["cutoff"]))
        raise InputError(f"{metric}@{cutoff} is not in this evaluation: choose one of {listed}")
    misplaced = {row["question_id"]: row for row in rows if row["metric"] == "located" and not row["value"]}
    asked = read_questions_of(corpus, run_id)
    found = [
        {"question_id": name, "question": asked[name]["question"], "value": row["value"], "lost": row["lost"]}
        for name, row in {**misplaced, **scored}.items()
    ]
    return sorted(found, key=lambda row: (row["value"], row["question_id"]))
