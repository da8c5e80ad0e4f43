"""Recommendation: the recipe to use by a rule declared before, with the evidence for it."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

import numpy as np

from schemas.options.experiment import ExperimentOptions
from tasks.evaluate.comparison import Comparison, compare_metric, holm, pair_scores, permutation_p


class Candidate(NamedTuple):
    """A configuration with the scores of its questions: `metric` should be high, `guard` must not be low.

    A corpus can be searched like that if it is `usable`.
    """

    run_id: str
    name: str
    usable: bool
    is_default: bool
    embedding_seconds: float
    metric: Mapping[str, float]
    guard: Mapping[str, float]


class Recommendation(NamedTuple):
    """The recipe that the rule names, and what was compared.

    `refused` are the recipes whose guard is significantly below that of `best_guard`, with p values after Holm's correction.
    The comparisons are of the metric and the guard, recommended minus other; there is no `default` if it was not measured.
    """

    chosen: Candidate
    best_guard: Candidate
    refused: list[tuple[Candidate, float]]
    runner_up: Candidate | None
    against_runner_up: list[Comparison]
    default: Candidate | None
    against_default: list[Comparison]


def choose_recipe(candidates: Sequence[Candidate], documents: Mapping[str, str], options: ExperimentOptions) -> Recommendation:
    """Apply the rule of `options.recommend`. `documents` tells by question which document answers it.

    Of equal recipes it is the one that takes less time to embed.

    Raises:
        ValueError: there is no usable candidate.
    """
    best = max(candidates, key=lambda one: (fmean(one.guard.values()), one.usable, -one.embedding_seconds, one.name))
    refused = _find_candidates_failing_guard(candidates, best, options)
    lost = {one.run_id for one, _ in refused}
    allowed = [one for one in candidates if one.usable and one.run_id not in lost]
    if not allowed:
        raise ValueError("no recipe that a corpus can have is as good as the best of those that it cannot have")
    ranked = sorted(allowed, key=lambda one: (-fmean(one.metric.values()), one.embedding_seconds, one.name))
    chosen, runner_up = ranked[0], ranked[1] if len(ranked) > 1 else None
    default = next((one for one in candidates if one.is_default), None)
    other = default if default and default.run_id != chosen.run_id else None
    return Recommendation(
        chosen,
        best,
        refused,
        runner_up,
        _compare_with_chosen(runner_up, chosen, documents, options),
        default,
        _compare_with_chosen(other, chosen, documents, options),
    )


def _find_candidates_failing_guard(
    candidates: Sequence[Candidate], best: Candidate, options: ExperimentOptions
) -> list[tuple[Candidate, float]]:
    """Return the candidates whose guard is significantly below the best one's, by paired permutation tests."""
    others = [one for one in candidates if one.run_id != best.run_id and fmean(one.guard.values()) < fmean(best.guard.values())]
    found = [_permutation_p_of_pairs(one.guard, best.guard, options.seed) for one in others]
    tested = [(one, p) for one, p in zip(others, found, strict=True) if p is not None]
    corrected = holm([p for _, p in tested])
    return [(one, p) for (one, _), p in zip(tested, corrected, strict=True) if p < 1 - options.confidence]


def _permutation_p_of_pairs(a: Mapping[str, float], b: Mapping[str, float], seed: int) -> float | None:
    both = sorted(a.keys() & b.keys())
    return permutation_p(np.array([a[name] for name in both]), np.array([b[name] for name in both]), seed) if both else None


def _compare_with_chosen(
    other: Candidate | None, chosen: Candidate, documents: Mapping[str, str], options: ExperimentOptions
) -> list[Comparison]:
    if other is None:
        return []
    rule, found = options.recommend, []
    for metric, a, b in ((rule.metric, other.metric, chosen.metric), (rule.guard, other.guard, chosen.guard)):
        pairs = pair_scores(a, b, documents)
        found.append(
            compare_metric(metric, options.decisive_cutoff, pairs, options.bootstrap_samples, options.confidence, options.seed)
        )
    return found


def describe_rule(options: ExperimentOptions) -> str:
    """Return the rule for people."""
    rule, k, level = options.recommend, options.decisive_cutoff, f"{1 - options.confidence:.2g}"
    return (
        f"the highest {rule.metric}@{k} of the recipes whose {rule.guard}@{k} is not significantly below the best "
        f"(paired permutation test, p < {level} after Holm's correction)"
    )
