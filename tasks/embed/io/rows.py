"""What goes into a transformer and what comes out of it: rows of token ids of one length, and one vector for each text."""

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tasks.embed.io.model_files import Pooling

if TYPE_CHECKING:
    import torch


def padded(ids: Sequence[Sequence[int]], padding: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return rows of token ids with padding at their ends, and 1 where a token is and 0 where padding is."""
    lengths = np.fromiter(map(len, ids), np.int64, len(ids))
    mask = np.arange(lengths.max()) < lengths[:, None]
    rows = np.full(mask.shape, padding, dtype=np.int64)
    rows[mask] = np.fromiter(chain.from_iterable(ids), np.int64, int(lengths.sum()))
    return rows, mask.astype(np.int64)


def pooled(states: "torch.Tensor", attended: "torch.Tensor", pooling: Pooling) -> "torch.Tensor":
    """Return one vector for each row of states; the padding stands at the end of a row."""
    import torch

    if pooling == "cls":
        return states[:, 0]
    if pooling == "last":
        places = torch.arange(states.shape[0], device=states.device)
        return states[places, attended.sum(dim=1) - 1]
    weights = attended.unsqueeze(-1).to(states.dtype)
    if pooling == "max":
        return states.masked_fill(weights == 0, float("-inf")).amax(dim=1)
    return (states * weights).sum(dim=1) / weights.sum(dim=1)
