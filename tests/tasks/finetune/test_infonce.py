"""InfoNCE is what its formula says, and its gradient is that of its value."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tasks.finetune.infonce import Matrix, info_nce


def unit(drawn: np.random.Generator, n: int, dimension: int) -> Matrix:
    vectors = drawn.normal(size=(n, dimension))
    found: Matrix = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return found


def case(seed: int, n: int, extra: int) -> tuple[Matrix, Matrix, NDArray[np.int64], NDArray[np.bool_]]:
    drawn = np.random.default_rng(seed)
    allowed = drawn.random((n, n + extra)) < 0.7
    return unit(drawn, n, 5), unit(drawn, n + extra, 5), drawn.permutation(n + extra)[:n], allowed


@given(st.integers(0, 999), st.integers(1, 6), st.integers(0, 4), st.sampled_from([0.02, 0.1, 1.0]))
def test_the_loss_is_the_mean_of_minus_log_of_the_softmax(seed: int, n: int, extra: int, temperature: float) -> None:
    questions, chunks, positives, allowed = case(seed, n, extra)
    expected = []
    for row in range(n):
        others = [at for at in range(n + extra) if allowed[row, at] or at == positives[row]]
        weights = {at: np.exp(questions[row] @ chunks[at] / temperature) for at in others}
        expected.append(-np.log(weights[positives[row]] / sum(weights.values())))
    found = info_nce(questions, chunks, positives, allowed, temperature)
    assert found.value == pytest.approx(np.mean(expected)) and found.value >= 0


@given(st.integers(0, 999), st.integers(1, 4), st.integers(0, 3))
def test_the_gradients_are_those_of_small_differences(seed: int, n: int, extra: int) -> None:
    questions, chunks, positives, allowed = case(seed, n, extra)
    found = info_nce(questions, chunks, positives, allowed, 0.3)
    for vectors, gradient in ((questions, found.by_questions), (chunks, found.by_chunks)):
        for at in np.ndindex(vectors.shape):
            before, small = vectors[at], 1e-6
            values = []
            for moved in (before + small, before - small):
                vectors[at] = moved
                values.append(info_nce(questions, chunks, positives, allowed, 0.3).value)
            vectors[at] = before
            assert gradient[at] == pytest.approx((values[0] - values[1]) / (2 * small), abs=1e-5)


def test_a_question_without_other_chunks_teaches_nothing() -> None:
    questions, chunks, positives, _ = case(0, 3, 2)
    found = info_nce(questions, chunks, positives, np.zeros((3, 5), bool), 0.05)
    assert found.value == 0 and not found.by_questions.any() and not found.by_chunks.any()


def test_cosines_far_beyond_the_temperature_overflow_nothing() -> None:
    vectors = np.eye(2)
    found = info_nce(vectors, vectors, np.array([1, 0]), np.ones((2, 2), bool), 0.001)
    assert found.value == pytest.approx(1000) and np.isfinite(found.by_chunks).all()
