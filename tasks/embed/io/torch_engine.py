"""Vectors by torch, on CUDA or CPU: any model that transformers knows."""

import logging
import os
import threading
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from schemas.errors import InputError
from schemas.options.sections import EmbedOptions
from tasks.embed.batching import Budget, run_in_batches
from tasks.embed.io.device import is_memory_error, load_on_device, quote_first_line, send_to_device, wait_for_copies
from tasks.embed.io.dtype_choice import LEAST_COSINE, find_fastest_dtype, measure_cosine, recall_cosine
from tasks.embed.io.model_files import Pooling
from tasks.embed.io.model_files import read_pooling as pooling_of
from tasks.embed.io.model_folders import load_model
from tasks.embed.vectors import Vectors
from tasks.workers import memory

if TYPE_CHECKING:
    import torch


def pad_rows(ids: Sequence[Sequence[int]], padding: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return rows of token ids with padding at their ends, and 1 where a token is and 0 where padding is."""
    lengths = np.fromiter(map(len, ids), np.int64, len(ids))
    mask = np.arange(lengths.max()) < lengths[:, None]
    rows = np.full(mask.shape, padding, dtype=np.int64)
    rows[mask] = np.fromiter(chain.from_iterable(ids), np.int64, int(lengths.sum()))
    return rows, mask.astype(np.int64)


def pool_states(states: "torch.Tensor", attended: "torch.Tensor", pooling: Pooling) -> "torch.Tensor":
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


RELEASE_EVERY = 2
"""Batches after which freed memory is given back: shapes differ, so freed memory rarely fits the next batch."""
HALVES = ("float16", "bfloat16")
"""Types of 16 bits, the more exact one first. GPUs are equally fast in both, or much slower in the second."""
ALIKE = 0.9995
"""The least cosine between the vectors that a GPU makes in 16 bits and the CPU in 32, where a trial chooses the type."""
_LOADING = threading.Lock()
logger = logging.getLogger(__name__)


class Backbone(NamedTuple):
    """A loaded model and how it is run: `dtype` is the type of its matrix products, and on a GPU that of its weights too.

    `budgets` are what was found out of the device's memory, by the tokens that it began with.
    """

    model: Any
    device: str
    dtype: "torch.dtype"
    padding: int
    lock: threading.Lock
    budgets: dict[int, Budget]


def embed_by_torch(folder: Path, options: EmbedOptions, ids: Sequence[Sequence[int]], pooling: Pooling) -> Vectors:
    """Return one vector for each row of token ids, not yet normalised.

    What overflows in 16 bits is computed again in 32, that of a GPU by the CPU. If the device is `auto`, the CPU computes a text
    too for which the GPU has no memory left, not even alone.

    Raises:
        InputError: the device or the weights are missing.
        torch.OutOfMemoryError: the device is `cuda`, and its memory does not suffice for a single text.
    """
    import torch

    backbone = _load_locked(folder, options.device, options.dtype)
    spare = partial(_load_locked, folder, "cpu", "float32") if backbone.device != "cpu" else None
    with backbone.lock:
        made = _embed_group(backbone, options.batch_tokens, ids, pooling, spare if options.device == "auto" else None)
        bad = np.flatnonzero(~np.isfinite(made).all(axis=1))
        if bad.size and backbone.dtype != torch.float32:
            exact = spare() if spare else backbone._replace(dtype=torch.float32)
            made[bad] = _embed_group(exact, options.batch_tokens, [ids[row] for row in bad.tolist()], pooling)
    return made


def _embed_group(
    backbone: Backbone,
    batch_tokens: int,
    ids: Sequence[Sequence[int]],
    pooling: Pooling,
    spare: Callable[[], Backbone] | None = None,
) -> Vectors:
    """Return the vectors of a group of texts. Those of a batch are copied from the device while it computes the next one.

    `spare` loads what computes a text that does not fit the device alone.
    """
    done: list[tuple[list[int], torch.Tensor]] = []

    def run(rows: list[int]) -> None:
        batch = [ids[row] for row in rows]
        try:
            found = _run_batch(backbone, batch, pooling)
        except Exception as error:
            if len(rows) > 1 or spare is None or not is_memory_error(error):
                raise
            found = _run_batch(spare(), batch, pooling)
        done.append((rows, found.to("cpu", non_blocking=True)))
        if backbone.device == "cpu" and len(done) % RELEASE_EVERY == 0:
            memory.release_freed_memory()

    budget = backbone.budgets.setdefault(batch_tokens, Budget(batch_tokens, fixed=backbone.device == "cpu"))
    run_in_batches([len(row) for row in ids], budget, run, is_memory_error)
    wait_for_copies()
    made: Vectors = np.empty((len(ids), done[0][1].shape[1]), dtype=np.float32)
    for rows, found in done:
        made[rows] = found.numpy()
    return made


class EngineState(NamedTuple):
    """What computes, in which type, and the most tokens that the next batch gets."""

    device: str
    dtype: str
    batch_tokens: int


def read_engine_state(folder: Path, options: EmbedOptions) -> EngineState:
    """Return how the model in `folder` is run, with what is known of the device by now. The model is loaded first if need be."""
    backbone = _load_locked(folder, options.device, options.dtype)
    budget = backbone.budgets.get(options.batch_tokens)
    return EngineState(
        backbone.device, str(backbone.dtype).removeprefix("torch."), budget.tokens if budget else options.batch_tokens
    )


def _load_locked(folder: Path, device: str, dtype: str) -> Backbone:
    with _LOADING:
        return _load(folder, device, dtype)


@lru_cache(maxsize=2)
def _load(folder: Path, device: str, dtype: str) -> Backbone:
    return load_on_device(
        device,
        f"the model in {folder}",
        lambda place: _load_on_cpu(folder, dtype) if place == "cpu" else _load_on_gpu(folder, dtype),
    )


def _load_on_cpu(folder: Path, dtype: str) -> Backbone:
    """Return the model with weights in float32; its products are in 16 bits where that is faster and keeps the vectors."""
    import torch

    backbone = _make_backbone(folder, "cpu", _choose_cpu_dtype(dtype))
    return _choose_trusted(folder, backbone, backbone._replace(dtype=torch.float32), dtype)


def _load_on_gpu(folder: Path, dtype: str) -> Backbone:
    """Return the model on the GPU, in the first type of 16 bits in which it makes the vectors that it makes in 32 on the CPU."""
    import torch

    exact = _make_backbone(folder, "cpu", torch.float32)
    if dtype != "auto":
        return _choose_trusted(folder, _make_backbone(folder, "cuda", getattr(torch, dtype)), exact, dtype)
    for name in HALVES:
        try:
            half = _make_backbone(folder, "cuda", getattr(torch, name))
            likeness = _measure_likeness(folder, half, exact)
        except RuntimeError as error:
            if is_memory_error(error):
                raise
            logger.warning("the model in %s fails on the CUDA device in %s: %s", folder, name, quote_first_line(error))
            continue
        if likeness >= ALIKE:
            return half
        logger.warning("the model in %s makes other vectors in %s: the least cosine is %.4f", folder, name, likeness)
    return _make_backbone(folder, "cuda", torch.float32)


def _choose_trusted(folder: Path, backbone: Backbone, exact: Backbone, option: str) -> Backbone:
    """Return the backbone, or the `exact` one if its products in 16 bits do not keep the model's vectors on this machine.

    Raises:
        InputError: they do not, and the option names their type.
    """
    if backbone.dtype == exact.dtype or (found := _measure_likeness(folder, backbone, exact)) >= LEAST_COSINE:
        return backbone
    told = (
        f"vectors of {folder.name} in {backbone.dtype} on this {backbone.device} have cosines down to {found:.4f} to those in "
        f"float32, less than {LEAST_COSINE}"
    )
    if option != "auto":
        raise InputError(f"{told}: set embed.dtype to auto or float32")
    logger.warning("%s: it is run in float32", told)
    return exact


def _measure_likeness(folder: Path, backbone: Backbone, exact: Backbone) -> float:
    """Return the least cosine between vectors that two backbones make. On a CPU it is measured once, on a GPU at each start."""
    import torch

    mode = pooling_of(folder)
    half, full = (lambda ids, model=model: _run_batch(model, ids, mode).cpu().numpy() for model in (backbone, exact))
    if backbone.device != "cpu":
        return measure_cosine(folder, half, full)
    return recall_cosine(folder, f"torch {torch.__version__} {backbone.dtype}", half, full)


def _make_backbone(folder: Path, device: str, dtype: "torch.dtype") -> Backbone:
    weights = "float32" if device == "cpu" else str(dtype).removeprefix("torch.")
    model = load_model(folder, "model", spare=("pooler.",), dtype=weights).eval().to(device)
    return Backbone(model, device, dtype, model.config.pad_token_id or 0, threading.Lock(), {})


def _choose_cpu_dtype(option: str) -> "torch.dtype":
    """Return the type of matrix products on the CPU."""
    import torch

    _obey_thread_limit()
    chosen: torch.dtype = getattr(torch, find_fastest_dtype() if option == "auto" else option)
    return chosen


def _run_batch(backbone: Backbone, ids: Sequence[Sequence[int]], pooling: Pooling) -> "torch.Tensor":
    """Return one vector for each row of token ids, not yet normalised, on the device.

    On a CPU autocast keeps the sums between layers in float32: as fast as bfloat16 weights, and three times as exact. A GPU is
    as fast as its memory, of which they would take twice as much.
    """
    import torch

    rows, mask = pad_rows(ids, backbone.padding)
    _obey_thread_limit()
    attended = send_to_device(mask, backbone.device)
    inputs = {"input_ids": send_to_device(rows, backbone.device), "attention_mask": attended}
    half = backbone.device == "cpu" and backbone.dtype != torch.float32
    with torch.inference_mode(), torch.autocast("cpu", dtype=backbone.dtype if half else None, enabled=half):
        states = backbone.model(**inputs).last_hidden_state
        return pool_states(states.float(), attended, pooling)


def _obey_thread_limit() -> None:
    """Limit the threads of torch to OMP_THREAD_LIMIT.

    Matrix products in bfloat16 divide the work among the threads that torch expects. If OpenMP provides fewer, the work of the
    missing ones is not done, and no error is raised.
    """
    import torch

    limit = os.environ.get("OMP_THREAD_LIMIT", "")
    if limit.isdecimal() and 0 < int(limit) < torch.get_num_threads():
        torch.set_num_threads(int(limit))
