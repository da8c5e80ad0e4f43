"""What a model's files say of it: the length of its vectors, how tokens are pooled, and what identifies it."""

from pathlib import Path
from typing import Literal

from schemas.errors import InputError
from tasks.embed.io.static_files import find_static_files
from tasks.embed.io.tokenizer import find_model_folder, read_json
from tasks.embed.provider import Prompts, parse_prompts
from tasks.store.fingerprints import compute_weights_digest

Pooling = Literal["mean", "cls", "max", "last"]

APPLIED = ("Transformer", "Pooling", "Normalize")
"""The sentence-transformers modules that are supported. Vectors are always normalised."""
POOLINGS: dict[str, Pooling] = {"mean": "mean", "mean_sqrt_len_tokens": "mean", "cls": "cls", "max": "max", "lasttoken": "last"}
"""Supported ways to pool tokens. mean_sqrt_len_tokens is the mean, because normalisation removes its factor."""
OLD_FLAGS = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}


def read_dimension(folder: Path) -> int:
    """Return the length of the vectors that the model in `folder` makes.

    Raises:
        InputError: its configuration does not state it.
    """
    if static := find_static_files(folder):
        return static.shape[1]
    config = read_json(folder / "config.json")
    size = config.get("hidden_size") or config.get("d_model") or config.get("dim")
    if not isinstance(size, int):
        raise InputError(f"{folder / 'config.json'} has no hidden_size: give the folder of a text embedder")
    return size


def shorten_dimension(folder: Path, size: int, dimensions: int | None) -> int:
    """Return the length of the vectors of a model that makes `size` numbers, if only the first `dimensions` are wanted.

    Raises:
        InputError: that are more than there are.
    """
    if dimensions is not None and dimensions > size:
        raise InputError(f"embed.dimensions is {dimensions}, but {folder.name} makes vectors of {size}: lower it or leave it out")
    return dimensions or size


def read_own_prompts(folder: Path) -> Prompts:
    """Return the prompts that the model's sentence-transformers files state; blank ones if there are none.

    Raises:
        InputError: the tokens of the prompts would have to be left out of the mean, which Pagemill does not do.
    """
    path = folder / "config_sentence_transformers.json"
    prompts = parse_prompts(read_json(path)) if path.is_file() else Prompts()
    for config in folder.glob("*_Pooling/config.json"):
        if any(prompts) and read_json(config).get("include_prompt") is False:
            raise InputError(
                f"{folder.name} leaves its prompts out of the pooling, which Pagemill does not: choose another embedder"
            )
    return prompts


def read_pooling(folder: Path) -> Pooling:
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


def gather_embedder_facts(model: str, dimensions: int | None = None) -> dict[str, object]:
    """Return what identifies the vectors that `model` makes, for the recipe: its name and a digest of its files.

    `dimensions`, if set, is how many of their first numbers are kept.
    """
    return {
        "model": model if not Path(model).is_dir() else Path(model).resolve().name,
        "weights": compute_weights_digest(find_model_folder(model)),
        **({} if dimensions is None else {"dimension": dimensions}),
    }
