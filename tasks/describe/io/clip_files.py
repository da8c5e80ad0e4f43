"""The files of a CLIP model: where they are, and whether they can be used. Nothing is loaded, so this is fast."""

from pathlib import Path

from schemas.errors import InputError
from tasks.embed.io.model_folders import ModelKind, check_weights, find_model
from tasks.embed.io.tokenizer import PACKAGED, find_model_folder, read_json
from tasks.store.fingerprints import compute_weights_digest

BUNDLED = "pagemill-figure-clip"
BUNDLED_DIR = Path(__file__).with_name("figure_clip")
KINDS_OF_MODEL = ("clip", "siglip")
"""Values of `model_type` of models that users may choose. The bundled model has another type: its text encoder is elsewhere."""
KIND = ModelKind("CLIP model", BUNDLED, "openai/clip-vit-base-patch32", ("*.json", "*.txt", "*.model", "*.safetensors"))
NEEDED = ("config.json", "preprocessor_config.json", "tokenizer.json")


def find_clip_folder(model: str) -> Path:
    """Return the folder of `model`: the bundled one, a directory, or a hub id with a `/`. Only an id needs the hub.

    Raises:
        InputError: there is no such model, it is not a CLIP or SigLIP, a file is missing, or its weights are pickled.
    """
    if model == BUNDLED:
        return BUNDLED_DIR
    return find_model(model, KIND, check_clip_folder)


def check_clip_folder(folder: Path) -> Path:
    """Return `folder` if it holds a CLIP or SigLIP that can be used.

    Raises:
        InputError: a file is missing, it is another kind of model, or it has no safetensors weights.
    """
    for name in NEEDED:
        if not (folder / name).is_file():
            raise InputError(f"{folder} has no {name}: it is not the folder of a CLIP or SigLIP model with a fast tokenizer")
    kind = read_json(folder / "config.json").get("model_type")
    if kind not in KINDS_OF_MODEL:
        raise InputError(f"{folder} holds a model of type {kind!r}: choose a CLIP or SigLIP (types {', '.join(KINDS_OF_MODEL)})")
    check_weights(folder)
    return folder


def gather_clip_facts(model: str) -> dict[str, str]:
    """Return what identifies a model's types and vectors, for the recipe: its name, and digests of its files."""
    facts = {
        "model": Path(model).resolve().name if Path(model).is_dir() else model,
        "weights": compute_weights_digest(find_clip_folder(model)),
    }
    return facts | ({"text_tower": compute_weights_digest(find_model_folder(PACKAGED))} if model == BUNDLED else {})
