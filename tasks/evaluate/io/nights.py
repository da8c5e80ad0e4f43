"""The nights before an evaluation: whether scores have fallen, and their trend."""

from typing import NamedTuple

from schemas.corpus import Corpus
from tasks.evaluate.drift import WINDOW, Alarm, alarm
from tasks.evaluate.io.score import Evaluation
from tasks.evaluate.report.facts import Mean
from tasks.evaluate.report.io import logs

METRIC, CUTOFF = "recall", 5
"""What is watched: recall of the first 5 results, or of the largest cutoff below."""


class Night(NamedTuple):
    """The mean of what is watched in one evaluation."""

    generation: int
    mean: Mean


class Nights(NamedTuple):
    """Evaluations of one recipe that asked in one way, the oldest first, and whether the last is an alarm."""

    watched: str
    nights: list[Night]
    alarm: Alarm


def watched_cutoff(cutoffs: tuple[int, ...]) -> int:
    """Return the cutoff to watch.

    >>> watched_cutoff((1, 3, 5, 10)), watched_cutoff((20, 10))
    (5, 10)
    """
    return max((k for k in cutoffs if k <= CUTOFF), default=min(cutoffs))


def look_back(evaluation: Evaluation) -> Nights:
    """Compare an evaluation, which is logged, with at most WINDOW - 1 before it.

    Raises:
        CorpusError: a log cannot be read.
    """
    corpus, cutoff = evaluation.corpus, watched_cutoff(evaluation.options.cutoffs)
    found = sorted(logs.evaluations(corpus), key=lambda one: (one.evaluated_at, one.run_id))
    mine = next(one for one in found if one.run_id == evaluation.run_id)
    until = found[: found.index(mine) + 1]
    same = [one for one in until if (one.recipe, one.asked) == (mine.recipe, mine.asked)][-WINDOW:]
    runs = [one.run_id for one in same]
    values = _values(corpus, runs, evaluation.options.returned, cutoff)
    documents = {question.id: question.named[0] for question in evaluation.asked}
    means, key = logs.means(corpus, runs), (METRIC, evaluation.options.returned, cutoff)
    nights = [Night(one.generation, means[one.run_id][key]) for one in same if key in means.get(one.run_id, {})]
    return Nights(f"{METRIC}@{cutoff}", nights, alarm([values.get(run, {}) for run in runs], documents))


def _values(corpus: Corpus, runs: list[str], unit: str, cutoff: int) -> dict[str, dict[str, float]]:
    values: dict[str, dict[str, float]] = {}
    for row in logs.scores(corpus, runs, [METRIC], cutoff):
        if (row["metric"], row["cutoff_unit"]) == (METRIC, unit):
            values.setdefault(row["run_id"], {})[row["question_id"]] = row["value"]
    return values
