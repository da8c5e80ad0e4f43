import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tasks.describe.figure_types import UNSURE, average_label_vectors, find_nearest_types

NAMES = ["bar chart", "map", "logo"]
VECTORS = arrays(np.float32, (3, 4), elements=st.floats(-1, 1, width=32))


def test_below_the_least_confidence_the_type_is_figure_and_the_confidence_stays() -> None:
    (found,) = find_nearest_types(np.eye(3, dtype=np.float32)[:1], np.eye(3, dtype=np.float32), NAMES, 1.0, 0.9)
    assert found.kind == UNSURE
    assert 0.5 < found.confidence < 0.6


def test_of_equally_near_labels_the_first_is_taken() -> None:
    (found,) = find_nearest_types(np.ones((1, 2), np.float32), np.ones((3, 2), np.float32), NAMES, 10.0, 0.0)
    assert found.kind == "bar chart"


@given(pictures=VECTORS, labels=VECTORS, scale=st.floats(0.1, 100), least=st.floats(0, 1))
def test_a_type_is_a_label_or_figure_and_its_confidence_a_share(pictures, labels, scale, least) -> None:  # type: ignore[no-untyped-def]
    for found in find_nearest_types(pictures, labels, NAMES, scale, least):
        assert found.kind in (*NAMES, UNSURE)
        assert 1 / 3 - 1e-3 <= found.confidence <= 1
        assert (found.kind == UNSURE) or found.confidence >= least - 1e-3


@given(prompts=st.lists(VECTORS, min_size=1, max_size=4))
def test_a_labels_vector_is_the_direction_of_its_prompts_mean(prompts) -> None:  # type: ignore[no-untyped-def]
    for vector, given_ in zip(average_label_vectors(prompts), prompts, strict=True):
        mean = given_.mean(axis=0)
        assert np.linalg.norm(vector) < 1 + 1e-4
        assert np.allclose(vector * np.linalg.norm(mean), mean, atol=1e-4)
