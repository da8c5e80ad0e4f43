"""The pictures of figures: opened in any format, made small, read by Tesseract."""

import io
import json
import logging
import warnings
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from schemas.errors import PagemillError, WriteError
from tasks.parse.elements.png import FORMATS
from tasks.parse.layout.figure_lines import FigureLine, lines_of, side_by_side, text_of
from tasks.parse.layout.geometry import Box
from tasks.parse.scans.io import tesseract
from tasks.parse.scans.plausible import is_nonsense
from tasks.parse.scans.typefaces.sizes import size_of
from tasks.parse.scans.words import OcrWord
from tasks.store import files

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_PIXELS = 100_000_000
"""A picture with more pixels by its header is not decoded."""
READABLE_SIDE, READABLE_PAGE, LARGEST_SCALE = 1600, 2600, 3
"""Pixels of the longer side below which a picture, or a page, is enlarged before OCR; and the largest factor."""
MIN_SIDE = 30
"""A picture with a side of fewer pixels has no readable text."""
SCATTERED, PAGE = 11, 1
"""Page segmentation modes of Tesseract: scattered words, and pages in any orientation."""
DARK = 110
"""A picture with a lower median grey is also read inverted."""
STRIP = 0.16
"""Share of a chart's width, at its left, that contains the name of the vertical axis."""
logger = logging.getLogger(__name__)


class FigureReading(NamedTuple):
    """What was read in a figure: its lines, those written upwards at its left last, and its size in pixels."""

    lines: list[FigureLine]
    size: tuple[int, int]

    @property
    def text(self) -> str:
        """The text of all lines."""
        return text_of(self.lines)


class OcrMode(NamedTuple):
    """How OCR reads a figure: Tesseract's languages, the lowest confidence of a word, and whether it is a chart or a page."""

    languages: str
    min_confidence: float
    chart: bool = False
    page: bool = False


def open_picture(data: bytes) -> "Image":
    """Return the decoded picture in RGB. Transparent parts become white, 16 bits become 8.

    Raises:
        OSError, ValueError, SyntaxError: the bytes are not a picture, or it is damaged or has too many pixels.
    """
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            picture = Image.open(io.BytesIO(data), formats=FORMATS)
            if picture.width * picture.height > MAX_PIXELS:
                raise ValueError(f"it has {picture.width} x {picture.height} pixels, more than {MAX_PIXELS}")
            picture.load()
    except UnidentifiedImageError as error:
        raise ValueError("Pillow cannot read this kind of file as a picture") from error
    except Image.DecompressionBombError as error:
        raise ValueError(str(error)) from error
    return flatten_picture(picture)


def flatten_picture(picture: "Image") -> "Image":
    """Return the picture in RGB with 8 bits, on white."""
    from PIL import Image

    if picture.mode in ("I", "F") or picture.mode.startswith("I;16"):
        values = np.asarray(picture).astype(np.float64)
        top = 65535 if values.max() > 255 else 255
        picture = Image.fromarray(np.clip(values * 255 / top, 0, 255).astype(np.uint8))
    if picture.mode in ("LA", "RGBA", "PA", "La", "RGBa") or "transparency" in picture.info:
        seen = picture.convert("RGBA")
        white = Image.new("RGBA", seen.size, (255, 255, 255, 255))
        picture = Image.alpha_composite(white, seen)
    return picture.convert("RGB")


def make_thumbnail(picture: "Image", side: int) -> bytes:
    """Return the picture as PNG, its longer side at most `side` pixels."""
    small = picture.copy()
    small.thumbnail((side, side))
    sink = io.BytesIO()
    small.save(sink, "PNG")
    return sink.getvalue()


class FigureViews(NamedTuple):
    """The pictures of one figure that Tesseract reads, in files: as it is; inverted if it is dark; of a chart, its left turned.

    `size` is that of the first in pixels, `width` that of the figure itself. `kept` is the file that keeps what was read, if any.
    """

    mode: OcrMode
    files: list[Path]
    size: tuple[int, int]
    width: int
    kept: Path | None = None


def write_views(picture: "Image", mode: OcrMode, folder: Path, kept: Path | None = None) -> FigureViews:
    """Write what Tesseract is to read of a picture into `folder`: nothing of a tiny one.

    Raises:
        OSError: it cannot be written.
    """
    width = picture.width
    if min(picture.size) < MIN_SIDE:
        return FigureViews(mode, [], picture.size, width, kept)
    scale = min(LARGEST_SCALE, (READABLE_PAGE if mode.page else READABLE_SIDE) / max(picture.size))
    if scale > 1:
        picture = picture.resize((round(picture.width * scale), round(picture.height * scale)))
    views = [picture]
    if np.median(np.asarray(picture.convert("L"))) < DARK:
        views.append(_invert_picture(picture))
    if mode.chart:
        views.append(_turn_left_side(picture))
    files = [tesseract.write_picture(view, folder / str(n)) for n, view in enumerate(views)]
    return FigureViews(mode, files, picture.size, width, kept)


def read_figures(figures: Sequence[FigureViews]) -> list[FigureReading | OSError | RuntimeError]:
    """Return what is written in each figure, or why Tesseract could not read it. What is kept is not read again.

    Raises:
        LimitError, ServiceError: Tesseract took too long, or the machine failed.
    """
    readings = [None if figure.kept is None else _recall_reading(figure.kept) for figure in figures]
    asked = [figure for figure, reading in zip(figures, readings, strict=True) if reading is None]
    made = iter(_read_views_guarded(asked) if asked else [])
    found: list[FigureReading | OSError | RuntimeError] = []
    for figure, reading in zip(figures, readings, strict=True):
        outcome = reading or next(made)
        if not reading and figure.kept and isinstance(outcome, FigureReading):
            _keep(figure.kept, list(outcome))
        found.append(outcome)
    return found


def _read_views_guarded(figures: Sequence[FigureViews]) -> list[FigureReading | OSError | RuntimeError]:
    """Return what `read_views` does. If that fails, each figure is read alone, and the failure is that of one figure."""
    try:
        return list(read_views(figures))
    except PagemillError:
        raise
    except (OSError, RuntimeError) as error:
        return [outcome for figure in figures for outcome in _read_views_guarded([figure])] if len(figures) > 1 else [error]


def read_views(figures: Sequence[FigureViews]) -> list[FigureReading]:
    """Return what is written in figures, without words of low confidence and words without a letter or digit.

    Nothing is written in a picture whose words are nonsense together, as OCR reads them in a photograph. A chart is not judged:
    its marks are read as letters beside its true words.

    Raises:
        OSError, RuntimeError: one cannot be read.
        LimitError, ServiceError: Tesseract took too long, or the machine failed.
    """
    ways = {(figure.mode.languages, figure.mode.page): list[Path]() for figure in figures}
    for figure in figures:
        ways[figure.mode.languages, figure.mode.page] += figure.files
    words = {
        file: found
        for (languages, page), files in ways.items()
        for file, found in zip(files, tesseract.read_files(files, languages, PAGE if page else SCATTERED), strict=True)
    }
    return [_make_reading(figure, [words[file] for file in figure.files]) for figure in figures]


def _make_reading(figure: FigureViews, read: Sequence[Sequence[OcrWord]]) -> FigureReading:
    """Return what a figure says by what was read in each of its files."""
    mode, kept = figure.mode, [_choose_words(words, figure.mode) for words in read]
    upward = _lines_upward(kept.pop(), figure.size[1]) if mode.chart and kept else []
    words = _merge_readings(*kept) if len(kept) > 1 else kept[0] if kept else []
    return FigureReading(side_by_side(_group_words_into_lines(words)) + upward, figure.size)


def _choose_words(found: Sequence[OcrWord], mode: OcrMode) -> list[OcrWord]:
    if not mode.chart and is_nonsense(found):
        return []
    return [word for word in found if word.confidence >= mode.min_confidence and any(map(str.isalnum, word.text))]


def _invert_picture(picture: "Image") -> "Image":
    from PIL import ImageOps

    return ImageOps.invert(picture)


def _merge_readings(words: Sequence[OcrWord], others: Sequence[OcrWord]) -> list[OcrWord]:
    """Return the reading with the more confident letters, and the words of the other at places where it has none."""
    first, second = sorted(
        (words, others), key=lambda found: sum(len(word.text) * word.confidence for word in found), reverse=True
    )
    shift = 1 + max((word.paragraph[0] for word in first), default=0)
    apart = [word for word in second if not any(_do_words_touch(word, known) for known in first)]
    return [*first, *(word._replace(paragraph=(word.paragraph[0] + shift, word.paragraph[1])) for word in apart)]


def _do_words_touch(a: OcrWord, b: OcrWord) -> bool:
    return a.box[0] < b.box[2] and b.box[0] < a.box[2] and a.box[1] < b.box[3] and b.box[1] < a.box[3]


def _group_words_into_lines(words: Sequence[OcrWord]) -> list[FigureLine]:
    lines = [list(line) for _, line in groupby(words, key=lambda word: (word.paragraph, word.line))]
    sizes = [median(map(size_of, line)) for line in lines]
    return lines_of([FigureLine(word.text, word.box, size) for word in line] for line, size in zip(lines, sizes, strict=True))


def _turn_left_side(picture: "Image") -> "Image":
    """Return the left of a chart so that what is written upwards there can be read."""
    from PIL import Image

    return picture.crop((0, 0, round(picture.width * STRIP), picture.height)).transpose(Image.Transpose.ROTATE_270)


def _lines_upward(words: Sequence[OcrWord], height: int) -> list[FigureLine]:
    """Return the lines written upwards in a picture of `height`, by the words in its turned left side."""
    words = [word for word in words if sum(map(str.isalpha, word.text)) > 1]
    lines = [
        line for line in _group_words_into_lines(words) if any(sum(map(str.isalpha, word)) > 2 for word in line.text.split())
    ]
    return [line._replace(box=_turn_box_back(line.box, height), turn=90) for line in lines]


def _turn_box_back(box: Box, height: int) -> Box:
    """Return a box in the original picture, of `height`, from one in the picture turned clockwise by 90 degrees."""
    return box[1], height - box[2], box[3], height - box[0]


def _recall_reading(file: Path) -> FigureReading | None:
    """Return the reading that a file keeps, if it does."""
    kept = _recall(file)
    if kept is None:
        return None
    lines, size = kept
    return FigureReading([FigureLine(text, tuple(box), height, turn) for text, box, height, turn in lines], tuple(size))


def read_cached(file: Path | None, read: Callable[[], list[Any]]) -> list[Any]:
    """Return what `read` returns, JSON values. If `file` has them, they are taken from there; else written there."""
    if file is None:
        return read()
    kept = _recall(file)
    if kept is not None:
        return kept
    found = read()
    _keep(file, found)
    return found


def _recall(file: Path) -> list[Any] | None:
    """Return what a file keeps; None of one that is missing, or that a power failure truncated."""
    try:
        kept: list[Any] = json.loads(file.read_bytes())
    except (FileNotFoundError, ValueError):
        return None
    return kept


def _keep(file: Path, found: list[Any]) -> None:
    """Write what was read into a file. A failure is only logged."""
    try:
        files.write_atomically(file, json.dumps(found).encode())
    except WriteError as error:
        logger.warning("what was read in a figure was not cached, so the next run reads it again: %s", error)
