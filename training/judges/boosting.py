"""Boosting: trains decision trees with LightGBM, and takes them over into the form that parsing evaluates."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tasks.parse.judge.trees import Array, Trees

if TYPE_CHECKING:
    import lightgbm

OPTIONS: Mapping[str, Any] = {
    "num_leaves": 15,
    "learning_rate": 0.05,
    "min_data_in_leaf": 20,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "verbose": -1,
    "num_threads": 1,
    "deterministic": True,
    "force_row_wise": True,
    "seed": 1,
}
"""Small trees, each of half of the features and four fifths of the rows, so that no source is learned by heart."""
ROUNDS = 250


def train_trees(
    rows: Array,
    labels: Array,
    weights: Array,
    features: Sequence[str],
    rounds: int = ROUNDS,
    options: Mapping[str, Any] | None = None,
) -> Trees:
    """Return trees that tell `labels` (n), whole numbers from 0, from `rows` (n, features), each row with its weight.

    Of two labels the trees have one class, 1; of more one for each.
    """
    import lightgbm

    n_classes = int(labels.max()) + 1
    objective = {"objective": "binary"} if n_classes <= 2 else {"objective": "multiclass", "num_class": n_classes}
    data = lightgbm.Dataset(rows, labels, weight=weights, feature_name=list(features))
    return trees_of(lightgbm.train({**OPTIONS, **objective, **(options or {})}, data, rounds))


def trees_of(booster: "lightgbm.Booster") -> Trees:
    """Return the trees of a LightGBM model without categorical features."""
    model = booster.dump_model()
    nodes: list[_Node] = []
    roots, depth = [], 0
    for tree in model["tree_info"]:
        roots.append(len(nodes))
        depth = max(depth, _add(tree["tree_structure"], nodes))
    columns = [np.array(column) for column in zip(*nodes, strict=True)]
    return Trees(
        tuple(model["feature_names"]),
        np.array(roots, np.int32),
        columns[0].astype(np.int16),
        columns[1].astype(np.float64),
        columns[2].astype(bool),
        columns[3].astype(np.int32),
        columns[4].astype(np.int32),
        columns[5].astype(np.float64),
        np.zeros(model["num_tree_per_iteration"]),  # LightGBM adds it to the leaves of the first trees
        depth,
    )


_Node = list[Any]
"""Feature, threshold, missing_left, left, right and value of a node."""


def _add(node: Mapping[str, Any], nodes: list[_Node]) -> int:
    """Append a node and all below it to `nodes`; return how many comparisons lead to the lowest leaf."""
    at = len(nodes)
    if "split_feature" not in node:
        nodes.append([0, 0.0, False, at, at, node["leaf_value"]])
        return 0
    nan = node["missing_type"] == "NaN"  # otherwise LightGBM takes what is missing for 0
    left = node["default_left"] if nan else node["threshold"] >= 0
    nodes.append([node["split_feature"], node["threshold"], left, at + 1, 0, 0.0])
    before = _add(node["left_child"], nodes)
    nodes[at][4] = len(nodes)
    return 1 + max(before, _add(node["right_child"], nodes))
