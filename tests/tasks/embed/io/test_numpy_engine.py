"""What few texts cost."""

import subprocess
import sys
from pathlib import Path

import numpy as np

from tasks.embed.io import numpy_engine
from tasks.embed.io.tokenizer import PACKAGED


def test_a_question_imports_neither_torch_nor_transformers() -> None:
    script = (
        "import sys\n"
        "from schemas.options.sections import EmbedOptions; from tasks.embed.io.embedder import Embedder\n"
        f"Embedder({PACKAGED!r}, EmbedOptions()).encode(['what does the mill turn?'])\n"
        "print([name for name in ('torch', 'transformers', 'huggingface_hub', 'lancedb', 'pandas') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "[]"


def test_a_model_that_is_asked_often_is_laid_out_for_questions_and_answers_the_same(copy: Path) -> None:
    ids = [[2, 3, 5, 7, 3]]
    numpy_engine._load.cache_clear()
    first, *later = [numpy_engine.vectors_of_few(copy, ids, "mean") for _ in range(numpy_engine.ASKED_OFTEN + 2)]
    held = numpy_engine._load(copy)
    assert all(vectors is not None and first is not None and np.abs(vectors - first).max() < 1e-6 for vectors in later)
    assert held.fit_for(5) is held.for_questions
    assert held.fit_for(numpy_engine.QUESTION_TOKENS + 1) is held.bert
