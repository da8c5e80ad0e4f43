"""Coloured bands become paper; pictures and letters stay."""

import numpy as np
import pytest

from tasks.parse.layout.pixels import Picture
from tasks.parse.scans.paper import evened, reversed_in

POINTS = 72 / 200
PAPER, BAND, INK, DARK = 250, 190, 30, 90
BOX = slice(100, 140), slice(100, 500)


def test_bands_become_as_light_as_the_paper_and_letters_on_them_stay_dark() -> None:
    page = np.full((301, 401), PAPER, np.uint8)
    page[100:140] = BAND
    page[110:125, 50:54] = INK
    even = evened(page, POINTS)
    assert even.shape == page.shape
    assert even[108:132, 100:300].min() >= PAPER - 1
    assert even[110:125, 50:54].max() < INK * PAPER / BAND + 1
    assert (even[:90] == PAPER).all()


def test_pictures_keep_their_lightness() -> None:
    page = np.full((300, 400), PAPER, np.uint8)
    page[100:200, 100:300] = DARK
    assert (evened(page, POINTS)[104:196, 104:296] == DARK).all()


def test_a_page_of_one_colour_stays() -> None:
    page = np.full((50, 70), 200, np.uint8)
    assert (evened(page, POINTS) == page).all()


def dark_on(page: Picture, light: int, noise: float = 0.0) -> Picture:
    """Draw a dark surface with light letters on a page."""
    page[BOX] = DARK
    for x in range(120, 400, 20):
        page[110:132, x : x + 4] = page[110:114, x : x + 12] = light
    noisy = page + np.random.default_rng(0).normal(0, noise, page.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("noise", [0.0, 8.0])
def test_light_letters_on_a_dark_surface_become_dark_on_paper(noise: float) -> None:
    page = dark_on(np.full((300, 600), PAPER, np.uint8), PAPER, noise)
    page[200:222, 120:124] = INK
    shown = reversed_in(page, POINTS)
    assert np.median(shown[116:130, 121:123]) < INK and shown[104:108, 104:496].mean() > PAPER - 20
    assert shown[96:100, 100:500].min() > DARK and (shown[150:] == page[150:]).all()


def test_letters_and_dark_surfaces_without_letters_or_of_many_lightnesses_stay() -> None:
    page = dark_on(np.full((300, 600), PAPER, np.uint8), DARK)
    page[200:240, 100:500:6] = page[200:204, 100:500] = INK
    assert (reversed_in(page, POINTS) == page).all()
    page[BOX] = np.sort(np.random.default_rng(0).integers(0, 200, (40, 400)), axis=1)
    assert (reversed_in(page, POINTS) == page).all()
