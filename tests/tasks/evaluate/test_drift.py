import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from benchmarks.evaluation.simulated import (
    Nights,
    edited_nights,
    trembling_nights,
    with_slow_fall,
    with_sudden_fall,
)
from tasks.evaluate.drift import WINDOW, Values, compute_p_values, detect_drift, fit_rises, sum_sign_flips

MOVED = st.lists(st.sampled_from([-1.0, -0.5, 0.25, 1.0]), min_size=2, max_size=11)


def fall_p(totals: Values) -> float:
    return float(compute_p_values(sum_sign_flips(totals[:, None], 0))[0, 0])


def still(seed: int) -> Nights:
    return edited_nights(WINDOW, 40, 236, np.random.default_rng(seed), share=0.0)


@settings(deadline=None)
@given(MOVED)
def test_the_p_value_of_few_documents_is_scipys(totals: list[float]) -> None:
    found = stats.permutation_test(
        (np.array(totals),), np.sum, permutation_type="samples", alternative="less", vectorized=True, n_resamples=9999
    )
    assert fall_p(np.array(totals)) == pytest.approx(found.pvalue)


def test_the_p_value_of_many_documents_is_near_the_normal_one() -> None:
    totals = np.random.default_rng(0).normal(-0.1, 1, 400)
    normal = stats.norm.cdf(totals.sum() / np.sqrt((totals**2).sum()))
    assert fall_p(totals) == pytest.approx(normal, abs=0.01)


@given(st.lists(st.lists(st.floats(0, 1) | st.none(), min_size=7, max_size=7), min_size=1, max_size=5))
def test_a_trend_is_the_line_of_least_squares(rows: list[list[float | None]]) -> None:
    values = np.array(rows, dtype=np.float64)
    for row, trend in zip(values, fit_rises(values), strict=True):
        there = np.flatnonzero(~np.isnan(row))
        if len(there) < 5:
            assert np.isnan(trend)
        else:
            assert trend == pytest.approx(6 * stats.linregress(there, row[there]).slope, abs=1e-9)


@pytest.mark.parametrize("make", [trembling_nights, edited_nights])
def test_at_most_one_in_twenty_quiet_nights_raises_the_alarm(make: object) -> None:
    assert callable(make)
    raised = []
    for seed in range(200):
        nights = make(WINDOW, 40, 236, np.random.default_rng(seed))
        raised.append(detect_drift(nights.scores(0, WINDOW), nights.documents).raised)
    assert np.mean(raised) <= 0.08  # 0.05, and twice the standard error of 200 nights


@pytest.mark.parametrize("seed", range(5))
def test_a_slow_fall_of_three_points_in_thirty_nights_is_found(seed: int) -> None:
    nights = with_slow_fall(still(seed), 3, np.random.default_rng(seed))
    found = detect_drift(nights.scores(0, WINDOW), nights.documents)
    assert found.raised and found.slow is not None
    assert -0.06 < found.slow.change < -0.01
    assert "points in a trend over 30 nights" in found.message


@pytest.mark.parametrize("seed", range(5))
def test_a_sudden_fall_of_three_points_is_found(seed: int) -> None:
    nights = with_sudden_fall(still(seed), 3, np.random.default_rng(seed))
    found = detect_drift(nights.scores(0, WINDOW), nights.documents)
    assert found.raised and found.sudden is not None
    assert found.sudden.change == pytest.approx(-0.03, abs=0.005)
    assert "points since the night before" in found.message


def test_a_fall_of_eight_points_is_found_while_scores_tremble_and_holds_for_a_month() -> None:
    draw = np.random.default_rng(3)
    nights = with_sudden_fall(trembling_nights(WINDOW, 40, 236, draw), 8, draw)
    assert detect_drift(nights.scores(0, WINDOW), nights.documents).lasting


def test_a_document_whose_questions_fall_together_is_one_observation() -> None:
    documents = {f"{document}-{at}": str(document) for document in range(10) for at in range(20)}
    before = dict.fromkeys(documents, 1.0)
    found = detect_drift([before, before | {f"0-{at}": 0.0 for at in range(20)}], documents)
    assert found.sudden is not None
    assert (found.raised, found.sudden.p, found.sudden.n_units, found.sudden.unit) == (False, 0.5, 1, "document")


def test_questions_count_where_there_are_too_few_documents() -> None:
    documents = {str(at): "manual" for at in range(20)}
    before = dict.fromkeys(documents, 1.0)
    found = detect_drift([before, before | {str(at): 0.0 for at in range(8)}], documents)
    assert found.sudden is not None and found.raised
    assert (found.sudden.unit, found.sudden.p) == ("question", 2.0**-8)
    assert found.message == "alarm: -40.0 points since the night before (p 0.0039, 20 questions, by question)"


@pytest.mark.parametrize("seed", range(3))
def test_a_rise_is_no_alarm(seed: int) -> None:
    nights = with_sudden_fall(still(seed), 8, np.random.default_rng(seed)).scores(0, WINDOW)
    assert not detect_drift([*nights[:-2], nights[-1], nights[-2]], still(seed).documents).raised


def test_equal_scores_raise_no_alarm() -> None:
    nights = still(0)
    found = detect_drift(nights.scores(0, WINDOW), nights.documents)
    assert not found.raised and found.sudden and found.slow
    assert (found.sudden.p, found.slow.p, found.sudden.change) == (1.0, 1.0, 0.0)
    assert "no alarm: +0.0 points" in found.message


@pytest.mark.parametrize("nights", [[], [{}], [{"1": 0.5}], [{"1": 1.0}, {"2": 0.0}]])
def test_nothing_to_compare_raises_no_alarm(nights: list[dict[str, float]]) -> None:
    found = detect_drift(nights, {"1": "a", "2": "a"})
    assert (found.raised, found.sudden, found.slow) == (False, None, None)
    assert found.message == "no alarm: there is no earlier evaluation with the same questions"


def test_few_nights_have_no_trend_and_only_the_last_thirty_count() -> None:
    nights = still(0)
    assert detect_drift(nights.scores(0, 4), nights.documents).slow is None
    assert detect_drift(nights.scores(0, WINDOW) * 2, nights.documents).n_nights == WINDOW
