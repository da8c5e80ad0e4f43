from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from tasks.parse.judge.trees import Array
from training.judges.boosting import OPTIONS, train_trees, trees_of

lightgbm = pytest.importorskip("lightgbm", reason="only the extra `train` brings it")


def _drawn(n_labels: int) -> tuple[Array, Array]:
    """Return 400 rows of five features, some without numbers, and labels that depend on them."""
    draw = np.random.default_rng(3)
    rows = draw.normal(size=(400, 5))
    labels = np.digitize(rows[:, 0] + rows[:, 1] * (rows[:, 2] > 0), np.linspace(-0.5, 0.5, n_labels + 1)[1:-1])
    rows[:, 1][draw.random(400) < 0.3] = np.nan
    return rows, labels


BINARY = {"objective": "binary"}
THREE = {"objective": "multiclass", "num_class": 3}


@pytest.mark.parametrize(("n_labels", "objective"), [(2, BINARY), (3, THREE)])
def test_trees_give_the_probabilities_that_lightgbm_gives(n_labels: int, objective: Mapping[str, Any]) -> None:
    rows, labels = _drawn(n_labels)
    booster = lightgbm.train({**OPTIONS, **objective}, lightgbm.Dataset(rows, labels), 12)
    given = rows.copy()
    given[:50, 0] = np.nan  # never missing in training
    likely = trees_of(booster).probabilities(given)
    assert np.allclose(likely, np.reshape(booster.predict(given), likely.shape), atol=1e-12)


def test_trained_trees_tell_most_labels() -> None:
    rows, labels = _drawn(2)
    trees = train_trees(rows, labels, np.ones(len(rows)), list("abcde"), rounds=40)
    assert trees.features == tuple("abcde")
    assert ((trees.probabilities(rows)[:, 0] > 0.5) == labels).mean() > 0.9
