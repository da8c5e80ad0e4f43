"""Several GPUs: a process for each, which sees no other, so that none waits for another one's Python."""

import logging
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from schemas.errors import PagemillError
from schemas.options.sections import EmbedOptions, LimitOptions
from tasks.embed.batching import split_for_devices
from tasks.embed.io import torch_engine
from tasks.embed.io.model_files import Pooling, read_dimension
from tasks.embed.vectors import Vectors

if TYPE_CHECKING:
    from tasks.workers.pool import WorkerPool

VISIBLE = "CUDA_VISIBLE_DEVICES"
LIMITS = LimitOptions(page_seconds=3600, document_seconds=3600, memory_mb=1 << 16)
"""No document is read there: these limits only end what hangs."""

logger = logging.getLogger(__name__)


def list_gpus(device: str) -> tuple[str, ...]:
    """Return the names by which CUDA knows the GPUs that this process may use, for the option `auto`, `cuda` or `cpu`."""
    import torch

    n = 0 if device == "cpu" or not torch.cuda.is_available() else torch.cuda.device_count()
    named = os.environ.get(VISIBLE)
    return tuple(named.split(",") if named else map(str, range(n)))[:n]


def are_gpus_worth_it(names: Sequence[str], ids: Sequence[Sequence[int]], options: EmbedOptions) -> bool:
    """Return whether each device gets at least a batch: to start a process and load the model takes seconds."""
    return len(names) > 1 and sum(map(len, ids)) >= len(names) * options.batch_tokens


def embed_on_gpus(
    folder: Path, options: EmbedOptions, ids: Sequence[Sequence[int]], pooling: Pooling, names: tuple[str, ...]
) -> Vectors:
    """Return one vector for each row of token ids, not yet normalised, computed by the devices `names`; "" is the CPU.

    What a device's process fails to compute is computed by this process.

    Raises:
        InputError: the device or the weights are missing here too.
    """
    parts = split_for_devices([len(row) for row in ids], len(names))
    calls = [(folder, options, *_flatten_token_ids([ids[row] for row in rows]), pooling) for rows in parts]
    made: Vectors = np.empty((len(ids), read_dimension(folder)), dtype=np.float32)
    for at, outcome in _open_pool(names).map(compute_in_worker, calls, LIMITS):
        if isinstance(outcome, PagemillError):
            logger.warning("the process of a GPU failed, so that its texts are embedded without it: %s", outcome)
            made[parts[at]] = torch_engine.embed_by_torch(folder, options, [ids[row] for row in parts[at]], pooling)
        else:
            made[parts[at]] = np.frombuffer(outcome, dtype=np.float32).reshape(len(parts[at]), -1)
    return made


@cache
def _open_pool(names: tuple[str, ...]) -> "WorkerPool":
    """Return the pool of worker processes, one for each GPU. They live as long as this process, so each loads its model once."""
    from tasks.workers.pool import WorkerPool

    return WorkerPool(LIMITS, [{VISIBLE: name} for name in names])


def _flatten_token_ids(ids: Sequence[Sequence[int]]) -> tuple[NDArray[np.int32], list[int]]:
    """Return the ids of all rows in one array, and the lengths of the rows."""
    return np.concatenate([np.asarray(row, dtype=np.int32) for row in ids]), [len(row) for row in ids]


def compute_in_worker(
    folder: Path, options: EmbedOptions, flat: NDArray[np.int32], lengths: Sequence[int], pooling: Pooling, tick: object
) -> bytes:
    """Return, in a worker, the vectors of rows of token ids as bytes."""
    ids = [row.tolist() for row in np.split(flat, np.cumsum(lengths)[:-1])]
    return torch_engine.embed_by_torch(folder, options, ids, pooling).tobytes()
