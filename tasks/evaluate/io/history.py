"""The evaluations before one that was logged: whether scores have fallen since, and their trend."""

from typing import NamedTuple

from tasks.evaluate.drift import WINDOW, Alarm, detect_drift
from tasks.evaluate.io import read_logs
from tasks.evaluate.io.score import Evaluation
from tasks.evaluate.report.data import Mean

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


def choose_watched_cutoff(cutoffs: tuple[int, ...]) -> int:
    """Return the cutoff to watch.

    >>> choose_watched_cutoff((1, 3, 5, 10)), choose_watched_cutoff((20, 10))
    (5, 10)
    """
    return max((k for k in cutoffs if k <= CUTOFF), default=min(cutoffs))


def read_evaluation_history(evaluation: Evaluation) -> History:
    """Compare an evaluation, which is logged, with at most WINDOW - 1 before it.

    Raises:
        CorpusError: a log cannot be read.
    """
    corpus, cutoff = evaluation.corpus, choose_watched_cutoff(evaluation.options.cutoffs)
    found = read_logs.read_logged_runs(corpus)
    mine = next(one for one in found if one.run_id == evaluation.run_id)
    until = found[: found.index(mine) + 1]
    same = [one for one in until if (one.recipe, one.options) == (mine.recipe, mine.options)][-WINDOW:]
    runs = [one.run_id for one in same]
    values = read_logs.read_question_values(corpus, runs, METRIC, evaluation.options.returned, cutoff)
    documents = {question.id: question.document_paths[0] for question in evaluation.questions}
    means, key = read_logs.read_metric_means(corpus, runs), (METRIC, evaluation.options.returned, cutoff)
    nights = [PastMean(one.generation, means[one.run_id][key]) for one in same if key in means.get(one.run_id, {})]
    return History(f"{METRIC}@{cutoff}", nights, detect_drift(values, documents))
