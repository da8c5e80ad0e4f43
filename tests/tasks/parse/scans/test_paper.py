"""Coloured bands become paper; pictures and letters stay."""

import numpy as np

from tasks.parse.scans.paper import evened

POINTS = 72 / 200
PAPER, BAND, INK, DARK = 250, 190, 30, 90


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
