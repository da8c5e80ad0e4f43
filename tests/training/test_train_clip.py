from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from safetensors.numpy import load_file

from schemas.errors import InputError
from tasks.describe.io.clip_files import BUNDLED_DIR
from training.figure_set.kinds import KINDS
from training.figure_set.pictures import gallery
from training.figure_set.sources import FONTS, INSTALLED, PICTURES, packages
from training.figure_set.store import NEXT_SEED, RETRIES
from training.train_clip import FRESH_SEED, SEEDS, TrainOptions, card, check_sources, orders


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


@given(figures=st.integers(8, 900_000), tests=st.integers(4, 40_000), seed=st.integers(0, 9), attempt=st.integers(0, RETRIES - 1))
def test_no_training_draws_a_fresh_seed_and_what_measures_it_is_not_learnt(
    figures: int, tests: int, seed: int, attempt: int
) -> None:
    asked = orders(TrainOptions(figures_per_kind=figures, tests_per_kind=tests, seed=seed))
    drawn = [order.first_seed + attempt * NEXT_SEED for order in asked]
    ends = [first + order.per_kind for first, order in zip(drawn, asked, strict=True)]
    assert all(end <= first for end, first in zip(ends, drawn[1:], strict=False))
    assert all(first % SEEDS + order.per_kind <= FRESH_SEED for first, order in zip(drawn, asked, strict=True))


def test_more_figures_than_there_are_seeds_are_refused() -> None:
    for given_ in ({"figures_per_kind": 900_001}, {"tests_per_kind": 40_001}):
        with pytest.raises(ValidationError, match="less than or equal"):
            TrainOptions(**given_)


def test_training_without_the_free_pictures_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no free photographs"):
        check_sources(str(tmp_path))
    photographs = tmp_path / "usr/share/backgrounds"
    photographs.mkdir(parents=True)
    (photographs / "hill.jpg").write_bytes(b"")
    gallery.cache_clear()
    with pytest.raises(InputError, match="holds no free drawings"):
        check_sources(str(tmp_path))
