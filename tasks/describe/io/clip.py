"""CLIP: makes vectors of one space from pictures and texts, by the bundled model or any CLIP or SigLIP, on CUDA or CPU."""

import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from schemas.errors import InputError
from tasks.describe.io.clip_files import BUNDLED_DIR, find_clip_folder
from tasks.embed.batching import Budget, run_in_batches
from tasks.embed.io.device import is_memory_error, load_on_device, send_to_device
from tasks.embed.io.model_folders import load_model
from tasks.embed.io.tokenizer import PACKAGED, find_model_folder, read_json

if TYPE_CHECKING:
    import torch
    from PIL.Image import Image
    from transformers import BatchEncoding, PreTrainedModel, VisionTextDualEncoderModel
    from transformers.utils import ModelOutput


class Preprocessor(NamedTuple):
    """How a picture is scaled: to `size` (width, height), or its shorter side to `shortest` and cropped to the middle."""

    size: tuple[int, int]
    shortest: int | None
    resample: int
    mean: tuple[float, ...]
    std: tuple[float, ...]

    def __call__(self, picture: "Image") -> NDArray[np.float32]:
        """Return the picture's values, of shape (3, height, width)."""
        if self.shortest:
            scale = self.shortest / min(picture.size)
            box = _find_middle_box(picture.size, (self.size[0] / scale, self.size[1] / scale))
            picture = picture.resize(self.size, self.resample, box=box)
        else:
            picture = picture.resize(self.size, self.resample)
        values = np.asarray(picture.convert("RGB"), dtype=np.float32) / 255
        return ((values - self.mean) / self.std).astype(np.float32).transpose(2, 0, 1)


def _find_middle_box(size: tuple[int, int], wanted: tuple[float, float]) -> tuple[float, float, float, float]:
    """Return the box of at most the `wanted` width and height in the middle of a picture."""
    w, h = min(size[0], wanted[0]), min(size[1], wanted[1])
    left, top = (size[0] - w) / 2, (size[1] - h) / 2
    return left, top, left + w, top + h


def read_preprocessor(folder: Path) -> Preprocessor:
    """Return the preprocessor of the model in `folder`.

    Raises:
        InputError: its configuration states no picture size.
    """
    config = read_json(folder / "preprocessor_config.json")
    size, crop = _parse_size(config.get("size")), _parse_size(config.get("crop_size"))
    given = config.get("size")
    shortest = given.get("shortest_edge") if isinstance(given, dict) else given if isinstance(given, int) else None
    final = crop if crop and config.get("do_center_crop", True) else size
    if not final:
        raise InputError(f"{folder / 'preprocessor_config.json'} states no picture size: download the model again")
    mean, std = config.get("image_mean", (0.5, 0.5, 0.5)), config.get("image_std", (0.5, 0.5, 0.5))
    return Preprocessor(final, shortest if crop else None, int(config.get("resample", 3)), tuple(mean), tuple(std))


def _parse_size(size: object) -> tuple[int, int] | None:
    """Return (width, height) of a size in a configuration, None unless it gives both."""
    if isinstance(size, int):
        return size, size
    if isinstance(size, dict) and {"width", "height"} <= set(size):
        return int(size["width"]), int(size["height"])
    return (int(size["shortest_edge"]),) * 2 if isinstance(size, dict) and "shortest_edge" in size else None


Vectors = NDArray[np.float32]
BATCH = 16
"""Pictures in the first batch of the model. A GPU gets more, until its memory is full."""
_LOADING = threading.Lock()


class LoadedClip(NamedTuple):
    """A model with its tokenizer and its picture preprocessor. `scale` turns cosines into logits, `budget` counts pictures."""

    model: "PreTrainedModel"
    tokenizer: "Callable[[list[str]], BatchEncoding]"
    pictures: Preprocessor
    scale: float
    device: str
    budget: Budget
    lock: threading.Lock


class Clip:
    """Turns pictures and texts into vectors of length 1. Threads may share one. The model is loaded once per process."""

    def __init__(self, model: str, device: str = "auto") -> None:
        """Load `model` unless this process has done so.

        Raises:
            InputError: there is no such model, its weights are incomplete, or the device is `cuda` and cannot be used.
        """
        with _LOADING:
            self._loaded = _load_clip(find_clip_folder(model), device)

    @property
    def scale(self) -> float:
        """The factor of cosines before the softmax over labels."""
        return self._loaded.scale

    def prepare(self, picture: "Image") -> NDArray[np.float32]:
        """Return the model's input for an RGB picture, of shape (3, height, width). It is small enough to keep."""
        return self._loaded.pictures(picture)

    def pictures(self, prepared: Sequence[NDArray[np.float32]]) -> Vectors:
        """Return a vector for each prepared picture."""
        import torch

        loaded = self._loaded
        done: list[torch.Tensor] = []

        def run(rows: list[int]) -> None:
            pixels = send_to_device(np.stack([prepared[row] for row in rows]), loaded.device)
            done.append(_unwrap_features(loaded.model.get_image_features(pixel_values=pixels)))

        with torch.inference_mode(), loaded.lock:
            run_in_batches([1] * len(prepared), loaded.budget, run, is_memory_error)
            return _normalise(torch.cat(done)) if done else np.zeros((0, 0), np.float32)

    def texts(self, texts: Sequence[str]) -> Vectors:
        """Return a vector for each text. Longer texts than the model takes are cut at the end."""
        import torch

        loaded = self._loaded
        inputs = loaded.tokenizer(list(texts)).to(loaded.device)
        with torch.inference_mode(), loaded.lock:
            return _normalise(_unwrap_features(loaded.model.get_text_features(**inputs)))


def _unwrap_features(output: "ModelOutput | torch.Tensor") -> "torch.Tensor":
    """Return features on their device. Recent versions of transformers wrap them in an output object."""
    features: torch.Tensor = getattr(output, "pooler_output", output)
    return features


def _normalise(features: "torch.Tensor") -> Vectors:
    rows = features.float().cpu().numpy()
    normalised: Vectors = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    return normalised


@lru_cache(maxsize=2)
def _load_clip(folder: Path, option: str) -> LoadedClip:
    return load_on_device(option, f"the CLIP model in {folder}", lambda device: _load_clip_on_device(folder, device))


def _load_clip_on_device(folder: Path, device: str) -> LoadedClip:
    model = (load_bundled_model(folder) if folder == BUNDLED_DIR else load_model(folder, "CLIP model")).eval().to(device)
    scale, budget = float(model.logit_scale.detach().exp()), Budget(BATCH, fixed=device == "cpu")
    return LoadedClip(model, _load_tokenizer(folder), read_preprocessor(folder), scale, device, budget, threading.Lock())


def load_bundled_model(folder: Path) -> "VisionTextDualEncoderModel":
    """Return the bundled model: image encoder and projections from `folder`, text encoder from the package of MiniLM.

    Raises:
        InputError: weights are missing, or there are some that the model does not have.
    """
    from safetensors.torch import load_file

    model = build_dual_encoder(folder)
    weights = {
        name: value.float() if value.is_floating_point() else value
        for name, value in load_file(folder / "model.safetensors").items()
    }
    loading = model.load_state_dict(weights, strict=False)
    missing = [name for name in loading.missing_keys if not name.startswith("text_model.")]
    if missing or loading.unexpected_keys:
        raise InputError(
            f"the figure model in {folder} is damaged ({[*missing, *loading.unexpected_keys][0]}): install Pagemill again"
        )
    return model


def build_dual_encoder(folder: Path) -> "VisionTextDualEncoderModel":
    """Return the model that the configuration in `folder` describes: its image encoder untrained, its text encoder MiniLM.

    MiniLM's vector of a text is the mean of its tokens, so the mean is returned as the pooled output.
    """
    import torch
    from transformers import BertModel, EfficientNetModel, VisionTextDualEncoderConfig, VisionTextDualEncoderModel
    from transformers.utils import logging

    class MeanBert(BertModel):  # type: ignore[misc]
        def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor, **rest: object) -> "ModelOutput":
            output = super().forward(input_ids=input_ids, attention_mask=attention_mask, **rest)
            shown = attention_mask.unsqueeze(-1).to(output.last_hidden_state.dtype)
            output.pooler_output = (output.last_hidden_state * shown).sum(1) / shown.sum(1)
            return output

    logging.disable_progress_bar()
    config = VisionTextDualEncoderConfig.from_pretrained(folder)
    minilm = find_model_folder(PACKAGED)
    text = MeanBert.from_pretrained(minilm, local_files_only=True, use_safetensors=True, dtype=torch.float32)
    return VisionTextDualEncoderModel(config, EfficientNetModel(config.vision_config), text)


def _load_tokenizer(folder: Path) -> "Callable[[list[str]], BatchEncoding]":
    from transformers import AutoTokenizer

    bundled = folder == BUNDLED_DIR
    tokenizer = AutoTokenizer.from_pretrained(
        find_model_folder(PACKAGED) if bundled else folder, local_files_only=True, trust_remote_code=False
    )
    whole = not bundled and "siglip" in (folder / "config.json").read_text()
    length = min(int(tokenizer.model_max_length), 256 if bundled else 77 if not whole else 64)
    padding = "max_length" if whole else True  # SigLIP was trained on padded texts only
    return lambda texts: tokenizer(texts, padding=padding, truncation=True, max_length=length, return_tensors="pt")
