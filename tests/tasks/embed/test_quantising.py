import numpy as np
import pytest

from tasks.embed.bert import Linear, compute_states
from tasks.embed.quantising import Likeness, calibrate_scales, measure_likeness, quantise_weight, sample_token_ids
from tests.tasks.embed.test_bert import a_bert


def test_weights_come_back_from_8_bits_within_half_a_step() -> None:
    weight = np.random.default_rng(0).normal(size=(5, 9)).astype(np.float32)
    weight[2] = 0
    whole = quantise_weight(weight)
    assert whole.weight.dtype == np.int8 and np.abs(whole.weight).max() == 127
    assert (np.abs(whole.weight * whole.factor - weight) <= whole.factor / 2 + 1e-7).all()


def test_samples_are_the_same_at_every_call_and_stand_between_the_special_ids() -> None:
    ids = sample_token_ids(1000, [101, 102])
    assert ids == sample_token_ids(1000, [101, 102])
    assert {(row[0], row[-1]) for row in ids} == {(101, 102)}
    assert all(0 <= token < 1000 for row in ids for token in row[1:-1])


def test_scales_are_powers_of_two_that_even_out_columns_and_weights() -> None:
    bert = a_bert()
    loud = bert.norm.weight.copy()
    loud[3] *= 1000
    bert = bert._replace(norm=Linear(loud, bert.norm.bias))
    ids = [[1, 2, 3], [4, 5]]
    scales, made = calibrate_scales(bert, ids)
    assert set(scales) == {(number, name) for number in (0, 1) for name in ("attend", "attended", "widen", "narrow")}
    assert all(np.log2(scale).tolist() == np.round(np.log2(scale)).tolist() for scale in scales.values())
    assert scales[0, "attend"].argmax() == 3
    assert all(np.allclose(left, right, atol=1e-4) for left, right in zip(made, compute_states(bert, ids), strict=True))


def test_likeness_compares_vectors_and_their_neighbours() -> None:
    exact = np.random.default_rng(0).normal(size=(30, 8)).astype(np.float32)
    exact /= np.linalg.norm(exact, axis=1, keepdims=True)
    assert measure_likeness(exact, exact) == pytest.approx(Likeness(1.0, 1.0, 1.0))
    other = exact.copy()
    other[0] = -exact[0]
    found = measure_likeness(other, exact)
    assert found.mean == pytest.approx(28 / 30, abs=1e-5)
    assert found.least == pytest.approx(-1)
    assert found.neighbours < 1
