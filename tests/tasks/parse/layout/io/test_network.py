"""The network in NumPy says what the model's file says, run by onnxruntime."""

from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.parse.layout.io import layout_model, network
from tasks.parse.layout.io.layout_inputs import PageInputs

N_FEATURES, N_PATTERNS = 118, 40
CONTENT = files("pymupdf.layout").joinpath(f"{layout_model.MODEL_FILE}.onnx").read_bytes()
IN_NUMPY = network.network_of(CONTENT)


@pytest.fixture(scope="module")
def by_onnxruntime() -> network.Run:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(network, "IN_NUMPY", False)
        return network.network_of(CONTENT)


def lines(n: int, seed: int) -> PageInputs:
    """Return `n` lines at random places, with features and patterns of the size that they have."""
    chance = np.random.default_rng(seed)
    corners = chance.uniform(0, 500, (n, 2))
    boxes = np.concatenate([corners, corners + chance.uniform(5, 90, (n, 2))], axis=1).astype(np.float32)
    features, patterns = (chance.uniform(0, 2, (n, size)).astype(np.float32) for size in (N_FEATURES, N_PATTERNS))
    return PageInputs(boxes.tolist(), features, patterns)


@given(n=st.integers(1, 60), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=20, deadline=None, derandomize=True)  # of neighbours that are equally near, either may be taken
def test_scores_are_those_of_the_models_file(by_onnxruntime: network.Run, n: int, seed: int) -> None:
    graph = layout_model._as_graph(lines(n, seed))
    for mine, theirs in zip(IN_NUMPY(graph), by_onnxruntime(graph), strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-3, rtol=1e-3)
