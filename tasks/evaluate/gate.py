"""The gate's look at retrieval: a metric of a draft must not fall below that of the live generation, question by question."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from expectations.expected_types import NO_FALL
from expectations.findings import Finding
from tasks.evaluate.averages import Interval
from tasks.evaluate.comparison import TIE, Pair, paired_interval

SUITE = "retrieval"


class Regression(NamedTuple):
    """A question that the draft answers worse: both values of the metric, and why its results lack gold."""

    question_id: str
    question: str
    before: float
    after: float
    reason: str

    def __str__(self) -> str:
        return f"question {self.question_id} ({self.before:.2f} to {self.after:.2f}, {self.reason}): {self.question}"


def judge_regression(metric: str, pairs: Sequence[Pair], max_drop: float, confidence: float, samples: int, seed: int) -> Finding:
    """Return what the gate finds: a fall is too large if the one-sided interval of the mean difference lies below -max_drop.

    The interval is a bootstrap over documents, or over questions if they are all about one document. A single question has no
    interval: then the finding is only a warning. Without pairs, nothing fell.
    """
    by_question = len({pair.document for pair in pairs}) < 2
    units = [pair._replace(document=pair.question_id) if by_question else pair for pair in pairs]
    n, difference = len(units), sum(pair.difference for pair in units) / max(1, len(units))
    interval = (
        paired_interval(units, samples, 2 * confidence - 1, seed) if n > 1 else Interval(difference, difference, difference)
    )
    observed = {
        "metric": metric,
        "n": n,
        "before": sum(pair.a for pair in units) / max(1, n),
        "after": sum(pair.b for pair in units) / max(1, n),
        "fall": -difference,
        "least": -interval.high,
    }
    return Finding(
        suite=SUITE,
        position=0,
        expectation=NO_FALL,
        column="",
        severity="critical" if n > 1 else "warning",
        success=interval.high >= -max_drop - TIE,
        observed=json.dumps(observed),
        allowed=json.dumps({"max_drop": max_drop, "confidence": confidence}),
    )
