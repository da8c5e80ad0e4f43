import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.evaluate.answers.matching import States, bertscore


def states(n: int, seed: int) -> States:
    return np.random.default_rng(seed).normal(size=(n, 5)).astype(np.float32)


def test_each_token_is_matched_with_its_nearest() -> None:
    answer = np.array([[2, 0], [0, 3]], np.float32)
    found = bertscore(answer, np.array([[1, 0]], np.float32))
    assert found == pytest.approx((0.5, 1.0, 2 / 3))


@given(n=st.integers(1, 6), m=st.integers(1, 6), seed=st.integers(0, 999))
def test_a_score_is_that_of_pairs_taken_one_by_one(n: int, m: int, seed: int) -> None:
    answer, expected = states(n, seed), states(m, seed + 1)

    def best(of: States, among: States) -> float:
        cosines = [[float(a @ b / np.linalg.norm(a) / np.linalg.norm(b)) for b in among] for a in of]
        return max(0.0, sum(map(max, cosines)) / len(of))

    found = bertscore(answer, expected)
    assert (found.precision, found.recall) == pytest.approx((best(answer, expected), best(expected, answer)), abs=1e-5)
    other = bertscore(expected, answer)
    assert (other.precision, other.recall, other.f1) == pytest.approx((found.recall, found.precision, found.f1), abs=1e-6)


@given(n=st.integers(1, 6), seed=st.integers(0, 999))
def test_the_order_of_tokens_does_not_count(n: int, seed: int) -> None:
    answer = states(n, seed)
    assert bertscore(answer, answer[::-1]).f1 == pytest.approx(1, abs=1e-5)


def test_without_tokens_nothing_matches() -> None:
    assert bertscore(states(0, 1), states(2, 1)) == bertscore(states(2, 1), states(0, 1)) == (0, 0, 0)
