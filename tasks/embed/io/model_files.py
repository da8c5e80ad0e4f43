"""What a model's files say of it: the length of its vectors, how tokens are pooled, and what identifies it."""

from pathlib import Path
from typing import Any, Literal

from schemas.errors import InputError
from tasks.embed.io.tokenizer import model_dir, read_json
from tasks.store.fingerprints import weights_digest

Pooling = Literal["mean", "cls", "max"]

APPLIED = ("Transformer", "Pooling", "Normalize")
"""The sentence-transformers modules that are supported. Vectors are always normalised."""
POOLINGS: dict[str, Pooling] = {"mean": "mean", "mean_sqrt_len_tokens": "mean", "cls": "cls", "max": "max"}
"""Supported ways to pool tokens. mean_sqrt_len_tokens is the mean, because normalisation removes its factor."""
OLD_FLAGS = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}


def dimension(folder: Path) -> int:
    """Return the length of the vectors that the model in `folder` makes.

    Raises:
        InputError: its configuration does not state it.
    """
    config = read_json(folder / "config.json")
    size = config.get("hidden_size") or config.get("d_model") or config.get("dim")
    if not isinstance(size, int):
        raise InputError(f"{folder / 'config.json'} has no hidden_size: give the folder of a text embedder")
    return size


def pooling(folder: Path) -> Pooling:
    """Return the pooling that the model's sentence-transformers files state; mean if it has no such files.

    Raises:
        InputError: the files need a module or a pooling that Pagemill does not have.
    """
    listed = read_json(folder / "modules.json") if (folder / "modules.json").is_file() else []
    modules = {str(module["type"]).rpartition(".")[2]: str(module["path"]) for module in listed}
    if unknown := sorted(set(modules) - set(APPLIED)):
        raise InputError(
            f"{folder.name} needs modules that Pagemill does not have ({', '.join(unknown)}): choose another embedder"
        )
    path = folder / modules.get("Pooling", "1_Pooling") / "config.json"
    config = read_json(path) if path.is_file() else {"pooling_mode": "mean"}
    mode = config.get("pooling_mode") or "+".join(name for flag, name in OLD_FLAGS.items() if config.get(flag))
    if mode not in POOLINGS:
        raise InputError(
            f"{folder.name} uses the pooling {mode!r}, Pagemill has only {', '.join(POOLINGS)}: choose another embedder"
        )
    return POOLINGS[mode]


def embedder_facts(model: str) -> dict[str, Any]:
    """Return what identifies the vectors that `model` makes, for the recipe: its name and a digest of its files."""
    return {
        "model": model if not Path(model).is_dir() else Path(model).resolve().name,
        "weights": weights_digest(model_dir(model)),
    }
