import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image, ImageDraw

from tasks.parse.scans.skew import is_dark, skew_of


def lines(degrees: float) -> npt.NDArray[np.uint8]:
    """Rows of words, turned clockwise."""
    picture = Image.new("L", (600, 800), 255)
    pen = ImageDraw.Draw(picture)
    for n, y in enumerate(range(60, 740, 24)):
        for x in range(60 + n % 3 * 7, 520, 45):
            pen.rectangle((x, y, x + 34, y + 9), fill=0)
    return np.asarray(picture.rotate(-degrees, fillcolor=255, resample=Image.Resampling.BILINEAR))


@pytest.mark.parametrize("degrees", [-9.5, -3.0, -0.6, 0.0, 0.7, 2.2, 8.0])
def test_the_skew_of_lines_is_found(degrees: float) -> None:
    assert skew_of(lines(degrees)) == pytest.approx(degrees, abs=0.25)


@pytest.mark.parametrize("degrees", [0.0, 4.0, -5.5])
def test_the_skew_of_a_page_on_its_side_is_found(degrees: float) -> None:
    assert skew_of(np.rot90(lines(degrees))) == pytest.approx(degrees, abs=0.25)


@pytest.mark.parametrize("value", [0, 128, 255])
def test_a_page_of_one_colour_has_no_skew(value: int) -> None:
    assert skew_of(np.full((50, 40), value, dtype=np.uint8)) == 0


def test_a_page_is_dark_when_most_of_it_is() -> None:
    assert not is_dark(lines(0))
    assert is_dark(255 - lines(0))
