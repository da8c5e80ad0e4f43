"""The fastest type of matrix products on this machine's CPU: measured, since its features promise more than they hold."""

import hashlib
import os
import time
from functools import cache
from pathlib import Path
from typing import Literal

from tasks.store import user_cache

DType = Literal["float32", "bfloat16", "float16"]
CANDIDATES: tuple[DType, ...] = ("float32", "bfloat16", "float16")
FILE = "dtypes.json"
ROWS, INPUTS, OUTPUTS = 256, 384, 1536
"""The shape of a product: as in a small BERT, with a few texts' tokens."""
LEAST_TURNS, MOST_TURNS, PATIENCE_SECONDS = 3, 6, 0.05
"""The first turn only warms up; on a busy machine fewer turns must do."""
WORTH = 1.1
"""How many times as fast as float32 a type with fewer digits must be."""


@cache
def fastest_dtype() -> DType:
    """Return the type for products on the CPU. It is measured once per machine, which takes about 50 ms."""
    key, known = _machine(), user_cache.recall(FILE)
    if known.get(key) in CANDIDATES:
        remembered: DType = known[key]
        return remembered
    chosen = chosen_from(_seconds())
    user_cache.remember(FILE, key, chosen)
    return chosen


def chosen_from(seconds: dict[DType, float]) -> DType:
    """Return the fastest type; float32 unless another is clearly faster.

    >>> chosen_from({"float32": 1.0, "bfloat16": 0.6, "float16": 2.0})
    'bfloat16'
    >>> chosen_from({"float32": 1.0, "bfloat16": 0.95, "float16": 0.97})
    'float32'
    """
    best = min(seconds, key=lambda name: seconds[name])
    return best if seconds["float32"] > WORTH * seconds[best] else "float32"


def _machine() -> str:
    """Return what the measurement depends on: the processor, the number of threads and torch."""
    import torch

    return f"{processor()}, {torch.get_num_threads()} threads, torch {torch.__version__}"


def processor_digest() -> str:
    """Return 16 hex digits of the processor's model and features: what was found out on one says nothing of another."""
    return hashlib.sha256(processor().encode()).hexdigest()[:16]


def processor() -> str:
    """Return the processor's model and features, as far as the system tells them."""
    try:
        lines = Path("/proc/cpuinfo").read_text().split("\n\n")[0].splitlines()
    except OSError:
        return os.uname().machine
    told = dict(line.split(":", 1) for line in lines if ":" in line)
    named = {name.strip(): value.strip() for name, value in told.items()}
    return " ".join(named.get(name, "") for name in ("vendor_id", "cpu family", "model", "model name", "flags", "Features"))


def _seconds() -> dict[DType, float]:
    """Time a product in each type, in turns, and return the shortest times: other programs only ever make them longer.

    One thread is enough to compare, and waits for no other.
    """
    import torch

    n_threads, started = torch.get_num_threads(), time.perf_counter()
    torch.set_num_threads(1)
    best: dict[DType, float] = dict.fromkeys(CANDIDATES, float("inf"))
    try:
        for turn in range(MOST_TURNS):
            if turn >= LEAST_TURNS and time.perf_counter() - started > PATIENCE_SECONDS:
                break
            for name in CANDIDATES:
                best[name] = min(best[name], _timed(name))
    finally:
        torch.set_num_threads(n_threads)
    return best


def _timed(name: DType) -> float:
    import torch

    given, weight = torch.ones(ROWS, INPUTS), torch.ones(OUTPUTS, INPUTS)
    half = name != "float32"
    with torch.inference_mode(), torch.autocast("cpu", dtype=getattr(torch, name) if half else None, enabled=half):
        started = time.perf_counter()
        torch.nn.functional.linear(given, weight)
        return time.perf_counter() - started
