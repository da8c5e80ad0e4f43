"""Examine figures: what is written in them, where it stands in a chart, the table that a picture shows."""

import re
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from schemas.options.sections import DescribeOptions, ParseOptions
from schemas.records import Element, FigurePicture
from tasks.describe import figure_words
from tasks.describe.figure_types import FigureClass
from tasks.describe.figure_words import ChartParts
from tasks.parse.layout.figure_lines import FigureLine, lines_on, text_of, unsaid
from tasks.parse.layout.geometry import area, as_box
from tasks.parse.scans.io import tesseract
from tasks.parse.scans.scripts import AUTO, reader_of

if TYPE_CHECKING:
    from tasks.describe.io import figure_ocr

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


class FigureToExamine(NamedTuple):
    """A figure, its own words on the page, and its type."""

    figure: FigurePicture
    own: str
    figure_class: FigureClass


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


def examine_figures(figures: Sequence[FigureToExamine], settings: OcrSettings) -> list[FigureFindings]:
    """Examine figures. What is to be read in them is read by few runs of Tesseract.

    A picture that cannot be read is this figure's problem only, not the document's.

    Raises:
        LimitError, ServiceError: Tesseract took too long, or the machine failed.
    """
    from tasks.describe.io import figure_ocr

    with TemporaryDirectory(prefix="figures_") as folder:
        seen = [_see_figure(figure, settings, Path(folder, str(n))) for n, figure in enumerate(figures)]
        readings = iter(figure_ocr.read_figures([views for _, views in seen if views]))
    return [
        _add_reading(figure, findings, next(readings), views.width) if views else findings
        for figure, (findings, views) in zip(figures, seen, strict=True)
    ]


def _see_figure(
    given: FigureToExamine, settings: OcrSettings, folder: Path
) -> tuple[FigureFindings, "figure_ocr.FigureViews | None"]:
    """Return what is found in a figure without OCR, and what OCR is to read, in `folder`."""
    from tasks.describe.io import figure_ocr

    figure, own, figure_class = given
    try:
        picture = figure_ocr.open_picture(figure["image"])
        thumbnail = figure_ocr.make_thumbnail(picture, THUMBNAIL_SIDE)
    except (OSError, ValueError, SyntaxError) as error:
        return FigureFindings("", b"", problem=f"the picture of a figure cannot be read: {error}"), None
    findings = FigureFindings("", thumbnail, _find_parts(figure_class.kind, lines_on(figure["words"]), picture.size))
    if not needs_ocr(figure, own, picture.size, settings):
        return findings, None
    chart, page = bool(CHART.search(figure_class.kind)), bool(PAGE.search(figure_class.kind))
    least = settings.options.min_page_confidence if page else settings.options.min_confidence
    name = f"{sha256(figure['image']).hexdigest()}-{settings.languages}-{figure_class.kind.replace('/', '-')}.json"
    mode = figure_ocr.OcrMode(settings.languages, least, chart, page)
    try:
        folder.mkdir()
        return findings, figure_ocr.write_views(picture, mode, folder, settings.cache / name if settings.cache else None)
    except OSError as error:
        return _without_ocr(findings, error), None


def _without_ocr(findings: FigureFindings, error: Exception) -> FigureFindings:
    return findings._replace(problem=f"OCR of a figure failed: {error}")


def _add_reading(
    given: FigureToExamine, findings: FigureFindings, reading: "figure_ocr.FigureReading | Exception", width: int
) -> FigureFindings:
    """Return findings in a figure, `width` pixels wide, with what OCR read. The figure's own words replace it at their places."""
    if isinstance(reading, Exception):
        return _without_ocr(findings, reading)
    known = lines_on(given.figure["words"], reading.size[0] / width)
    added = unsaid(reading.lines, known)
    parts = _find_parts(given.figure_class.kind, [*known, *figure_words.drop_specks(added)], reading.size)
    return findings._replace(text=text_of(added), parts=parts)


def needs_ocr(figure: FigurePicture, own: str, size: tuple[int, int], settings: OcrSettings) -> bool:
    """Return whether a figure of `size` in pixels goes to OCR: it has no words of its own, or is an image with only a few."""
    return settings.options.figure_ocr and (not own.strip() or _has_little_text(figure, size))


def _has_little_text(figure: FigurePicture, size: tuple[int, int]) -> bool:
    covered = sum(area(as_box(word)) for word in figure["words"])
    return bool(figure["raster"] >= MOSTLY and covered < SCANTY * size[0] * size[1])


def _find_parts(kind: str, lines: Sequence[FigureLine], size: tuple[float, float]) -> ChartParts:
    return figure_words.find_chart_parts(lines, size, has_axes=not ROUND.search(kind)) if CHART.search(kind) else ChartParts()
