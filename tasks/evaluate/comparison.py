"""Compare two evaluations of the same questions by pairs: what differs between questions cancels out.

The interval is a bootstrap over documents, because questions about one document rise and fall together. The tests are Fisher's
permutation test of paired values, and Student's t-test of their differences; p values of many metrics are corrected by Holm.
"""

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from expectations.expected import NO_FALL, Finding
from tasks.evaluate.averages import Interval, resample_means

PERMUTATIONS = 9_999
POWER = 0.8
"""The chance that a difference of the size `detectable` is found."""

TIE = 1e-9
"""Values that differ by less are equal: they are sums of floating-point numbers."""

SUITE = "retrieval"


class Pair(NamedTuple):
    """The scores of one question in both evaluations, and the document that answers it."""

    question_id: str
    document: str
    a: float
    b: float

    @property
    def difference(self) -> float:
        """Return how much larger b is."""
        return self.b - self.a


class Comparison(NamedTuple):
    """One metric of two evaluations: means, the difference b - a with its interval, p values, and counts of questions.

    Without a second document there is no interval, without a second question no p value: these are None. `detectable` is the
    smallest difference that a t-test of as many questions would find with a probability of POWER.
    """

    metric: str
    cutoff: int
    n: int
    n_documents: int
    a: float
    b: float
    difference: float
    low: float | None
    high: float | None
    p_permutation: float | None
    p_t: float | None
    detectable: float | None
    won: int
    lost: int
    tied: int


def compare_metric(metric: str, cutoff: int, pairs: Sequence[Pair], samples: int, confidence: float, seed: int) -> Comparison:
    """Return the comparison of one metric.

    Raises:
        ValueError: there are no pairs.
    """
    if not pairs:
        raise ValueError("no question is in both evaluations")
    a, b = np.array([pair.a for pair in pairs]), np.array([pair.b for pair in pairs])
    documents = {pair.document for pair in pairs}
    interval = compute_paired_interval(pairs, samples, confidence, seed) if len(documents) > 1 else None
    return Comparison(
        metric,
        cutoff,
        len(pairs),
        len(documents),
        float(a.mean()),
        float(b.mean()),
        float((b - a).mean()),
        interval.low if interval else None,
        interval.high if interval else None,
        permutation_p(a, b, seed),
        t_test_p(a, b),
        compute_detectable_difference(b - a, 1 - confidence),
        int((b - a > TIE).sum()),
        int((a - b > TIE).sum()),
        int((abs(b - a) <= TIE).sum()),
    )


def compute_paired_interval(pairs: Sequence[Pair], samples: int, confidence: float, seed: int) -> Interval:
    """Return the mean difference, and its interval from `samples` drawings of documents with all their questions.

    The percentiles of few documents, or of documents with very different numbers of questions, cover too seldom. So they are
    moved away from the mean by the ratio of Student's quantile to the normal one, and by that of the jackknife's standard error
    over documents to the bootstrap's (cluster-robust variance CV3: Bell and McCaffrey, Survey Methodology 28, 2002).
    """
    from scipy.stats import norm, t

    sums: dict[str, list[float]] = {}
    for pair in pairs:
        sums.setdefault(pair.document, []).append(pair.difference)
    totals = np.array([sum(found) for found in sums.values()])
    sizes = np.array([len(found) for found in sums.values()])
    n, means = len(totals), resample_means(totals, sizes, samples, seed)
    mean, spread, upper = float(totals.sum() / sizes.sum()), float(means.std()), (1 + confidence) / 2
    if spread <= TIE:
        return Interval(mean, mean, mean)
    stretched = t.ppf(upper, n - 1) / norm.ppf(upper) * estimate_jackknife_error(totals, sizes) / spread
    low, high = (mean + stretched * (np.quantile(means, [1 - upper, upper]) - mean)).tolist()
    # a skewed bootstrap can leave the mean outside of its own percentiles
    return Interval(mean, min(low, mean), max(high, mean))


def estimate_jackknife_error(totals: NDArray[np.float64], sizes: NDArray[np.int64]) -> float:
    """Return the standard error of the mean over all values, from the means without each group; there must be two groups."""
    n = len(totals)
    without = (totals.sum() - totals) / (sizes.sum() - sizes)
    return float(np.sqrt((n - 1) / n * ((without - totals.sum() / sizes.sum()) ** 2).sum()))


def permutation_p(a: NDArray[np.float64], b: NDArray[np.float64], seed: int) -> float | None:
    """Return the two-sided p value of Fisher's permutation test: each question's scores are swapped or not, at random.

    All swaps are tried if there are at most PERMUTATIONS. None for a single question.
    """
    from scipy.stats import permutation_test

    if len(a) < 2:
        return None
    if not (abs(b - a) > TIE).any():
        return 1.0

    def subtract_means(x: NDArray[np.float64], y: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
        means: NDArray[np.float64] = np.mean(y - x, axis=axis)
        return means

    found = permutation_test(
        (a, b),
        subtract_means,
        permutation_type="samples",
        vectorized=True,
        n_resamples=PERMUTATIONS,
        rng=np.random.default_rng(seed),
    )
    return float(found.pvalue)


def t_test_p(a: NDArray[np.float64], b: NDArray[np.float64]) -> float | None:
    """Return the two-sided p value of Student's paired t-test; None for a single question."""
    from scipy.stats import ttest_rel

    if len(a) < 2:
        return None
    differences = b - a
    if np.ptp(differences) <= TIE:
        return 1.0 if abs(differences[0]) <= TIE else 0.0
    return float(ttest_rel(b, a).pvalue)


def compute_detectable_difference(differences: NDArray[np.float64], alpha: float) -> float | None:
    """Return the smallest mean difference that a two-sided t-test at level `alpha` finds with probability POWER.

    The textbook's formula for paired samples: (t of 1 - alpha/2 + t of POWER) times the standard error. None for one question.
    """
    from scipy.stats import t

    n = len(differences)
    if n < 2:
        return None
    quantiles = t.ppf(1 - alpha / 2, n - 1) + t.ppf(POWER, n - 1)
    return float(quantiles * differences.std(ddof=1) / np.sqrt(n))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p values corrected for their number by Holm's step-down method (Holm 1979), in their order.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected, reached = [0.0] * len(p_values), 0.0
    for rank, at in enumerate(np.argsort(p_values, kind="stable").tolist()):
        reached = max(reached, min(1.0, (len(p_values) - rank) * p_values[at]))
        corrected[at] = reached
    return corrected


def pair_scores(a: Mapping[str, float], b: Mapping[str, float], documents: Mapping[str, str]) -> list[Pair]:
    """Return the pairs of the questions that both evaluations scored and that have a document in `documents`."""
    return [Pair(name, documents[name], value, b[name]) for name, value in a.items() if name in b and name in documents]


class Regression(NamedTuple):
    """A question that the draft answers worse: both values of the metric, and the reason why its results miss gold."""

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
        compute_paired_interval(units, samples, 2 * confidence - 1, seed)
        if n > 1
        else Interval(difference, difference, difference)
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
