"""Vectors by torch, on CUDA or CPU: any model that transformers knows."""

import logging
import os
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from schemas.errors import InputError
from schemas.options.sections import EmbedOptions
from tasks.embed.budget import Budget, in_batches
from tasks.embed.io.devices.device import device_of, is_full, sent
from tasks.embed.io.dtype_choice import fastest_dtype
from tasks.embed.io.half_precision import LEAST_COSINE, least_cosine
from tasks.embed.io.model_files import Pooling
from tasks.embed.io.model_files import pooling as pooling_of
from tasks.embed.io.model_weights import load_model
from tasks.workers import memory

if TYPE_CHECKING:
    import torch

Vectors = NDArray[np.float32]

RELEASE_EVERY = 2
"""Batches after which freed memory is given back: shapes differ, so freed memory rarely fits the next batch."""
_LOADING = threading.Lock()
logger = logging.getLogger(__name__)


class Backbone(NamedTuple):
    """A loaded model and how it is run. Its weights are float32; `dtype` is the type of its matrix products.

    `budgets` are what was found out of the device's memory, by the tokens that it began with.
    """

    model: Any
    device: str
    dtype: "torch.dtype"
    padding: int
    lock: threading.Lock
    budgets: dict[int, Budget]


def vectors(folder: Path, options: EmbedOptions, ids: Sequence[Sequence[int]], pooling: Pooling) -> Vectors:
    """Return one vector for each row of token ids, not yet normalised.

    What overflows in 16 bits is computed again in 32.

    Raises:
        InputError: the device or the weights are missing.
    """
    import torch

    with _LOADING:
        backbone = _load(folder, options.device, options.dtype)
    with backbone.lock:
        made = _grouped(backbone, options.batch_tokens, ids, pooling)
        bad = np.flatnonzero(~np.isfinite(made).all(axis=1))
        if bad.size and backbone.dtype != torch.float32:
            exact = backbone._replace(dtype=torch.float32)
            made[bad] = _grouped(exact, options.batch_tokens, [ids[row] for row in bad.tolist()], pooling)
    return made


def _grouped(backbone: Backbone, batch_tokens: int, ids: Sequence[Sequence[int]], pooling: Pooling) -> Vectors:
    """Return the vectors of a group of texts. They stay on the device until all are there: it never waits for a copy."""
    import torch

    done: list[tuple[list[int], torch.Tensor]] = []

    def run(rows: list[int]) -> None:
        done.append((rows, _run(backbone, [ids[row] for row in rows], pooling)))
        if backbone.device == "cpu" and len(done) % RELEASE_EVERY == 0:
            memory.release()

    budget = backbone.budgets.setdefault(batch_tokens, Budget(batch_tokens, fixed=backbone.device == "cpu"))
    in_batches([len(row) for row in ids], budget, run, is_full)
    made: Vectors = np.empty((len(ids), done[0][1].shape[1]), dtype=np.float32)
    made[[row for rows, _ in done for row in rows]] = torch.cat([found for _, found in done]).cpu().numpy()
    return made


@lru_cache(maxsize=2)
def _load(folder: Path, device: str, dtype: str) -> Backbone:
    place = device_of(device)
    model = load_model(folder, "model", spare=("pooler.",)).eval().to(place)
    loaded = Backbone(model, place, _dtype(dtype, place), model.config.pad_token_id or 0, threading.Lock(), {})
    return _trusted(folder, loaded, dtype)


def _trusted(folder: Path, backbone: Backbone, option: str) -> Backbone:
    """Return the backbone, in float32 if its products in 16 bits do not keep the model's vectors on this machine.

    Raises:
        InputError: they do not, and the option names their type.
    """
    import torch

    if backbone.dtype == torch.float32:
        return backbone
    exact, mode = backbone._replace(dtype=torch.float32), pooling_of(folder)
    name = torch.cuda.get_device_name() if backbone.device == "cuda" else "cpu"
    engine = f"torch {torch.__version__} {backbone.dtype} on {name}"
    found = least_cosine(
        folder, engine, lambda ids: _run(backbone, ids, mode).cpu().numpy(), lambda ids: _run(exact, ids, mode).cpu().numpy()
    )
    if found >= LEAST_COSINE:
        return backbone
    told = f"vectors of {folder.name} by {engine} have cosines down to {found:.4f} to those in float32, less than {LEAST_COSINE}"
    if option != "auto":
        raise InputError(f"{told}: set embed.dtype to auto or float32")
    logger.warning("%s: it is run in float32", told)
    return exact


def _dtype(option: str, device: str) -> "torch.dtype":
    """Return the type of matrix products."""
    import torch

    if option != "auto":
        return torch.float32 if option == "float32" else torch.bfloat16
    if device == "cuda":
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
    _obey_thread_limit()
    chosen: torch.dtype = getattr(torch, fastest_dtype())
    return chosen


def _run(backbone: Backbone, ids: Sequence[Sequence[int]], pooling: Pooling) -> "torch.Tensor":
    """Return one vector for each row of token ids, not yet normalised, on the device.

    Autocast keeps the sums between layers in float32: as fast as bfloat16 weights, and three times as exact.
    """
    import torch

    rows, mask = padded(ids, backbone.padding)
    _obey_thread_limit()
    attended = sent(mask, backbone.device)
    inputs = {"input_ids": sent(rows, backbone.device), "attention_mask": attended}
    half = backbone.dtype != torch.float32
    with torch.inference_mode(), torch.autocast(backbone.device, dtype=backbone.dtype if half else None, enabled=half):
        states = backbone.model(**inputs).last_hidden_state
        return pooled(states.float(), attended, pooling)


def _obey_thread_limit() -> None:
    """Limit the threads of torch to OMP_THREAD_LIMIT.

    Matrix products in bfloat16 divide the work among the threads that torch expects. If OpenMP provides fewer, the work of the
    missing ones is not done, and no error is raised.
    """
    import torch

    limit = os.environ.get("OMP_THREAD_LIMIT", "")
    if limit.isdecimal() and 0 < int(limit) < torch.get_num_threads():
        torch.set_num_threads(int(limit))


def padded(ids: Sequence[Sequence[int]], padding: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return rows of token ids with padding at their ends, and 1 where a token is and 0 where padding is."""
    rows = np.full((len(ids), max(map(len, ids))), padding, dtype=np.int64)
    mask = np.zeros(rows.shape, dtype=np.int64)
    for i, row in enumerate(ids):
        rows[i, : len(row)] = row
        mask[i, : len(row)] = 1
    return rows, mask


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
