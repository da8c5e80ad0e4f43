"""Vectors of few texts by NumPy, long before torch and transformers would be imported."""

import threading
from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from tasks.embed.batching import batches
from tasks.embed.bert import Array, Bert, by_inputs, states
from tasks.embed.io.bert_weights import read_bert
from tasks.embed.io.model_files import Pooling

FEW_TOKENS = 8192
"""Up to here NumPy is done before torch has begun: importing torch and transformers costs as much CPU as some 16,000 tokens."""
BATCH_TOKENS = 1024
"""More of them at once are no faster, and their intermediate values leave the processor's cache."""
QUESTION_TOKENS = 64
"""Of more tokens, products are no faster with weights laid out by inputs."""
ASKED_OFTEN = 12
"""Laying out the weights, 50 ms for all-MiniLM-L6-v2, is paid back by so many questions."""
_LOADING = threading.Lock()


class _Held:
    """A model as its file has it, and laid out for questions once it was asked many; `bert` is None if NumPy lacks it."""

    def __init__(self, folder: Path) -> None:
        self.bert = read_bert(folder)
        self._n_asked = 0

    def fit_for(self, n_tokens: int) -> Bert | None:
        """Return the model to embed so many tokens with."""
        if n_tokens > QUESTION_TOKENS:
            return self.bert
        self._n_asked += 1
        return self.bert if self._n_asked <= ASKED_OFTEN else self.for_questions

    @cached_property
    def for_questions(self) -> Bert | None:
        """The model with its weights laid out by inputs."""
        return self.bert and by_inputs(self.bert)


def vectors_of_few(folder: Path, ids: Sequence[Sequence[int]], pooling: Pooling, most_tokens: int | None = None) -> Array | None:
    """Return one vector for each row of token ids, not yet normalised.

    None if there are more than `most_tokens` of them together (None: FEW_TOKENS), or NumPy lacks the model.
    """
    n_tokens = sum(map(len, ids))
    if pooling not in ("mean", "cls") or n_tokens > (FEW_TOKENS if most_tokens is None else most_tokens):
        return None
    with _LOADING:
        bert = _load(folder).fit_for(n_tokens)
    if bert is None:
        return None
    vectors = np.empty((len(ids), bert.words.shape[1]), dtype=np.float32)
    for rows in batches([len(row) for row in ids], BATCH_TOKENS):
        found = states(bert, [ids[row] for row in rows])
        vectors[rows] = [of_text[0] if pooling == "cls" else of_text.mean(axis=0) for of_text in found]
    return vectors


@lru_cache(maxsize=2)
def _load(folder: Path) -> _Held:
    return _Held(folder)
