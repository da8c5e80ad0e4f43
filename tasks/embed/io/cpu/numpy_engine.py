"""Vectors of few texts by NumPy, long before torch would be imported; and of one question at a time, faster still."""

import logging
import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from tasks.embed.batching import CACHED_TOKENS, split_into_batches
from tasks.embed.bert import Array, Bert, compute_states, lay_out_weights_by_inputs, pool_states
from tasks.embed.io.bert_weights import read_bert
from tasks.embed.io.cpu.openvino_engine import SingleTextModel, compile_float32, is_installed, run_one
from tasks.embed.io.model_files import Pooling
from tasks.workers.threads import BackgroundValue

QUESTION_TOKENS = 64
"""Longer texts take as long either way."""
ASKED_OFTEN = 12
"""Making a model ready takes half a second of a core: so many questions show that more will come."""

SAMPLE_TOKENS = (3, 8, 17, QUESTION_TOKENS)
"""Lengths of the random texts on which OpenVINO is compared with NumPy before it is trusted: some 20 ms."""
LEAST_COSINE = 0.9999
"""Both compute in float32."""

Vector = Callable[[Sequence[int]], Array]
"""Returns the vector of one row of token ids, not yet normalised."""

logger = logging.getLogger(__name__)


class QuestionEncoder:
    """Embeds the questions of a process that is asked many: in half the time, the same to six digits. Threads may share it."""

    def __init__(self, bert: Bert, pooling: Pooling) -> None:
        self.bert, self._pooling = bert, pooling
        self.quick = BackgroundValue(self._make_fast, ASKED_OFTEN)

    def find_fast(self, n_tokens: int) -> Vector | None:
        """Return what embeds a text of so many tokens fast; None if there were few so far, it is long, or it is not ready."""
        return self.quick.request() if n_tokens <= QUESTION_TOKENS else None

    def _make_fast(self) -> Vector:
        if is_installed():
            try:
                model = compile_float32(self.bert, self._pooling)
                if self._is_exact(model):
                    return lambda ids: run_one(model, ids)
                logger.warning("questions are embedded by NumPy: OpenVINO's vectors are not the model's on this processor")
            except (ImportError, OSError, RuntimeError) as error:
                logger.warning("questions are embedded by NumPy, because OpenVINO cannot compile the model: %s", error)
        laid_out = lay_out_weights_by_inputs(self.bert)
        return lambda ids: pool_states(compute_states(laid_out, [ids])[0], self._pooling)

    def _is_exact(self, model: SingleTextModel) -> bool:
        """Return whether OpenVINO's vectors of texts of each length, to which it adapts itself, are those of NumPy."""
        for length in SAMPLE_TOKENS:
            ids = np.random.default_rng(length).integers(0, len(self.bert.words), length).tolist()
            made, exact = run_one(model, ids), pool_states(compute_states(self.bert, [ids])[0], self._pooling)
            if not made @ exact >= LEAST_COSINE * np.linalg.norm(made) * np.linalg.norm(exact):
                return False
        return True


FEW_TOKENS = 8192
"""Up to here NumPy is done before torch has begun: importing torch and transformers costs as much CPU as some 16,000 tokens."""
_LOADING = threading.Lock()


def embed_few(folder: Path, ids: Sequence[Sequence[int]], pooling: Pooling, most_tokens: int | None = None) -> Array | None:
    """Return one vector for each row of token ids, not yet normalised.

    None if there are more than `most_tokens` of them together (None: FEW_TOKENS), or NumPy lacks the model.
    """
    n_tokens = sum(map(len, ids))
    if pooling not in ("mean", "cls") or n_tokens > (FEW_TOKENS if most_tokens is None else most_tokens):
        return None
    with _LOADING:
        questions = _load_questions(folder, pooling)
    if questions is None:
        return None
    if len(ids) == 1 and (quick := questions.find_fast(n_tokens)):
        return quick(ids[0])[None]
    bert = questions.bert
    vectors = np.empty((len(ids), bert.words.shape[1]), dtype=np.float32)
    for rows in split_into_batches([len(row) for row in ids], CACHED_TOKENS):
        vectors[rows] = [pool_states(of_text, pooling) for of_text in compute_states(bert, [ids[row] for row in rows])]
    return vectors


@lru_cache(maxsize=2)
def _load_questions(folder: Path, pooling: Pooling) -> QuestionEncoder | None:
    bert = read_bert(folder)
    return bert and QuestionEncoder(bert, pooling)
