import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.blank import is_paper


def paper(shade: float = 245, grain: float = 3, shape: tuple[int, int] = (1170, 827)) -> npt.NDArray[np.uint8]:
    """Draw paper as scanners see it: never of one shade, darker towards a side."""
    noise = np.random.default_rng(0).normal(shade, grain, shape) - np.linspace(0, 25, shape[1])
    return np.clip(noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(("shade", "grain"), [(255, 0), (245, 3), (200, 6), (30, 3)])
def test_paper_of_any_shade_and_grain_is_blank(shade: float, grain: float) -> None:
    assert is_paper(paper(shade, grain))


def test_dust_is_not_a_mark() -> None:
    picture = paper()
    picture[100::300, 70::200] = 120
    assert is_paper(picture)


@given(y=st.integers(0, 1160), x=st.integers(0, 820), darker=st.integers(60, 200))
def test_a_mark_of_a_millimetre_and_a_half_is_seen_anywhere(y: int, x: int, darker: int) -> None:
    picture = paper()
    picture[y : y + 6, x : x + 6] -= np.uint8(darker)
    assert not is_paper(picture)


def test_noise_is_not_blank() -> None:
    noise = np.random.default_rng(0).choice(np.array([0, 255], np.uint8), (3510, 2481))
    seen_from_afar = noise.reshape(1170, 3, 827, 3).mean(axis=(1, 3)).astype(np.uint8)
    assert not is_paper(seen_from_afar)


@pytest.mark.parametrize("shape", [(1, 1), (1, 500), (34, 33)])
def test_pictures_of_any_size_are_looked_at(shape: tuple[int, int]) -> None:
    assert is_paper(np.full(shape, 200, np.uint8))
