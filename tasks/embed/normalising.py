"""Vectors of length 1."""

import numpy as np
from numpy.typing import NDArray

from schemas.errors import DocumentError

Vectors = NDArray[np.float32]


def normalised(vectors: Vectors) -> Vectors:
    """Return vectors of shape (texts, dimension) with length 1.

    Raises:
        DocumentError: one of them has no direction; names its row.
    """
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    bad = np.flatnonzero(~(np.isfinite(norms) & (norms > 1e-12)))
    if bad.size:
        raise DocumentError(f"text {bad[0]} has no vector, because the model returned only zeros or NaN: check its weights")
    unit: Vectors = vectors / norms
    return unit
