import errno
import io
import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from tasks.describe.io import figure_ocr
from tasks.describe.io.figure_ocr import (
    MAX_PIXELS,
    FigureReading,
    OcrMode,
    open_picture,
    read_cached,
    read_figure,
    read_figure_once,
)
from tasks.parse.layout.figure_lines import FigureLine

MODE = OcrMode("eng", 0.5)
BLANK = Image.new("RGB", (30, 40))


def saved(picture: Image.Image, form: str = "PNG", **options: object) -> bytes:
    sink = io.BytesIO()
    picture.save(sink, form, **options)
    return sink.getvalue()


ODD = {
    "one pixel": Image.new("RGB", (1, 1), "red"),
    "grey with 16 bits": Image.fromarray(np.linspace(0, 65535, 400).reshape(20, 20).astype(np.uint16)),
    "palette": Image.new("P", (20, 20)),
    "transparent": Image.new("RGBA", (20, 20), (255, 0, 0, 0)),
    "grey with alpha": Image.new("LA", (20, 20), (0, 0)),
    "black and white": Image.new("1", (20, 20)),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_pictures_open_in_rgb(name: str) -> None:
    opened = open_picture(saved(ODD[name]))
    assert opened.mode == "RGB"
    assert opened.size == ODD[name].size


def test_cmyk_opens_and_what_is_transparent_becomes_white() -> None:
    assert open_picture(saved(Image.new("CMYK", (9, 9)), "JPEG")).mode == "RGB"
    assert open_picture(saved(ODD["transparent"])).getpixel((0, 0)) == (255, 255, 255)


def test_sixteen_bits_keep_their_range() -> None:
    assert np.asarray(open_picture(saved(ODD["grey with 16 bits"]))).max() == 255
    assert np.asarray(open_picture(saved(ODD["grey with 16 bits"]))).min() == 0


def test_a_decompression_bomb_is_refused_before_it_is_decoded() -> None:
    side = int(MAX_PIXELS**0.5) + 1
    with pytest.raises(ValueError, match="pixels"):
        open_picture(saved(Image.new("1", (side, side))))


@pytest.mark.parametrize("damage", [b"", b"no picture", saved(Image.new("RGB", (50, 50)))[:60]])
def test_what_is_not_a_picture_is_an_error(damage: bytes) -> None:
    with pytest.raises((OSError, ValueError, SyntaxError)):
        open_picture(damage)


def test_dark_pictures_are_read_inverted_too() -> None:
    picture = Image.new("RGB", (700, 200), (20, 20, 40))
    ImageDraw.Draw(picture).text((40, 60), "Harbour traffic", fill=(230, 230, 230), font=ImageFont.load_default(64))
    assert "Harbour traffic" in read_figure(picture, MODE).text


def test_a_kept_reading_comes_back_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [FigureLine("Tides", (1.0, 2.0, 3.0, 4.0), 12.5), FigureLine("metres", (0.0, 9.0, 2.0, 30.0), 8.0, 90)]
    readings = [FigureReading(lines, (30, 40))]
    monkeypatch.setattr(figure_ocr, "read_figure", lambda picture, mode: readings.pop())
    made, kept = (read_figure_once(BLANK, MODE, tmp_path / "a" / "b.json") for _ in range(2))
    assert made == kept == FigureReading(lines, (30, 40))
    assert not readings, "it was read once"


def test_a_reading_that_cannot_be_kept_or_was_cut_short_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "cut.json").write_text('[[["Tid')
    assert read_cached(tmp_path / "cut.json", lambda: [1]) == [1]

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    assert read_cached(tmp_path / "new.json", lambda: [2]) == [2]
    assert "no space left" in caplog.text and not (tmp_path / "new.json").exists()
