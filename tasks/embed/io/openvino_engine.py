"""OpenVINO: compiles BERT in 8 bits for this CPU, and runs it on one batch per core at once."""

import os
import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tasks.embed.batching import alike
from tasks.embed.bert import Array, Bert
from tasks.embed.io.model_files import Pooling
from tasks.embed.quantising import Scales
from tasks.store.loading import openvino_library

BATCH_TOKENS = 1024
"""More of them at once are no faster, and their intermediate values leave the processor's cache."""
STEP = 8
"""Texts are padded to a multiple of so many tokens, in any company: rounding to 8 bits would amplify a difference of one bit."""


class Compiled(NamedTuple):
    """A compiled model. `queue` runs a batch on each core; `lock` lets one caller at a time use it."""

    queue: Any
    width: int
    lock: threading.Lock


def compiled(bert: Bert, scales: Scales, pooling: Pooling) -> Compiled:
    """Compile the model: a batch runs on one core from its beginning to its end, so that no core waits for another."""
    openvino = openvino_library()
    from tasks.embed.io.openvino_graph import graph

    core, width, n_cores = openvino.Core(), bert.words.shape[1], len(os.sched_getaffinity(0))
    options = {
        "NUM_STREAMS": n_cores,
        "INFERENCE_NUM_THREADS": n_cores,
        "ENABLE_CPU_PINNING": False,
        "DYNAMIC_QUANTIZATION_GROUP_SIZE": width,
        "INFERENCE_PRECISION_HINT": "bf16" if "BF16" in core.get_property("CPU", "OPTIMIZATION_CAPABILITIES") else "f32",
    }
    model = core.compile_model(graph(bert, scales, pooling), "CPU", options)
    return Compiled(openvino.AsyncInferQueue(model, n_cores), width, threading.Lock())


def run(model: Compiled, ids: Sequence[Sequence[int]]) -> Array:
    """Return one vector for each row of token ids, not yet normalised."""
    made = np.empty((len(ids), model.width), dtype=np.float32)

    def keep(request: Any, rows: list[int]) -> None:
        made[rows] = request.get_output_tensor(0).data

    with model.lock:
        model.queue.set_callback(keep)
        for length, rows in alike([len(row) for row in ids], BATCH_TOKENS, STEP):
            model.queue.start_async(_inputs([ids[row] for row in rows], length), rows)
        model.queue.wait_all()
    return made


def _inputs(ids: Sequence[Sequence[int]], length: int) -> dict[str, Any]:
    shape = len(ids), length
    padded, mask = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.float32)
    for i, row in enumerate(ids):
        padded[i, : len(row)] = row
        mask[i, : len(row)] = 1
    return {"ids": padded, "mask": mask}
