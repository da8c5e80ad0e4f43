"""OpenVINO: compiles BERT for this CPU, in 8 bits or as it is, and runs it on one batch per core at once."""

import os
import queue
import threading
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from tasks.embed.batching import CACHED_TOKENS, split_by_padded_length
from tasks.embed.bert import Array, Bert
from tasks.embed.io.model_files import Pooling
from tasks.embed.quantising import Scales
from tasks.store.loading import import_openvino

if TYPE_CHECKING:
    from openvino import AsyncInferQueue, CompiledModel, Core, InferRequest

CORES_A_QUESTION = 4
"""More do not make a short text faster."""
STEP = 8
"""Texts are padded to a multiple of so many tokens, in any company: rounding to 8 bits would amplify a difference of one bit."""


Precision = Literal["bf16", "f32"]


class BatchModel(NamedTuple):
    """A model compiled for many texts. `queue` runs a batch on each core; `lock` lets one caller at a time use it."""

    queue: "AsyncInferQueue"
    width: int
    pooling: Pooling
    lock: threading.Lock


class SingleTextModel(NamedTuple):
    """A model compiled for single texts: each of the `idle` requests serves one caller at a time, on CORES_A_QUESTION."""

    idle: "queue.SimpleQueue[InferRequest]"
    pooling: Pooling


def is_installed() -> bool:
    """Return whether the package is there."""
    return find_spec("openvino") is not None


def list_precisions() -> tuple[Precision, ...]:
    """Return the types in which this processor computes what is not in 8 bits, the fastest first.

    The first is right on most: on some processors OpenVINO 2026.4 gets products in bf16 wrong (its issue 38256).
    """
    able = import_openvino().Core().get_property("CPU", "OPTIMIZATION_CAPABILITIES")
    return ("bf16", "f32") if "BF16" in able else ("f32",)


def compile_int8(bert: Bert, scales: Scales, pooling: Pooling, precision: Precision) -> BatchModel:
    """Compile the model in 8 bits. A batch runs on one core from its beginning to its end, so that no core waits for another."""
    openvino, width = import_openvino(), bert.words.shape[1]
    options = {
        "NUM_STREAMS": _count_cores(),
        "DYNAMIC_QUANTIZATION_GROUP_SIZE": width,
        "INFERENCE_PRECISION_HINT": precision,
    }
    model = _compile(openvino.Core(), bert, scales, options)
    return BatchModel(openvino.AsyncInferQueue(model, _count_cores()), width, pooling, threading.Lock())


def compile_float32(bert: Bert, pooling: Pooling) -> SingleTextModel:
    """Compile the model in float32."""
    at_once = max(1, _count_cores() // CORES_A_QUESTION)
    model = _compile(import_openvino().Core(), bert, {}, {"NUM_STREAMS": at_once, "INFERENCE_PRECISION_HINT": "f32"})
    answering = SingleTextModel(queue.SimpleQueue(), pooling)
    for _ in range(at_once):
        answering.idle.put(model.create_infer_request())
    return answering


def _compile(core: "Core", bert: Bert, scales: Scales, options: Mapping[str, str | int]) -> "CompiledModel":
    from tasks.embed.io.cpu.openvino_graph import build_graph

    shared = {"INFERENCE_NUM_THREADS": _count_cores(), "ENABLE_CPU_PINNING": False}
    return core.compile_model(build_graph(bert, scales), "CPU", {**shared, **options})


def _count_cores() -> int:
    return len(os.sched_getaffinity(0))


def run_one(model: SingleTextModel, ids: Sequence[int]) -> Array:
    """Return the vector of one row of token ids, not yet normalised. Waits for an idle request."""
    request = model.idle.get()
    try:
        request.infer(_make_inputs([ids], len(ids), model.pooling))
        vector: Array = request.get_output_tensor(0).data[0].copy()
        return vector
    finally:
        model.idle.put(request)


def run_batches(model: BatchModel, ids: Sequence[Sequence[int]]) -> Array:
    """Return one vector for each row of token ids, not yet normalised."""
    made = np.empty((len(ids), model.width), dtype=np.float32)

    def keep(request: "InferRequest", rows: list[int]) -> None:
        made[rows] = request.get_output_tensor(0).data

    with model.lock:
        model.queue.set_callback(keep)
        for length, rows in split_by_padded_length([len(row) for row in ids], CACHED_TOKENS, STEP):
            model.queue.start_async(_make_inputs([ids[row] for row in rows], length, model.pooling), rows)
        model.queue.wait_all()
    return made


def _make_inputs(ids: Sequence[Sequence[int]], length: int, pooling: Pooling) -> dict[str, object]:
    shape = len(ids), length
    padded, mask = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.float32)
    for i, row in enumerate(ids):
        padded[i, : len(row)] = row
        mask[i, : len(row)] = 1
    pool = mask if pooling == "mean" else np.eye(1, length, dtype=np.float32).repeat(len(ids), axis=0)
    return {"ids": padded, "mask": mask, "pool": pool}
