import numpy as np
import pytest

from training.figure_set.captions import PHRASES, captions
from training.figure_set.damage import worn
from training.figure_set.kinds import KINDS, figure
from training.figure_set.pictures import Gallery

NONE = Gallery()


@pytest.mark.parametrize("kind", KINDS)
def test_a_figure_is_drawn_by_its_seed_alone(kind: str) -> None:
    first, again, other = (figure(seed, kind, NONE).picture for seed in (3, 3, 4))
    assert np.array_equal(np.asarray(first), np.asarray(again))
    assert first.size != other.size or not np.array_equal(np.asarray(first), np.asarray(other))
    assert first.mode == "RGB" and min(first.size) >= 8


def test_every_kind_has_captions_that_begin_with_its_label() -> None:
    assert set(PHRASES) == set(KINDS)
    assert all(captions(kind)[0] == kind and len(set(captions(kind))) == len(captions(kind)) for kind in KINDS)


def test_wear_keeps_a_picture_a_picture() -> None:
    picture = figure(1, "bar chart", NONE, hurt=False).picture
    sizes = {worn(np.random.default_rng(seed), picture).size for seed in range(12)}
    assert len(sizes) > 1 and all(min(size) >= 8 for size in sizes)
