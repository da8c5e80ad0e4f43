from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from schemas.errors import InputError
from tasks.adapters.clip_files import BUNDLED_DIR
from training.figure_set.kinds import KINDS
from training.figure_set.pictures import gallery
from training.figure_set.sources import FONTS, INSTALLED, PICTURES, packages
from training.train_clip import TrainOptions, card, check_sources


def confusion_in(text: str) -> np.ndarray:
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith(tuple(f"| {kind} |" for kind in KINDS))]
    return np.array([[int(cell) if cell.strip() else 0 for cell in row[1:]] for row in rows])


def test_the_bundled_card_is_what_the_training_writes_of_its_figures() -> None:
    bundled = (BUNDLED_DIR / "README.md").read_text(encoding="utf-8")
    confusion = confusion_in(bundled)
    scale = float(np.exp(load_file(BUNDLED_DIR / "model.safetensors")["logit_scale"]))
    figures = {"accuracy": np.trace(confusion) / confusion.sum(), "scale": scale}
    assert confusion.shape == (len(KINDS), len(KINDS))
    assert card(confusion, figures, TrainOptions()) == bundled


def test_the_card_names_every_package_once_with_its_licence() -> None:
    bundled = (BUNDLED_DIR / "README.md").read_text(encoding="utf-8")
    sources = [*PICTURES, *FONTS, *INSTALLED]
    assert len(set(packages(sources))) == len(packages(sources))
    for source in sources:
        names = ", ".join(f"`{name}`" for name in source.packages.split())
        assert bundled.count(f"| {names} | {source.use} | {source.licence} |") == 1


def test_training_without_the_free_pictures_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no free photographs"):
        check_sources(str(tmp_path))
    photographs = tmp_path / "usr/share/backgrounds"
    photographs.mkdir(parents=True)
    (photographs / "hill.jpg").write_bytes(b"")
    gallery.cache_clear()
    with pytest.raises(InputError, match="holds no free drawings"):
        check_sources(str(tmp_path))
