"""Check on drawn scores what the statistics of an evaluation promise, in about seven minutes."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from scipy import stats

from benchmarks.evaluation.simulated import (
    Draw,
    Nights,
    drawn_pairs,
    edited_nights,
    partly,
    trembling_nights,
    whole_or_nothing,
    with_slow_fall,
    with_sudden_fall,
)
from benchmarks.report import parts_to_run, say, say_bar, say_table
from tasks.evaluate.averages import Interval, compute_bootstrap_interval
from tasks.evaluate.comparison import compute_detectable_difference, compute_paired_interval, permutation_p, t_test_p
from tasks.evaluate.drift import WINDOW, compute_p_values, detect_drift, sum_sign_flips

SETS, SAMPLES, CONFIDENCE = 1000, 1000, 0.95
PERMUTED_SETS = 300
QUIET_NIGHTS, CORPORA = 200, 50
DOCUMENTS, QUESTIONS = 40, 236

MADE: dict[str, Callable[[int, int, int, Draw], Nights]] = {
    "scores tremble": trembling_nights,
    "2 % of documents edited a night": edited_nights,
    "nothing changes": partial(edited_nights, share=0.0),
}


def draws(n: int, first: int = 0) -> Iterator[Draw]:
    """Yield `n` generators of random numbers, the same each time."""
    return (np.random.default_rng(seed) for seed in range(first, first + n))


def coverage(of: Callable[[Draw, int], Interval], true: float) -> float:
    """Return the share of SETS intervals that hold the `true` value."""
    found = [of(draw, 10**6 + at) for at, draw in enumerate(draws(SETS))]
    return sum(one.low <= true <= one.high for one in found) / SETS


def say_coverage() -> None:
    """Print how often intervals hold the mean that the scores were drawn with."""
    say(f"Coverage of {CONFIDENCE:.0%} intervals over {SETS} sets, bar 0.93 to 0.97")
    rows: dict[str, list[float | None]] = {}
    for n in (20, 40, 100, QUESTIONS):
        hits = [coverage(partial(_of_hits, n, share), share) for share in (0.9, 0.7)]
        rows[f"mean of {n} questions"] = [*hits, coverage(partial(_of_iou, n), 0.2)]
    say_table(["hits .9", "hits .7", "IoU .2"], rows)
    pairs: dict[str, list[float | None]] = {}
    for documents, questions in ((5, QUESTIONS), (6, 30), (10, 50), (20, 100), (DOCUMENTS, QUESTIONS), (100, QUESTIONS)):
        pairs[f"{documents} documents, {questions} questions"] = [coverage(partial(_of_pairs, documents, questions), 0.05)]
    say_table(["paired"], pairs)
    figures = [value for table in (rows, pairs) for row in table.values() for value in row if value is not None]
    say_bar("smallest coverage", min(figures), 0.93)
    say_bar("largest coverage", max(figures), 0.97, at_most=True)


def _of_hits(n: int, share: float, draw: Draw, seed: int) -> Interval:
    return compute_bootstrap_interval(whole_or_nothing(n, share, draw), SAMPLES, CONFIDENCE, seed)


def _of_iou(n: int, draw: Draw, seed: int) -> Interval:
    return compute_bootstrap_interval(partly(n, draw), SAMPLES, CONFIDENCE, seed)


def _of_pairs(documents: int, questions: int, draw: Draw, seed: int) -> Interval:
    return compute_paired_interval(drawn_pairs(documents, questions, 0.05, 0.1, 0.2, draw), SAMPLES, CONFIDENCE, seed)


def say_power() -> None:
    """Print how often a difference of the size `detectable` is found, which promises 80 %, and a difference of 0."""
    say(f"Share of differences found at 5 %, {SETS} sets, {PERMUTED_SETS} for permutations: as large as `detectable`, and none")
    rows: dict[str, list[float | None]] = {}
    for n in (30, 60, QUESTIONS):
        exact = compute_detectable_difference(
            np.sqrt((n - 1) / n) * stats.zscore(np.arange(float(n))) * 0.3 * np.sqrt(n / (n - 1)), 0.05
        )
        shifts = (exact or 0.0, 0.0)
        found = [_share_found(n, shift) for shift in shifts]
        rows[f"{n} questions"] = [*(t_test for t_test, _ in found), *(permutation for _, permutation in found)]
    say_table(["t effect", "t none", "perm. effect", "perm. none"], rows)


def _share_found(n: int, shift: float) -> tuple[float, float]:
    t_test, permutation = 0, 0
    for at, draw in enumerate(draws(SETS)):
        a = draw.uniform(0, 1, n)
        b = a + draw.normal(shift, 0.3, n)
        t_test += (t_test_p(a, b) or 0.0) < 0.05
        if at < PERMUTED_SETS:
            permutation += (permutation_p(a, b, at) or 0.0) < 0.05
    return t_test / SETS, permutation / PERMUTED_SETS


def say_p_values() -> None:
    """Print how far p values are from SciPy's."""
    say("Largest difference of p values from SciPy's")
    apart = {"t-test": 0.0, "permutation of few questions": 0.0, "signs of documents": 0.0}
    for draw in draws(200):
        a, b = draw.integers(0, 5, 11) / 4, draw.integers(0, 5, 11) / 4
        both = (a, b), lambda x, y, axis: np.mean(y - x, axis=axis)
        swapped = stats.permutation_test(*both, permutation_type="samples", vectorized=True, n_resamples=9999).pvalue
        signed = stats.permutation_test(
            (b - a,), np.sum, permutation_type="samples", alternative="less", vectorized=True, n_resamples=9999
        ).pvalue
        theirs = (stats.ttest_rel(b, a).pvalue, swapped, signed)
        signs = float(compute_p_values(sum_sign_flips((b - a)[:, None], 0))[0, 0])
        ours = (t_test_p(a, b), permutation_p(a, b, 0), signs)
        for name, own, other in zip(apart, ours, theirs, strict=True):
            apart[name] = max(apart[name], abs((own or 0.0) - other))
    for name, value in apart.items():
        say_bar(name, value, 1e-9, at_most=True)


def say_alarms() -> None:
    """Print how often quiet nights raise the alarm, and how often planted falls do."""
    say(f"Nightly alarm: {DOCUMENTS} documents, {QUESTIONS} questions, {QUIET_NIGHTS} quiet nights of each of {CORPORA} corpora")
    for name, make in MADE.items():
        shares, lasting = zip(*(_quiet(make, draw) for draw in draws(CORPORA)), strict=True)
        say_bar(f"false alarms, {name}", float(np.mean(shares)), 0.05, at_most=True)
        say(f"    by corpus {min(shares):.3f} to {max(shares):.3f}; nights with a lasting alarm: {sum(lasting)}")
    rows: dict[str, list[float | None]] = {}
    for name, make in MADE.items():
        for points in (3, 5, 8):
            planted = [_plant_fall(make, points, draw) for draw in draws(100, 5000)]
            rows[f"{points} points, {name}"] = [float(np.mean([found[at] for found in planted])) for at in (0, 1)]
    say("Share of planted falls that raise the alarm of the last night")
    say_table([f"over {WINDOW} nights", "in one night"], rows)


def _quiet(make: Callable[[int, int, int, Draw], Nights], draw: Draw) -> tuple[float, int]:
    nights = make(QUIET_NIGHTS + WINDOW, DOCUMENTS, QUESTIONS, draw)
    ends = range(WINDOW, WINDOW + QUIET_NIGHTS)
    found = [detect_drift(nights.scores(end - WINDOW, end), nights.documents) for end in ends]
    return sum(one.raised for one in found) / QUIET_NIGHTS, sum(one.lasting for one in found)


def _plant_fall(make: Callable[[int, int, int, Draw], Nights], points: float, draw: Draw) -> tuple[bool, bool]:
    nights = make(WINDOW, DOCUMENTS, QUESTIONS, draw)
    fallen = with_slow_fall(nights, points, draw), with_sudden_fall(nights, points, draw)
    slow, sudden = (detect_drift(one.scores(0, WINDOW), one.documents).raised for one in fallen)
    return slow, sudden


def main() -> None:
    """Print everything."""
    parts_to_run(__doc__, ())
    for part in (say_coverage, say_power, say_p_values, say_alarms):
        part()
        say("")


if __name__ == "__main__":
    main()
