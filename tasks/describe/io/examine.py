"""Examine one figure: what is written in it, where it stands in a chart, the table that a picture shows."""

import re
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from schemas.errors import PagemillError
from schemas.options.sections import DescribeOptions, ParseOptions
from schemas.records import Element, FigurePicture, FigureWord
from tasks.describe import figure_words
from tasks.describe.figure_types import FigureClass
from tasks.describe.figure_words import ChartParts
from tasks.parse.layout.figure_lines import FigureLine, lines_on, text_of, unsaid
from tasks.parse.layout.geometry import area, as_box
from tasks.parse.scans.io import tesseract
from tasks.parse.scans.scripts import AUTO, reader_of

if TYPE_CHECKING:
    from PIL.Image import Image

THUMBNAIL_SIDE = 256
CHART = re.compile(r"(?<!flow )\b(chart|graph|plot|histogram)\b")
"""Words in the name of a figure type that has a title, axes and a legend."""
ROUND = re.compile(r"\b(pie|ring|dough?nut)\b")
"""Words in the name of a chart type without axes."""
TABLE = re.compile(r"\btable\b")
"""A word in the name of the figure type whose pictures become tables."""
PAGE = re.compile(r"\b(table|text|handwriting|screenshot|page|form|receipt)\b")
"""Words in the name of a figure type whose text has lines and columns."""
MOSTLY, SCANTY = 0.5, 0.02
"""A figure goes to OCR in spite of its own words if images cover at least the first share and words less than the second."""


class FigureFindings(NamedTuple):
    """What was found in a figure: text read by OCR, the parts of a chart, a thumbnail, and what went wrong.

    `elements` take the place of a figure that is a table, with their boxes on the page.
    """

    text: str
    thumbnail: bytes
    parts: ChartParts = ChartParts()
    problem: str = ""
    elements: tuple[Element, ...] = ()


class OcrSettings(NamedTuple):
    """How figures are read. `cache` is a folder that keeps what OCR read, by the digest of the picture; None: nothing is kept.

    `language` is that of the document around the figures; "": not known.
    """

    options: DescribeOptions
    parse: ParseOptions
    cache: Path | None = None
    language: str = ""

    @property
    def languages(self) -> str:
        """Return Tesseract's languages, their codes joined by `+`."""
        return self.language or self.parse.ocr_languages


def with_language_of(text: str, settings: OcrSettings) -> OcrSettings:
    """Return the settings to read figures beside `text`. Where OCR chooses its languages, it takes that of the text."""
    if settings.languages != AUTO:
        return settings
    return settings._replace(language=reader_of(text, tesseract.installed()))


def join_own_and_ocr_words(own: str, read: str) -> str:
    """Return the words in a figure: its own, then those that only OCR found."""
    return "\n".join(filter(None, (own, read)))


def examine_figure(figure: FigurePicture, own: str, figure_class: FigureClass, settings: OcrSettings) -> FigureFindings:
    """Examine one figure, a value of `schemas.staged.PARSED_FIGURE`, whose own words on the page are `own`.

    A picture that cannot be read is this figure's problem only, not the document's.

    Raises:
        LimitError, ServiceError: as `read_words`.
    """
    from tasks.describe.io import figure_ocr

    try:
        picture = figure_ocr.open_picture(figure["image"])
        thumbnail = figure_ocr.make_thumbnail(picture, THUMBNAIL_SIDE)
    except (OSError, ValueError, SyntaxError) as error:
        return FigureFindings("", b"", problem=f"a figure's picture cannot be read: {error}")
    words = figure["words"]
    findings = FigureFindings("", thumbnail, _find_parts(figure_class.kind, lines_on(words), picture.size))
    if not needs_ocr(figure, own, picture.size, settings):
        return findings
    try:
        return read_words(picture, figure["image"], figure_class.kind, settings, words)._replace(thumbnail=thumbnail)
    except PagemillError:
        raise
    except (OSError, RuntimeError) as error:
        return findings._replace(problem=f"OCR of a figure failed: {error}")


def needs_ocr(figure: FigurePicture, own: str, size: tuple[int, int], settings: OcrSettings) -> bool:
    """Return whether a figure of `size` in pixels goes to OCR: it has no words of its own, or is an image with only a few."""
    return settings.options.figure_ocr and (not own.strip() or _has_little_text(figure, size))


def _has_little_text(figure: FigurePicture, size: tuple[int, int]) -> bool:
    covered = sum(area(as_box(word)) for word in figure["words"])
    return bool(figure["raster"] >= MOSTLY and covered < SCANTY * size[0] * size[1])


def _find_parts(kind: str, lines: Sequence[FigureLine], size: tuple[float, float]) -> ChartParts:
    return figure_words.find_chart_parts(lines, size, has_axes=not ROUND.search(kind)) if CHART.search(kind) else ChartParts()


def read_words(
    picture: "Image", image: bytes, kind: str, settings: OcrSettings, words: Sequence[FigureWord] = ()
) -> FigureFindings:
    """Return what is written in a picture, read by Tesseract unless the cache has the same picture.

    Where the figure has `words`, values of `schemas.staged.FIGURE_WORD`, they replace what OCR read at the same place.

    Raises:
        OSError, RuntimeError: the picture cannot be read.
        LimitError, ServiceError: Tesseract took too long, or the machine failed.
    """
    from tasks.describe.io import figure_ocr

    chart, page = bool(CHART.search(kind)), bool(PAGE.search(kind))
    name = f"{sha256(image).hexdigest()}-{settings.languages}-{kind.replace('/', '-')}.json"
    least = settings.options.min_page_confidence if page else settings.options.min_confidence
    mode = figure_ocr.OcrMode(settings.languages, least, chart, page)
    reading = figure_ocr.read_figure_once(picture, mode, settings.cache / name if settings.cache else None)
    known = lines_on(words, reading.size[0] / picture.width)
    added = unsaid(reading.lines, known)
    return FigureFindings(text_of(added), b"", _find_parts(kind, [*known, *figure_words.drop_specks(added)], reading.size))
