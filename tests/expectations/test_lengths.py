from collections import Counter
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from expectations.lengths import Lengths, Profile, count_chunk_lengths, kl_divergence, make_length_profile

CHUNKS = st.lists(st.tuples(st.integers(0, 9), st.integers(1, 300), st.integers(1, 900)), max_size=60)
"""Document, tokens, characters."""


def measured(chunks: Sequence[tuple[int, int, int]]) -> Lengths:
    documents = [document for document, _, _ in chunks]
    alone = pa.array([f"d{document}" for document in set(documents) if documents.count(document) == 1], pa.string())
    columns = ([f"d{document}" for document in documents], [n for _, n, _ in chunks], [n for _, _, n in chunks])
    types = (pa.string(), pa.int32(), pa.int64())
    arrays = [pa.chunked_array([pa.array(column, kind)]) for column, kind in zip(columns, types, strict=True)]
    return count_chunk_lengths(pa.table(arrays, ["document_id", "n_tokens", "n_chars"]), alone)


@given(chunks=CHUNKS, parting=st.sets(st.integers(0, 9)))
def test_lengths_of_parts_together_are_those_of_the_whole_and_less_one_part_those_of_the_other(
    chunks: list[tuple[int, int, int]], parting: set[int]
) -> None:
    whole = measured(chunks)
    one = measured([chunk for chunk in chunks if chunk[0] in parting])
    other = measured([chunk for chunk in chunks if chunk[0] not in parting])
    assert one + other == whole
    assert whole - one == other
    assert (whole - one).is_possible
    assert whole.n == len(chunks)


@given(chunks=CHUNKS)
def test_lengths_survive_json(chunks: list[tuple[int, int, int]]) -> None:
    lengths = measured(chunks)
    assert Lengths.model_validate_json(lengths.model_dump_json()) == lengths


@given(chunks=CHUNKS.filter(bool))
def test_more_than_there_is_cannot_be_taken_away(chunks: list[tuple[int, int, int]]) -> None:
    assert not (Lengths() - measured(chunks)).is_possible


lengths = st.lists(st.integers(1, 256), min_size=1, max_size=300).map(Counter)


@given(values=lengths, limit=st.integers(1, 512))
def test_a_profile_is_a_distribution_without_zero_weights(values: Counter[int], limit: int) -> None:
    profile = make_length_profile(values, limit)
    assert min(profile.weights) > 0
    assert sum(profile.weights) == pytest.approx(1)
    assert profile.n == values.total()
    assert profile.mean == pytest.approx(np.mean(list(values.elements())))
    assert (profile.edges[0], profile.edges[-1]) == (0, limit)


@given(values=lengths)
def test_a_profile_survives_json(values: Counter[int]) -> None:
    profile = make_length_profile(values, 256)
    assert Profile.model_validate_json(profile.model_dump_json()) == profile


@given(values=lengths, others=lengths)
def test_divergence_is_finite_and_never_negative(values: Counter[int], others: Counter[int]) -> None:
    divergence = kl_divergence(values, make_length_profile(others, 256))
    assert -1e-9 <= divergence < 20


def test_lengths_diverge_hardly_from_their_own_profile_and_much_from_another() -> None:
    long, short = Counter({250: 1000}), Counter({20: 1000})
    assert kl_divergence(long, make_length_profile(long, 256)) < 0.01
    assert kl_divergence(short, make_length_profile(long, 256)) > 5


def test_no_chunks_have_no_profile() -> None:
    with pytest.raises(ValueError, match="no chunks"):
        make_length_profile({}, 256)


@pytest.mark.parametrize(
    ("edges", "weights"), [((0, 1), (0.5, 0.5)), ((1, 0), (1,)), ((0, 1, 2), (0, 1)), ((0, 1, 2), (0.5, 0.6))]
)
def test_what_is_no_distribution_is_no_profile(edges: tuple[float, ...], weights: tuple[float, ...]) -> None:
    with pytest.raises(ValidationError):
        Profile(edges=edges, weights=weights, n=1, mean=1)
