"""Half precision: before a model is first used in 16 bits on a machine, a few of its vectors are compared with those in 32."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tasks.embed.io.dtype_choice import processor_digest
from tasks.embed.io.tokenizer import load_tokenizer, read_json
from tasks.embed.quantising import sample_ids
from tasks.store import user_cache
from tasks.store.fingerprints import weights_digest

N_SAMPLES = 16
LEAST_COSINE = 0.98
"""16 bits of a sound engine keep .999 and more, of large models too; those of a broken one are far below."""

Vectors = NDArray[np.float32]
Engine = Callable[[list[list[int]]], Vectors]
"""Returns one vector for each row of token ids, not yet normalised."""


def least_cosine(folder: Path, engine: str, half: Engine, exact: Engine) -> float:
    """Return the least cosine of the vectors of N_SAMPLES random texts in 16 bits to those in 32.

    It is measured once for each model, processor and `engine`, which names library, device and type. Texts that overflow in 16
    bits do not count: they are computed again in 32.
    """
    name, key = f"half-{weights_digest(folder)[:16]}.json", f"{engine}, processor {processor_digest()}"
    known = user_cache.recall(name).get(key)
    if isinstance(known, float):
        return known
    found = measured_cosine(folder, half, exact)
    user_cache.remember(name, key, found)
    return found


def measured_cosine(folder: Path, half: Engine, exact: Engine) -> float:
    """Return what `least_cosine` returns, measured now."""
    ids = _samples(folder)
    return _least(half(ids), exact(ids))


def _samples(folder: Path) -> list[list[int]]:
    n_words = int(read_json(folder / "config.json")["vocab_size"])
    return sample_ids(n_words, load_tokenizer(folder).encode([""])[0])[:N_SAMPLES]


def _least(half: Vectors, exact: Vectors) -> float:
    fits = np.isfinite(half).all(axis=1)
    half, exact = half[fits], exact[fits]
    lengths = np.linalg.norm(half, axis=1) * np.linalg.norm(exact, axis=1)
    return float(((half * exact).sum(axis=1) / np.maximum(lengths, np.float32(1e-12))).min(initial=1))
