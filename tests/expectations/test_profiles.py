from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from expectations.profiles import Profile, kl_divergence, length_profile

lengths = st.lists(st.integers(1, 256), min_size=1, max_size=300).map(Counter)


@given(values=lengths, limit=st.integers(1, 512))
def test_a_profile_is_a_distribution_without_zero_weights(values: Counter[int], limit: int) -> None:
    profile = length_profile(values, limit)
    assert min(profile.weights) > 0
    assert sum(profile.weights) == pytest.approx(1)
    assert profile.n == values.total()
    assert profile.mean == pytest.approx(np.mean(list(values.elements())))
    assert (profile.edges[0], profile.edges[-1]) == (0, limit)


@given(values=lengths)
def test_a_profile_survives_json(values: Counter[int]) -> None:
    profile = length_profile(values, 256)
    assert Profile.model_validate_json(profile.model_dump_json()) == profile


@given(values=lengths, others=lengths)
def test_divergence_is_finite_and_never_negative(values: Counter[int], others: Counter[int]) -> None:
    divergence = kl_divergence(values, length_profile(others, 256))
    assert -1e-9 <= divergence < 20


def test_lengths_diverge_hardly_from_their_own_profile_and_much_from_another() -> None:
    long, short = Counter({250: 1000}), Counter({20: 1000})
    assert kl_divergence(long, length_profile(long, 256)) < 0.01
    assert kl_divergence(short, length_profile(long, 256)) > 5


def test_no_chunks_have_no_profile() -> None:
    with pytest.raises(ValueError, match="no chunks"):
        length_profile({}, 256)


@pytest.mark.parametrize(
    ("edges", "weights"), [((0, 1), (0.5, 0.5)), ((1, 0), (1,)), ((0, 1, 2), (0, 1)), ((0, 1, 2), (0.5, 0.6))]
)
def test_what_is_no_distribution_is_no_profile(edges: tuple[float, ...], weights: tuple[float, ...]) -> None:
    with pytest.raises(ValidationError):
        Profile(edges=edges, weights=weights, n=1, mean=1)
