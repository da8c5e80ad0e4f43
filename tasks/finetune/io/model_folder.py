"""The folder of a tuned model: new weights beside the files of the model that it was made from, and a card."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from schemas.errors import InputError
from tasks.store import files
from tasks.store.fingerprints import weights_digest

CARD = "README.md"
"""The name that model hubs show. It is no part of what identifies the model."""
KEPT = ("*.json", "*.txt", "*/config.json")
"""Files of the base model that its tuned form needs: configuration, tokenizer, and the modules of sentence-transformers."""
SPARE = "pooler."
"""Weights that no embedder uses, and that were made up where the base has none."""


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """Make a folder that takes the name `out` when the block ends well.

    Raises:
        InputError: `out` is there already, or cannot be made.
    """
    try:
        with files.temporary_folder(out.absolute().parent) as folder:
            made = folder / "model"
            made.mkdir()
            yield made
            if out.exists():
                raise InputError(f"{out} is there already: name a new folder for the model")
            os.replace(made, out)
    except OSError as error:
        raise InputError(f"the model cannot be written to {out}: {files.in_words(error)}") from error


def write_model(folder: Path, base: Path, model: Any) -> str:
    """Write the weights of `model`, made from that in the folder `base`, and what else it needs; return their digest."""
    from safetensors.torch import save_file

    save_file(_weights(model), folder / "model.safetensors", metadata={"format": "pt"})
    for pattern in KEPT:
        for path in base.glob(pattern):
            if not path.name.endswith(".index.json"):  # it names the files of weights that were in pieces
                (folder / path.relative_to(base)).parent.mkdir(exist_ok=True)
                shutil.copyfile(path, folder / path.relative_to(base))
    return weights_digest(folder)


def _weights(model: Any) -> dict[str, Any]:
    """Return the weights by name, each once: some models have several names for one, and know so when they are loaded."""
    found: dict[tuple[int, tuple[int, ...]], tuple[str, Any]] = {}
    for name, tensor in model.state_dict().items():
        if not name.startswith(SPARE):
            found.setdefault((tensor.data_ptr(), tuple(tensor.shape)), (name, tensor.contiguous().cpu()))
    return dict(found.values())


def write_card(folder: Path, text: str) -> None:
    """Write the card."""
    (folder / CARD).write_text(text, encoding="utf-8")
