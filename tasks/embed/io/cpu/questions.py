"""Questions: one short text at a time, in a process that is asked many."""

import logging
from collections.abc import Callable, Sequence

import numpy as np

from tasks.embed.bert import Array, Bert, by_inputs, pooled, states
from tasks.embed.io.cpu.openvino_engine import Answering, compiled_exactly, is_installed, run_one
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


class Questions:
    """Embeds the questions of a process that is asked many: in half the time, the same to six digits. Threads may share it."""

    def __init__(self, bert: Bert, pooling: Pooling) -> None:
        self.bert, self._pooling = bert, pooling
        self.quick = BackgroundValue(self._made, ASKED_OFTEN)

    def quick_for(self, n_tokens: int) -> Vector | None:
        """Return what embeds a text of so many tokens fast; None if there were few so far, it is long, or it is not ready."""
        return self.quick.request() if n_tokens <= QUESTION_TOKENS else None

    def _made(self) -> Vector:
        if is_installed():
            try:
                model = compiled_exactly(self.bert, self._pooling)
                if self._is_exact(model):
                    return lambda ids: run_one(model, ids)
                logger.warning("questions are embedded by NumPy: OpenVINO's vectors are not the model's on this processor")
            except (ImportError, OSError, RuntimeError) as error:
                logger.warning("questions are embedded by NumPy, because OpenVINO cannot compile the model: %s", error)
        laid_out = by_inputs(self.bert)
        return lambda ids: pooled(states(laid_out, [ids])[0], self._pooling)

    def _is_exact(self, model: Answering) -> bool:
        """Return whether OpenVINO's vectors of texts of each length, to which it adapts itself, are those of NumPy."""
        for length in SAMPLE_TOKENS:
            ids = np.random.default_rng(length).integers(0, len(self.bert.words), length).tolist()
            made, exact = run_one(model, ids), pooled(states(self.bert, [ids])[0], self._pooling)
            if not made @ exact >= LEAST_COSINE * np.linalg.norm(made) * np.linalg.norm(exact):
                return False
        return True
