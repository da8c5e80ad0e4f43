"""Gradient-boosted decision trees: scores and probabilities of rows of features, computed with NumPy.

They are trained by `training.judges.boosting`, which writes them as the file that `trees_of` reads.
"""

from dataclasses import dataclass, fields
from io import BytesIO
from typing import Any, Self

import numpy as np

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Trees:
    """Trees over rows of `features`. A tree belongs to the class that its number gives modulo the number of classes.

    All nodes of all trees stand in one row, a node's children after it. Node n compares its feature `feature[n]` with
    `threshold[n]`: rows with at most this go to `left[n]`, others to `right[n]`, and those without a number (NaN) to `left[n]`
    where `missing_left[n]`. A leaf is its own child. `value[n]` is what a leaf adds to the score of its class. `roots` are the
    first nodes of the trees, `depth` is the largest number of comparisons, and `start` the score of each class before any tree.
    """

    features: tuple[str, ...]
    roots: Array
    feature: Array
    threshold: Array
    missing_left: Array
    left: Array
    right: Array
    value: Array
    start: Array
    depth: int

    @classmethod
    def of_file(cls, content: bytes) -> Self:
        """Return the trees of a file that `as_file` made."""
        with np.load(BytesIO(content), allow_pickle=False) as stored:
            values = {field.name: stored[field.name] for field in fields(cls)}
        return cls(**{**values, "features": tuple(map(str, values["features"])), "depth": int(values["depth"])})

    def as_file(self) -> bytes:
        """Return the trees as an NPZ file, compressed."""
        file = BytesIO()
        arrays: dict[str, Any] = {field.name: np.asarray(getattr(self, field.name)) for field in fields(self)}
        np.savez_compressed(file, **arrays)
        return file.getvalue()

    def scores(self, rows: Array) -> Array:
        """Return the score of each class (n, classes) for rows of features (n, features), in the order of `features`.

        Raises:
            ValueError: the rows have another number of features.
        """
        if rows.ndim != 2 or rows.shape[1] != len(self.features):
            raise ValueError(f"rows of {len(self.features)} features are needed, not of shape {rows.shape}")
        nodes = np.tile(self.roots, (len(rows), 1))
        at = np.arange(len(rows))[:, None]
        for _ in range(self.depth):
            given = rows[at, self.feature[nodes]]
            leftwards = np.where(np.isnan(given), self.missing_left[nodes], given <= self.threshold[nodes])
            nodes = np.where(leftwards, self.left[nodes], self.right[nodes])
        n_classes = len(self.start)
        by_class = self.value[nodes].reshape(len(rows), len(self.roots) // n_classes, n_classes)
        scores: Array = by_class.sum(axis=1) + self.start
        return scores

    def probabilities(self, rows: Array) -> Array:
        """Return the probability of each class (n, classes), of one alone that of yes (n, 1), given what `scores` takes."""
        scores = self.scores(rows)
        if scores.shape[1] == 1:
            likely: Array = 1 / (1 + np.exp(-scores))
            return likely
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares: Array = powers / powers.sum(axis=1, keepdims=True)
        return shares
