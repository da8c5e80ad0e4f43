"""Types of figures, zero-shot: the label whose prompts are nearest to a picture's vector."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
UNSURE = "figure"
"""The type of a figure if the model is not confident enough."""


class FigureType(NamedTuple):
    """A figure's type, and the probability of the nearest label, in [0, 1]."""

    kind: str
    confidence: float


class FigureClass(NamedTuple):
    """A figure's type with its confidence, and the vector of its picture. By default nothing is known."""

    kind: str = UNSURE
    confidence: float | None = None
    embedding: tuple[float, ...] | None = None


def average_label_vectors(prompts: Sequence[Vectors]) -> Vectors:
    """Return one vector of length 1 for each label: the mean of its prompts' vectors, which have length 1."""
    means = np.stack([np.asarray(vectors, dtype=np.float32).mean(axis=0) for vectors in prompts])
    found: Vectors = means / np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-12)
    return found


def find_nearest_types(pictures: Vectors, labels: Vectors, names: Sequence[str], scale: float, least: float) -> list[FigureType]:
    """Return the type of each picture, UNSURE below the confidence `least`. Of labels with equal confidence the first wins.

    >>> find_nearest_types(np.eye(2, dtype=np.float32), np.eye(2, dtype=np.float32), ["map", "logo"], 5.0, 0.5)[1]
    FigureType(kind='logo', confidence=0.9933)
    """
    if not len(pictures):
        return []
    logits = (pictures @ labels.T).astype(np.float64) * scale
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    best = shares.argmax(axis=1)
    found = [(names[label], round(float(share[label]), 4)) for label, share in zip(best, shares, strict=True)]
    return [FigureType(name if confidence >= least else UNSURE, confidence) for name, confidence in found]
