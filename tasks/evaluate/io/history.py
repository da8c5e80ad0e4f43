"""The nights before an evaluation: whether scores have fallen, and their trend."""

from typing import NamedTuple

from schemas.corpus import Corpus
from tasks.evaluate.drift import WINDOW, Alarm, detect_drift
from tasks.evaluate.io.score import Evaluation
from tasks.evaluate.report.data import Mean
from tasks.evaluate.report.io import logs

METRIC, CUTOFF = "recall", 5
"""What is watched: recall of the first 5 results, or of the largest cutoff below."""


class PastMean(NamedTuple):
    """The mean of what is watched in one evaluation."""

    generation: int
    mean: Mean


class History(NamedTuple):
    """Evaluations of one recipe that asked in one way, the oldest first, and whether the last is an alarm."""

    watched: str
    nights: list[PastMean]
    alarm: Alarm


def choose_cutoff(cutoffs: tuple[int, ...]) -> int:
    """Return the cutoff to watch.

    >>> choose_cutoff((1, 3, 5, 10)), choose_cutoff((20, 10))
    (5, 10)
    """
    return max((k for k in cutoffs if k <= CUTOFF), default=min(cutoffs))


def read_history(evaluation: Evaluation) -> History:
    """Compare an evaluation, which is logged, with at most WINDOW - 1 before it.

    Raises:
        CorpusError: a log cannot be read.
    """
    corpus, cutoff = evaluation.corpus, choose_cutoff(evaluation.options.cutoffs)
    found = sorted(logs.read_runs(corpus), key=lambda one: (one.evaluated_at, one.run_id))
    mine = next(one for one in found if one.run_id == evaluation.run_id)
    until = found[: found.index(mine) + 1]
    same = [one for one in until if (one.recipe, one.options) == (mine.recipe, mine.options)][-WINDOW:]
    runs = [one.run_id for one in same]
    values = _values(corpus, runs, evaluation.options.returned, cutoff)
    documents = {question.id: question.document_paths[0] for question in evaluation.questions}
    means, key = logs.read_means(corpus, runs), (METRIC, evaluation.options.returned, cutoff)
    nights = [PastMean(one.generation, means[one.run_id][key]) for one in same if key in means.get(one.run_id, {})]
    return History(f"{METRIC}@{cutoff}", nights, detect_drift([values.get(run, {}) for run in runs], documents))


def _values(corpus: Corpus, runs: list[str], unit: str, cutoff: int) -> dict[str, dict[str, float]]:
    values: dict[str, dict[str, float]] = {}
    for row in logs.read_scores(corpus, runs, [METRIC], cutoff):
        if (row["metric"], row["cutoff_unit"]) == (METRIC, unit):
            values.setdefault(row["run_id"], {})[row["question_id"]] = row["value"]
    return values
