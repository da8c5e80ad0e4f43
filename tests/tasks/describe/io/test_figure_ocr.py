import errno
import io
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from schemas.errors import DocumentError
from tasks.describe.io import figure_ocr
from tasks.describe.io.figure_ocr import (
    MAX_PIXELS,
    FigureReading,
    FigureViews,
    OcrMode,
    open_picture,
    read_cached,
    read_figures,
    read_views,
    write_views,
)
from tasks.parse.elements.png import FORMATS, as_png
from tasks.parse.layout.figure_lines import FigureLine
from tasks.parse.pdf.io.picture import open_upright

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


@pytest.mark.parametrize("read", [open_picture, open_upright, lambda data: as_png(data, 10_000)])
def test_no_picture_is_a_program(read: Callable[[bytes], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Pillow runs Ghostscript for what begins like EPS, whatever its suffix says."""
    ran: list[object] = []
    monkeypatch.setattr("PIL.EpsImagePlugin.has_ghostscript", lambda: True)
    monkeypatch.setattr("PIL.EpsImagePlugin.Ghostscript", lambda *given, **_: ran.append(given))
    with pytest.raises((OSError, ValueError, SyntaxError, DocumentError)):
        read(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 100 100\n%%EndComments\nshowpage\n")
    assert ran == []


def test_every_kind_of_picture_that_is_read_is_one_that_pillow_knows() -> None:
    Image.init()
    assert {*FORMATS} <= {*Image.OPEN}


def test_dark_pictures_are_read_inverted_too(tmp_path: Path) -> None:
    picture = Image.new("RGB", (700, 200), (20, 20, 40))
    ImageDraw.Draw(picture).text((40, 60), "Harbour traffic", fill=(230, 230, 230), font=ImageFont.load_default(64))
    (reading,) = read_views([write_views(picture, MODE, tmp_path)])
    assert "Harbour traffic" in reading.text


def written(*texts: str, size: tuple[int, int] = (900, 300)) -> Image.Image:
    picture = Image.new("RGB", size, "white")
    for n, text in enumerate(texts):
        ImageDraw.Draw(picture).text((40, 40 + 90 * n), text, fill="black", font=ImageFont.load_default(56))
    return picture


def test_figures_that_are_read_together_read_as_each_alone(tmp_path: Path) -> None:
    """One is too small to read, one is read as a page, one is a chart with its left turned, and one is blank."""
    pictures = [written("Harbour traffic", "of 1923"), BLANK, written("Tides"), written("Grain, in tonnes", "4711"), written()]
    modes = [MODE, MODE, MODE._replace(page=True), MODE._replace(chart=True), MODE]
    views = []
    for n, (picture, mode) in enumerate(zip(pictures, modes, strict=True)):
        (tmp_path / str(n)).mkdir()
        views.append(write_views(figure_ocr.flatten_picture(picture), mode, tmp_path / str(n)))
    together = read_views(views)
    assert together == [read_views([one])[0] for one in views]
    assert [reading.text for reading in together] == ["Harbour traffic\nof 1923", "", "Tides", "Grain, in tonnes\n4711", ""]


def test_a_file_that_cannot_be_read_does_not_keep_others_from_it(tmp_path: Path) -> None:
    good = write_views(written("Tides"), MODE, tmp_path)
    (tmp_path / "broken").write_bytes(b"no picture")
    found = read_figures([good, good._replace(files=[tmp_path / "broken"]), good])
    assert [outcome.text if isinstance(outcome, FigureReading) else "broken" for outcome in found] == ["Tides", "broken", "Tides"]
    assert isinstance(found[1], RuntimeError)


def test_a_kept_reading_comes_back_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [FigureLine("Tides", (1.0, 2.0, 3.0, 4.0), 12.5), FigureLine("metres", (0.0, 9.0, 2.0, 30.0), 8.0, 90)]
    asked: list[int] = []

    def read(figures: Sequence[FigureViews]) -> list[FigureReading]:
        asked.append(len(figures))
        return [FigureReading(lines, (30, 40)) for _ in figures]

    monkeypatch.setattr(figure_ocr, "read_views", read)
    views = write_views(BLANK, MODE, tmp_path, tmp_path / "a" / "b.json")
    assert read_figures([views]) == [FigureReading(lines, (30, 40))]
    assert read_figures([views, views]) == [FigureReading(lines, (30, 40))] * 2
    assert asked == [1], "it was read once"


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
