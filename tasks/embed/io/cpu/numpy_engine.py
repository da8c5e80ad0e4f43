"""Vectors of few texts by NumPy, long before torch and transformers would be imported."""

import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from tasks.embed.batching import batches
from tasks.embed.bert import Array, pooled, states
from tasks.embed.io.bert_weights import read_bert
from tasks.embed.io.cpu.questions import Questions
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
    n_tokens = sum(map(len, ids))
    if pooling not in ("mean", "cls") or n_tokens > (FEW_TOKENS if most_tokens is None else most_tokens):
        return None
    with _LOADING:
        questions = _load(folder, pooling)
    if questions is None:
        return None
    if len(ids) == 1 and (quick := questions.quick_for(n_tokens)):
        return quick(ids[0])[None]
    bert = questions.bert
    vectors = np.empty((len(ids), bert.words.shape[1]), dtype=np.float32)
    for rows in batches([len(row) for row in ids], BATCH_TOKENS):
        vectors[rows] = [pooled(of_text, pooling) for of_text in states(bert, [ids[row] for row in rows])]
    return vectors


@lru_cache(maxsize=2)
def _load(folder: Path, pooling: Pooling) -> Questions | None:
    bert = read_bert(folder)
    return bert and Questions(bert, pooling)
