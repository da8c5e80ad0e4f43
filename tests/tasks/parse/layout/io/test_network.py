"""The network in NumPy says what the model's file says, run by onnxruntime."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.parse.layout.io import layout_model
from tasks.parse.layout.io.layout_inputs import PageInputs

N_FEATURES, N_PATTERNS = 118, 40


@pytest.fixture(scope="module")
def model() -> Any:
    layout_model.load()
    return layout_model._model()


def lines(n: int, seed: int) -> PageInputs:
    """Return `n` lines at random places, with features and patterns of the size that they have."""
    chance = np.random.default_rng(seed)
    corners = chance.uniform(0, 500, (n, 2))
    boxes = np.concatenate([corners, corners + chance.uniform(5, 90, (n, 2))], axis=1).astype(np.float32)
    features, patterns = (chance.uniform(0, 2, (n, size)).astype(np.float32) for size in (N_FEATURES, N_PATTERNS))
    return PageInputs(boxes.tolist(), features, patterns)


@given(n=st.integers(1, 60), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=20, deadline=None, derandomize=True)  # of neighbours that are equally near, either may be taken
def test_scores_are_those_of_the_models_file(model: Any, n: int, seed: int) -> None:
    _, page = layout_model._as_graph(lines(n, seed))
    named = {
        "x": page.boxes,
        "edge_index": page.pairs,
        "edge_attr": page.relations,
        "k": np.array(min(n, model.cfg["model"]["sample_k"])),
        "batch": np.zeros(n, np.int64),
        "rf_features": page.features,
        "text_patterns": page.patterns,
    }
    for mine, theirs in zip(layout_model._network().scores(page), model.session.run(None, named), strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-3, rtol=1e-3)
