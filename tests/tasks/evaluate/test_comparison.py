import json
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from expectations.expected import Finding
from expectations.sentences import describe_finding, list_refusals, list_warnings
from tasks.evaluate.comparison import (
    Pair,
    Regression,
    compare_metric,
    compute_detectable_difference,
    compute_paired_interval,
    holm,
    judge_regression,
    pair_scores,
    permutation_p,
    t_test_p,
)

VALUES = st.sampled_from([0.0, 0.25, 0.5, 1.0])
SOME_PAIRS = st.lists(st.tuples(st.sampled_from("abcd"), VALUES, VALUES), min_size=1, max_size=9).map(
    lambda rows: [Pair(str(at), *row) for at, row in enumerate(rows)]
)


@settings(deadline=None, max_examples=30)
@given(pairs=SOME_PAIRS.filter(lambda pairs: len(pairs) > 1))
def test_the_permutation_test_tries_every_swap_of_few_questions(pairs: list[Pair]) -> None:
    a, b = np.array([pair.a for pair in pairs]), np.array([pair.b for pair in pairs])
    sums = [abs(np.dot(signs, b - a)) for signs in product((1, -1), repeat=len(pairs))]
    extreme = np.mean([found >= abs((b - a).sum()) - 1e-9 for found in sums])
    assert permutation_p(a, b, 0) == pytest.approx(extreme)


@given(pairs=SOME_PAIRS.filter(lambda pairs: len(pairs) > 1))
def test_the_t_test_is_scipys(pairs: list[Pair]) -> None:
    a, b = np.array([pair.a for pair in pairs]), np.array([pair.b for pair in pairs])
    differences = b - a
    if np.ptp(differences) == 0:
        assert t_test_p(a, b) == (1.0 if not differences[0] else 0.0)
    else:
        assert t_test_p(a, b) == pytest.approx(stats.ttest_1samp(differences, 0).pvalue)


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holms_correction_rejects_what_stepping_down_rejects(p_values: list[float]) -> None:
    corrected = holm(p_values)
    for level in (0.01, 0.05, 0.5):
        rejected = set[int]()
        for rank, at in enumerate(np.argsort(p_values, kind="stable").tolist()):
            if min(1.0, p_values[at] * (len(p_values) - rank)) > level:
                break
            rejected.add(at)
        assert {at for at, p in enumerate(corrected) if p <= level} == rejected


def drawn(n_documents: int, effect: float, seed: int) -> list[Pair]:
    """Pairs of a few questions for each document, whose differences have a part in common."""
    dice = np.random.default_rng(seed)
    pairs = []
    for document in range(n_documents):
        common = dice.normal(0, 0.1)
        for question in range(dice.integers(1, 6)):
            a = dice.uniform(0, 1)
            pairs.append(Pair(f"{document}-{question}", str(document), a, a + effect + common + dice.normal(0, 0.2)))
    return pairs


def test_intervals_cover_a_planted_effect_at_the_nominal_rate() -> None:
    covered = []
    for seed in range(1000):
        found = compute_paired_interval(drawn(40, 0.05, seed), 1000, 0.95, seed + 10**6)
        covered.append(found.low <= 0.05 <= found.high)
    assert 0.93 <= np.mean(covered) <= 0.97


def test_a_difference_of_the_detectable_size_is_found_as_often_as_promised() -> None:
    dice, found = np.random.default_rng(1), []
    detectable = compute_detectable_difference(dice.normal(0, 1, 4000), 0.05)
    assert detectable is not None
    for _ in range(2000):
        shifted = dice.normal(detectable * np.sqrt(4000 / 50), 1, 50)
        found.append(stats.ttest_1samp(shifted, 0).pvalue < 0.05)
    assert np.mean(found) == pytest.approx(0.8, abs=0.03)


def test_questions_are_won_lost_and_tied() -> None:
    pairs = [Pair("1", "a", 0.0, 1.0), Pair("2", "a", 1.0, 0.5), Pair("3", "b", 0.1 + 0.2, 0.3)]
    found = compare_metric("recall", 5, pairs, 200, 0.95, 0)
    assert (found.won, found.lost, found.tied, found.n, found.n_documents) == (1, 1, 1, 3, 2)
    assert found.difference == pytest.approx(found.b - found.a)
    assert found.low is not None and found.high is not None
    assert found.low <= found.difference <= found.high


def test_one_question_has_no_p_value_and_one_document_no_interval() -> None:
    found = compare_metric("recall", 5, [Pair("1", "a", 0.0, 1.0)], 200, 0.95, 0)
    assert (found.low, found.high, found.p_permutation, found.p_t, found.detectable) == (None,) * 5
    assert compare_metric("recall", 5, [Pair("1", "a", 0.0, 1.0), Pair("2", "a", 0.0, 0.5)], 200, 0.95, 0).p_t is not None


def test_equal_evaluations_differ_in_nothing() -> None:
    pairs = [Pair(str(at), str(at), at / 9, at / 9) for at in range(9)]
    found = compare_metric("recall", 5, pairs, 200, 0.95, 0)
    assert (found.difference, found.low, found.high, found.p_permutation, found.p_t, found.detectable) == (0, 0, 0, 1, 1, 0)


def test_only_questions_of_both_evaluations_are_pairs() -> None:
    assert pair_scores({"1": 0.0, "2": 1.0, "3": 0.5}, {"2": 0.5, "3": 0.5, "4": 1.0}, {"2": "a", "4": "b"}) == [
        Pair("2", "a", 1.0, 0.5)
    ]


def pairs(n: int, *after: float, documents: int = 20) -> list[Pair]:
    """Return questions that were all answered before; `after` repeats."""
    return [Pair(str(at), f"document {at % documents}", 1.0, after[at % len(after)]) for at in range(n)]


def judged(found: list[Pair], max_drop: float = 0.02) -> Finding:
    return judge_regression("recall@5", found, max_drop, 0.95, 1000, 0)


def test_a_fall_beyond_chance_and_tolerance_refuses() -> None:
    finding = judged(pairs(90, 1.0, 1.0, 0.0))
    (line,) = list_refusals([finding])
    assert line.startswith("recall@5 of 90 questions fell from 1 to 0.6667, by 0.3333 and more than 0.2")
    assert "0.02 allowed (gate.max_drop); look at the lost questions" in line


@pytest.mark.parametrize("found", [pairs(90, 1.0), pairs(90, *[1.0] * 89, 0.0), pairs(4, 1.0, 1.0, 0.0), []])
def test_no_fall_a_small_fall_and_one_that_may_be_chance_are_let_through(found: list[Pair]) -> None:
    finding = judged(found)
    assert finding.success
    assert "a fall of 0.02 is allowed (gate.max_drop)" in describe_finding(finding)


def test_a_fall_within_the_tolerance_is_let_through() -> None:
    assert judged(pairs(90, 1.0, 1.0, 0.0), max_drop=0.5).success


def test_questions_about_one_document_are_drawn_one_by_one() -> None:
    assert judged(pairs(90, 1.0, 1.0, 0.0, documents=1)).refuses


def test_a_single_question_only_warns() -> None:
    finding = judged(pairs(1, 0.0))
    assert not finding.refuses and json.loads(finding.observed)["n"] == 1
    assert list_warnings([finding])


def test_a_fallen_question_is_told_with_its_reason() -> None:
    assert str(Regression("q1", "Who?", 1.0, 0.25, "cut")) == "question q1 (1.00 to 0.25, cut): Who?"
