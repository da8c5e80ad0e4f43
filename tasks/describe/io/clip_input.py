"""Pictures as input of a CLIP model, by its `preprocessor_config.json`. Pillow does all of it, without torchvision."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from schemas.errors import InputError
from tasks.embed.io.tokenizer import read_json

if TYPE_CHECKING:
    from PIL.Image import Image


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
            box = _middle(picture.size, (self.size[0] / scale, self.size[1] / scale))
            picture = picture.resize(self.size, self.resample, box=box)
        else:
            picture = picture.resize(self.size, self.resample)
        values = np.asarray(picture.convert("RGB"), dtype=np.float32) / 255
        return ((values - self.mean) / self.std).astype(np.float32).transpose(2, 0, 1)


def _middle(size: tuple[int, int], wanted: tuple[float, float]) -> tuple[float, float, float, float]:
    """Return the box of at most the `wanted` width and height in the middle of a picture."""
    w, h = min(size[0], wanted[0]), min(size[1], wanted[1])
    left, top = (size[0] - w) / 2, (size[1] - h) / 2
    return left, top, left + w, top + h


def preprocessor(folder: Path) -> Preprocessor:
    """Return the preprocessor of the model in `folder`.

    Raises:
        InputError: its configuration states no picture size.
    """
    config = read_json(folder / "preprocessor_config.json")
    size, crop = _pair(config.get("size")), _pair(config.get("crop_size"))
    given = config.get("size")
    shortest = given.get("shortest_edge") if isinstance(given, dict) else given if isinstance(given, int) else None
    final = crop if crop and config.get("do_center_crop", True) else size
    if not final:
        raise InputError(f"{folder / 'preprocessor_config.json'} states no picture size: download the model again")
    mean, std = config.get("image_mean", (0.5, 0.5, 0.5)), config.get("image_std", (0.5, 0.5, 0.5))
    return Preprocessor(final, shortest if crop else None, int(config.get("resample", 3)), tuple(mean), tuple(std))


def _pair(size: Any) -> tuple[int, int] | None:
    """Return (width, height) of a size in a configuration, None unless it gives both."""
    if isinstance(size, int):
        return size, size
    if isinstance(size, dict) and {"width", "height"} <= set(size):
        return int(size["width"]), int(size["height"])
    return (int(size["shortest_edge"]),) * 2 if isinstance(size, dict) and "shortest_edge" in size else None
