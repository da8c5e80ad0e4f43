"""Average the scores of questions into rows of METRICS, with intervals."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from schemas.records import MeanRow, MetricRow
from tasks.evaluate.gold import EVERYTHING, GENERATED, WRITTEN
from tasks.evaluate.losses import Loss
from tasks.evaluate.scoring import Scores

DRAWN_AT_ONCE = 4_000_000


UNITS = {
    "chunk_": "chunks",
    "page_": "pages",
    "document_": "documents",
    "budget_": "tokens",
    "answer_": "tokens",
    "judge_": "tokens",
    "precision_omega": "chunks",
}
"""What cutoffs count, by how the name of a metric begins. Those of other metrics count results."""


MAIN = ("hit_rate", "iou", "mrr", "precision", "recall")
"""Metrics of results that are shown first, and that comparisons test together: more of them would hide what they find."""


class ScoredQuestion(NamedTuple):
    """A question with its scores, and for each cutoff the reason why its results miss gold, if they do."""

    question_id: str
    split: str
    domain: str
    scores: Scores
    lost: Mapping[int, Loss] = {}
    generated: bool = False


class Interval(NamedTuple):
    """A mean with its interval."""

    value: float
    low: float
    high: float


def compute_bootstrap_interval(values: ArrayLike, samples: int, confidence: float, seed: int) -> Interval:
    """Return the mean of `values`, and its interval of `confidence`, as if other questions were asked about the same documents.

    The percentiles of `samples` resamplings are those of Hesterberg's expanded interval (The American Statistician 69, 2015):
    those of few values lie further out, because the percentiles as they are cover too seldom. If all values are 0 or 1, it is
    Wilson's interval for shares (1927) instead: 20 hits out of 20 do not promise that the next question is a hit too, but every
    resampling of them does. A single value has no interval: low and high are the value.

    Raises:
        ValueError: there are no values.
    """
    observed = np.asarray(values, dtype=np.float64)
    n = observed.size
    if not n:
        raise ValueError("no values, no mean")
    if n == 1:
        return Interval(float(observed[0]), float(observed[0]), float(observed[0]))
    if np.isin(observed, (0.0, 1.0)).all():
        return _compute_wilson_interval(int(observed.sum()), n, confidence)
    means = resample_means(observed, np.ones(n, dtype=np.int64), samples, seed)
    tail = _compute_expanded_tail(n, confidence)
    summary = np.array([observed.mean(), *np.quantile(means, [tail, 1 - tail])])
    # the expanded percentiles of few resamplings can lie beyond every value
    return Interval(*np.clip(summary, observed.min(), observed.max()).tolist())


def _compute_expanded_tail(n: int, confidence: float) -> float:
    from scipy.stats import norm, t

    return float(norm.cdf(-np.sqrt(n / (n - 1)) * t.ppf((1 + confidence) / 2, n - 1)))


def _compute_wilson_interval(hits: int, n: int, confidence: float) -> Interval:
    from scipy.stats import norm

    z = float(norm.ppf((1 + confidence) / 2))
    share, middle = hits / n, (hits + z * z / 2) / (n + z * z)
    half = z * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return Interval(share, float(max(0.0, min(share, middle - half))), float(min(1.0, max(share, middle + half))))


def resample_means(totals: NDArray[np.float64], sizes: NDArray[np.int64], samples: int, seed: int) -> NDArray[np.float64]:
    """Return the means of `samples` resamplings of groups, given the sum of the values of each group and how many it has."""
    draw, n = np.random.default_rng(seed), len(totals)
    step = max(1, DRAWN_AT_ONCE // n)
    drawn = (draw.integers(0, n, (min(step, samples - at), n)) for at in range(0, samples, step))
    return np.concatenate([totals[chosen].sum(axis=1) / sizes[chosen].sum(axis=1) for chosen in drawn])


def get_cutoff_unit(metric: str, returned: str) -> str:
    """Return what the cutoffs of a metric count.

    >>> get_cutoff_unit("page_recall", "passages"), get_cutoff_unit("recall", "passages")
    ('pages', 'passages')
    """
    return next((unit for start, unit in UNITS.items() if metric.startswith(start)), returned)


def average_scores(scored: Sequence[ScoredQuestion], returned: str, samples: int, confidence: float, seed: int) -> list[MeanRow]:
    """Return the means for each split and domain, and for `all` of them.

    `returned` says what a result is, such as passages. `n` counts the questions that have the metric. Rows are in the order of
    their keys.
    """
    rows = []
    for split, domain, group in _group_by_split_and_domain(scored):
        for (metric, cutoff), values in _group_scores_by_metric(group).items():
            value, low, high = compute_bootstrap_interval(values, samples, confidence, seed)
            unit = get_cutoff_unit(metric, returned)
            rows.append(
                MeanRow(
                    split=split, domain=domain, metric=metric, cutoff_unit=unit, cutoff=cutoff,
                    value=value, low=low, high=high, n=len(values),
                )
            )  # fmt: skip
    return sorted(rows, key=lambda row: (row["split"], row["domain"], row["metric"], row["cutoff"]))


def _group_by_split_and_domain(scored: Sequence[ScoredQuestion]) -> Iterator[tuple[str, str, list[ScoredQuestion]]]:
    splits = [EVERYTHING, *dict.fromkeys(question.split for question in scored)]
    domains = [EVERYTHING, *dict.fromkeys(question.domain for question in scored)]
    for split, domain in product(splits, domains):
        group = [
            question for question in scored if split in (EVERYTHING, question.split) and domain in (EVERYTHING, question.domain)
        ]
        yield split, domain, group
    generated = [question for question in scored if question.generated]
    if 0 < len(generated) < len(scored):
        yield WRITTEN, EVERYTHING, [question for question in scored if not question.generated]
        yield GENERATED, EVERYTHING, generated


def _group_scores_by_metric(scored: Iterable[ScoredQuestion]) -> dict[tuple[str, int], list[float]]:
    values: dict[tuple[str, int], list[float]] = {}
    for question in scored:
        for key, value in question.scores.items():
            values.setdefault(key, []).append(value)
    return values


def tabulate_means(rows: Iterable[MetricRow]) -> list[dict[str, object]]:
    """Return one row per split, domain and metric, with a column for each cutoff: value [low, high]."""
    lines: dict[tuple[str, str, str], dict[str, object]] = {}
    for row in rows:
        key = (row["split"], row["domain"], row["metric"])
        line = lines.setdefault(key, {**dict(zip(("split", "domain", "metric"), key, strict=True)), "n": row["n"]})
        column = f"at {row['cutoff']}" if row["cutoff"] else "share"
        line[column] = f"{row['value']:.3f} [{row['low']:.3f}, {row['high']:.3f}]"
    columns = list(dict.fromkeys(column for line in lines.values() for column in line))
    return [{column: line.get(column, "") for column in columns} for line in lines.values()]
