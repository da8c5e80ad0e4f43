"""The type of matrix products: the fastest on this machine's CPU, if it keeps a model's vectors. Both are measured."""

import hashlib
import os
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np

from tasks.embed.io.tokenizer import load_tokenizer, read_json
from tasks.embed.quantising import sample_token_ids
from tasks.embed.vectors import Vectors
from tasks.store import user_cache
from tasks.store.fingerprints import compute_weights_digest

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
def find_fastest_dtype() -> DType:
    """Return the type for products on the CPU. It is measured once per machine, which takes about 50 ms."""
    key, known = _describe_machine(), user_cache.recall_from_user_cache(FILE)
    if known.get(key) in CANDIDATES:
        remembered: DType = known[key]
        return remembered
    chosen = choose_dtype(_time_dtypes())
    user_cache.remember_in_user_cache(FILE, key, chosen)
    return chosen


def choose_dtype(seconds: dict[DType, float]) -> DType:
    """Return the fastest type; float32 unless another is clearly faster.

    >>> choose_dtype({"float32": 1.0, "bfloat16": 0.6, "float16": 2.0})
    'bfloat16'
    >>> choose_dtype({"float32": 1.0, "bfloat16": 0.95, "float16": 0.97})
    'float32'
    """
    best = min(seconds, key=lambda name: seconds[name])
    return best if seconds["float32"] > WORTH * seconds[best] else "float32"


def _describe_machine() -> str:
    """Return what the measurement depends on: the processor, the number of threads and torch."""
    import torch

    return f"{describe_processor()}, {torch.get_num_threads()} threads, torch {torch.__version__}"


def compute_processor_digest() -> str:
    """Return 16 hex digits of the processor's model and features: what was found out on one says nothing of another."""
    return hashlib.sha256(describe_processor().encode()).hexdigest()[:16]


def describe_processor() -> str:
    """Return the processor's model and features, as far as the system tells them."""
    try:
        lines = Path("/proc/cpuinfo").read_text().split("\n\n")[0].splitlines()
    except OSError:
        return os.uname().machine
    told = dict(line.split(":", 1) for line in lines if ":" in line)
    named = {name.strip(): value.strip() for name, value in told.items()}
    return " ".join(named.get(name, "") for name in ("vendor_id", "cpu family", "model", "model name", "flags", "Features"))


def _time_dtypes() -> dict[DType, float]:
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
                best[name] = min(best[name], _time_product(name))
    finally:
        torch.set_num_threads(n_threads)
    return best


def _time_product(name: DType) -> float:
    import torch

    given, weight = torch.ones(ROWS, INPUTS), torch.ones(OUTPUTS, INPUTS)
    half = name != "float32"
    with torch.inference_mode(), torch.autocast("cpu", dtype=getattr(torch, name) if half else None, enabled=half):
        started = time.perf_counter()
        torch.nn.functional.linear(given, weight)
        return time.perf_counter() - started


N_SAMPLES = 16
LEAST_COSINE = 0.98
"""16 bits of a sound engine keep .999 and more, of large models too; those of a broken one are far below."""

Engine = Callable[[list[list[int]]], Vectors]
"""Returns one vector for each row of token ids, not yet normalised."""


def recall_cosine(folder: Path, engine: str, half: Engine, exact: Engine) -> float:
    """Return the least cosine of the vectors of N_SAMPLES random texts in 16 bits to those in 32.

    It is measured once for each model, processor and `engine`, which names library, device and type. Texts that overflow in 16
    bits do not count: they are computed again in 32.
    """
    name, key = f"half-{compute_weights_digest(folder)[:16]}.json", f"{engine}, processor {compute_processor_digest()}"
    known = user_cache.recall_from_user_cache(name).get(key)
    if isinstance(known, float):
        return known
    found = measure_cosine(folder, half, exact)
    user_cache.remember_in_user_cache(name, key, found)
    return found


def measure_cosine(folder: Path, half: Engine, exact: Engine) -> float:
    """Return what `recall_cosine` returns, measured now."""
    ids = _draw_samples(folder)
    return _compute_least_cosine(half(ids), exact(ids))


def _draw_samples(folder: Path) -> list[list[int]]:
    n_words = int(read_json(folder / "config.json")["vocab_size"])
    return sample_token_ids(n_words, load_tokenizer(folder).encode([""])[0])[:N_SAMPLES]


def _compute_least_cosine(half: Vectors, exact: Vectors) -> float:
    fits = np.isfinite(half).all(axis=1)
    half, exact = half[fits], exact[fits]
    lengths = np.linalg.norm(half, axis=1) * np.linalg.norm(exact, axis=1)
    return float(((half * exact).sum(axis=1) / np.maximum(lengths, np.float32(1e-12))).min(initial=1))
