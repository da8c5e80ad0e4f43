"""Vectors of few texts by NumPy, long before torch and transformers would be imported."""

import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from tasks.embed.batching import batches
from tasks.embed.bert import Array, Bert, states
from tasks.embed.io.bert_weights import read_bert
from tasks.embed.io.model_files import Pooling

FEW_TOKENS = 8192
"""Up to here NumPy is done before torch has begun: importing torch and transformers costs as much CPU as some 16,000 tokens."""
BATCH_TOKENS = 1024
"""More of them at once are no faster, and their intermediate values leave the processor's cache."""
_LOADING = threading.Lock()


def vectors_of_few(folder: Path, ids: Sequence[Sequence[int]], pooling: Pooling, most_tokens: int | None = None) -> Array | None:
    """Return one vector for each row of token ids, not yet normalised.

    None if there are more than `most_tokens` of them together (None: FEW_TOKENS), or NumPy lacks the model.
    """
    if pooling not in ("mean", "cls") or sum(map(len, ids)) > (FEW_TOKENS if most_tokens is None else most_tokens):
        return None
    with _LOADING:
        bert = _load(folder)
    if bert is None:
        return None
    vectors = np.empty((len(ids), bert.words.shape[1]), dtype=np.float32)
    for rows in batches([len(row) for row in ids], BATCH_TOKENS):
        found = states(bert, [ids[row] for row in rows])
        vectors[rows] = [of_text[0] if pooling == "cls" else of_text.mean(axis=0) for of_text in found]
    return vectors


@lru_cache(maxsize=2)
def _load(folder: Path) -> Bert | None:
    return read_bert(folder)
