"""What few texts cost."""

import subprocess
import sys

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
