import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy import stats

from benchmarks.evaluation.simulated import partly, whole_or_nothing
from tasks.evaluate.averages import ScoredQuestion, average_scores, compute_bootstrap_interval

shares = st.lists(st.floats(0, 1), min_size=1, max_size=40)


@given(values=shares, confidence=st.floats(0.01, 0.99), seed=st.integers(0, 5))
@example(values=[1.0, 1.0], confidence=0.5, seed=0)
def test_an_interval_lies_around_its_mean_and_is_the_same_each_time(values: list[float], confidence: float, seed: int) -> None:
    interval = compute_bootstrap_interval(values, 100, confidence, seed)
    assert 0 <= interval.low <= interval.high <= 1
    assert min(values) <= interval.value <= max(values)
    assert interval == compute_bootstrap_interval(values, 100, confidence, seed)


@given(value=st.floats(0, 1, exclude_min=True, exclude_max=True), n=st.integers(1, 50))
def test_equal_values_between_none_and_all_leave_no_doubt(value: float, n: int) -> None:
    assert compute_bootstrap_interval([value] * n, 100, 0.95, 0) == (value, value, value)


@given(hits=st.integers(0, 60), misses=st.integers(0, 60), confidence=st.floats(0.5, 0.99))
def test_the_interval_of_hits_and_misses_is_wilsons(hits: int, misses: int, confidence: float) -> None:
    assume(hits + misses > 1)
    interval = compute_bootstrap_interval([1.0] * hits + [0.0] * misses, 100, confidence, 0)
    wilson = stats.binomtest(hits, hits + misses).proportion_ci(confidence, method="wilson")
    assert interval == pytest.approx((hits / (hits + misses), wilson.low, wilson.high), abs=1e-9)


def test_one_value_has_no_interval() -> None:
    assert compute_bootstrap_interval([1.0], 100, 0.95, 0) == (1.0, 1.0, 1.0)


def test_intervals_of_means_cover_at_the_nominal_rate() -> None:
    covered = {"hits": 0, "iou": 0}
    for seed in range(1000):
        draw = np.random.default_rng(seed)
        hits = compute_bootstrap_interval(whole_or_nothing(60, 0.9, draw), 500, 0.95, seed + 10**6)
        iou = compute_bootstrap_interval(partly(60, draw), 500, 0.95, seed + 10**6)
        covered["hits"] += hits.low <= 0.9 <= hits.high
        covered["iou"] += iou.low <= 0.2 <= iou.high
    assert all(930 <= n <= 970 for n in covered.values()), covered


def test_more_confidence_is_a_wider_interval() -> None:
    values = np.random.default_rng(0).random(50)
    narrow, wide = compute_bootstrap_interval(values, 1000, 0.5, 0), compute_bootstrap_interval(values, 1000, 0.99, 0)
    assert wide.low < narrow.low < narrow.value < narrow.high < wide.high


def test_the_interval_is_that_of_the_normal_approximation_for_many_values() -> None:
    values = np.random.default_rng(1).random(2000)
    interval = compute_bootstrap_interval(values, 2000, 0.95, 0)
    half = 1.96 * values.std() / np.sqrt(len(values))
    assert interval.low == pytest.approx(values.mean() - half, abs=half / 5)
    assert interval.high == pytest.approx(values.mean() + half, abs=half / 5)


def test_many_values_are_drawn_in_parts() -> None:
    interval = compute_bootstrap_interval(np.arange(100_000) / 100_000, 100, 0.95, 0)
    assert interval.low < 0.5 < interval.high


def test_no_values_have_no_mean() -> None:
    with pytest.raises(ValueError, match="no values"):
        compute_bootstrap_interval([], 100, 0.95, 0)


def test_rows_are_made_for_each_split_and_domain_and_for_all() -> None:
    scored = [
        ScoredQuestion("1", "test", "law", {("recall", 1): 1.0, ("iou", 1): 0.5}),
        ScoredQuestion("2", "test", "tax", {("recall", 1): 0.0}),
        ScoredQuestion("3", "dev", "law", {("recall", 1): 0.5}),
    ]
    rows = average_scores(scored, "passages", 100, 0.95, 0)
    recalls = {(row["split"], row["domain"]): (row["value"], row["n"]) for row in rows if row["metric"] == "recall"}
    assert recalls == {
        ("all", "all"): (0.5, 3),
        ("all", "law"): (0.75, 2),
        ("all", "tax"): (0.0, 1),
        ("dev", "all"): (0.5, 1),
        ("dev", "law"): (0.5, 1),
        ("test", "all"): (0.5, 2),
        ("test", "law"): (1.0, 1),
        ("test", "tax"): (0.0, 1),
    }
    assert [row["n"] for row in rows if row["metric"] == "iou"] == [1, 1, 1, 1]
    keys = [(row["split"], row["domain"], row["metric"], row["cutoff_unit"], row["cutoff"]) for row in rows]
    assert len(set(keys)) == len(keys)
    assert {row["cutoff_unit"] for row in rows} == {"passages"}


def test_means_are_told_with_and_without_generated_questions() -> None:
    scored = [ScoredQuestion(str(at), "test", "law", {("recall", 5): float(at)}, {}, at == 1) for at in range(3)]
    rows = {
        row["split"]: (row["value"], row["n"]) for row in average_scores(scored, "chunks", 100, 0.95, 0) if row["domain"] == "all"
    }
    assert rows == {"all": (1, 3), "test": (1, 3), "all but generated": (1, 2), "all generated": (1, 1)}
    only = average_scores(scored[1:2], "chunks", 100, 0.95, 0)
    assert {row["split"] for row in only} == {"all", "test"}
