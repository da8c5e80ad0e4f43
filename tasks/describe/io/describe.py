"""Describe: figures become text, and the document's text is assembled from its elements."""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from schemas.conform import from_rows
from schemas.errors import DocumentError, EmptyDocument, PagemillError
from schemas.options.sections import DescribeOptions
from schemas.staged import DESCRIBED
from tasks.describe import figure_words
from tasks.describe.figure_types import UNSURE, FigureClass
from tasks.describe.figure_words import ChartParts
from tasks.parse.elements.assembly import Assembled, assemble, captions_of
from tasks.parse.layout.figure_lines import FigureLine, lines_on, text_of, unsaid
from tasks.parse.layout.geometry import area, as_box
from tasks.parse.rejections import entry, reason, refusal
from tasks.parse.scans.io import tesseract
from tasks.parse.scans.scripts import AUTO, reader_of

DESCRIBER_VERSION = "4"
"""Raise it when the output changes."""

THUMBNAIL_SIDE = 256
OCR_THREADS = 2
CHART = re.compile(r"(?<!flow )\b(chart|graph|plot|histogram)\b")
"""Words in the name of a figure type that has a title, axes and a legend."""
ROUND = re.compile(r"\b(pie|ring|dough?nut)\b")
"""Words in the name of a chart type without axes."""
PAGE = re.compile(r"\b(table|text|handwriting|screenshot|page|form|receipt)\b")
"""Words in the name of a figure type whose text has lines and columns."""
FEWEST_PAGES = 3
"""In a shorter document a picture on most pages does not count as decoration."""
MOSTLY, SCANTY = 0.5, 0.02
"""A figure goes to OCR in spite of its own words if images cover at least the first share and words less than the second."""
_REMEDY = "check the figure on this page; the rest of the page is kept"


class FigureFindings(NamedTuple):
    """What was found in a figure: text read by OCR, the parts of a chart, a thumbnail, and what went wrong."""

    text: str
    thumbnail: bytes
    parts: ChartParts = ChartParts()
    problem: str = ""


class OcrSettings(NamedTuple):
    """How figures are read. `cache` is a folder that keeps what OCR read, by the digest of the picture; None: nothing is kept."""

    options: DescribeOptions
    languages: str
    cache: Path | None = None


def in_language_of(text: str, settings: OcrSettings) -> OcrSettings:
    """Return the settings with which figures beside `text` are read: if OCR chooses its languages itself, in that of the text."""
    if settings.languages != AUTO:
        return settings
    return settings._replace(languages=reader_of(text, tesseract.installed()))


class FigureOnPage(NamedTuple):
    """A figure: the digest of its picture, its page and its box."""

    digest: str
    page_number: int
    bbox: Mapping[str, float] | None


def described_figures(row: Mapping[str, Any], options: DescribeOptions) -> list[int]:
    """Return which figures of a row of PARSED are described."""
    elements = row["elements"]
    placed = [
        FigureOnPage(sha256(figure["image"]).hexdigest(), place["page_number"], place["bbox"])
        for figure, place in ((figure, elements[figure["position"]]) for figure in row["figures"])
    ]
    return chosen_figures(placed, len(row.get("pages") or ()), options)


def chosen_figures(figures: Sequence[FigureOnPage], n_pages: int, options: DescribeOptions) -> list[int]:
    """Return which figures are described: all except decorations, which are tiny, thin or on most pages."""
    pages: dict[str, set[int]] = defaultdict(set)
    for figure in figures:
        pages[figure.digest].add(figure.page_number)
    most = options.max_page_share * n_pages if n_pages >= FEWEST_PAGES else n_pages
    return [
        n for n, figure in enumerate(figures)
        if len(pages[figure.digest]) <= max(1, most) and not _is_mark(figure.bbox, options)
    ]  # fmt: skip


def _is_mark(box: Mapping[str, float] | None, options: DescribeOptions) -> bool:
    if box is None:
        return False
    sides = sorted((box["x1"] - box["x0"], box["y1"] - box["y0"]))
    return sides[0] < options.min_side_points or sides[1] > options.max_aspect * sides[0]


def describe_content(
    parsed: dict[str, Any] | pa.Table,
    settings: OcrSettings,
    classes: Mapping[int, FigureClass] | None = None,
    tick: Callable[[int], None] = lambda _: None,
) -> pa.Table:
    """Return one row of DESCRIBED for one row of PARSED. `classes` are the types of figures, by their indices.

    `tick(n)` is called after figure n, in this thread.

    A document without any text has an EmptyDocument entry for page 0 in its rejects.
    """
    row = parsed.to_pylist()[0] if isinstance(parsed, pa.Table) else parsed
    elements = [dict(element) for element in row["elements"]]
    chosen = described_figures(row, settings.options)
    known = {index: (classes or {}).get(index, FigureClass()) for index in chosen}
    if chosen:
        settings = in_language_of(" ".join(element["text"] for element in elements), settings)
    examined: list[FigureFindings] = []
    with ThreadPoolExecutor(OCR_THREADS) as threads:
        for findings in threads.map(lambda index: _examine(row["figures"][index], elements, known[index], settings), chosen):
            examined.append(findings)
            tick(len(examined))
    captions = captions_of(elements)
    figures, rejects = [], []
    for index, findings in zip(chosen, examined, strict=True):
        position = row["figures"][index]["position"]
        element, figure_class, caption = elements[position], known[index], captions.get(position)
        text = all_words(element["text"], findings.text)
        description = figure_words.describe(
            figure_class.kind, figure_class.confidence if figure_class.kind != UNSURE else None, findings.parts, caption, text
        )
        element["text"] = description if text.strip() or (caption or "").strip() else ""
        figures.append(_finding(position, description, caption, findings, figure_class))
        if findings.problem:
            rejects.append(entry("describe", "FigureError", findings.problem, _REMEDY, element["page_number"]))
    assembled = assemble(elements, row["text"], settings.options.hidden_text)
    return from_rows([_described(assembled, figures, rejects)], DESCRIBED)


def all_words(own: str, read: str) -> str:
    """Return the words in a figure: its own, then those that only OCR found."""
    return "\n".join(filter(None, (own, read)))


def _described(assembled: Assembled, figures: list[dict[str, Any]], rejects: list[dict[str, Any]]) -> dict[str, Any]:
    if not assembled.text.strip():
        rejects = [reason("describe", _no_text(assembled.elements))]
    return {"text": assembled.text, "elements": assembled.elements, "figures": figures, "rejects": _one_a_page(rejects)}


def _no_text(elements: Sequence[Mapping[str, Any]]) -> DocumentError:
    if any(element["kind"] == "hidden" for element in elements):
        message, remedy = "nobody can see any text in the document", "set describe.hidden_text to keep its hidden text"
    else:
        message = "no text found in the document"
        remedy = "install Tesseract's data for the document's language and set parse.ocr_languages to it"
    return refusal(EmptyDocument, message, f"{remedy}, or exclude the document")


def _one_a_page(rejects: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Keep the first reject of each page, because the page is their key."""
    return list({reject["page_number"]: reject for reject in reversed(rejects)}.values())[::-1]


def _finding(
    position: int, description: str, caption: str | None, findings: FigureFindings, figure_class: FigureClass
) -> dict[str, Any]:
    return {
        "position": position,
        "kind": figure_class.kind,
        "confidence": figure_class.confidence,
        "embedding": None if figure_class.embedding is None else list(figure_class.embedding),
        "ocr_text": findings.text,
        "description": description,
        "caption": caption,
        "thumbnail": findings.thumbnail,
    }


def _examine(
    figure: Mapping[str, Any], elements: Sequence[Mapping[str, Any]], figure_class: FigureClass, settings: OcrSettings
) -> FigureFindings:
    """Examine one figure. A picture that cannot be read is this figure's problem only, not the document's."""
    from tasks.describe.io import figure_ocr

    try:
        picture = figure_ocr.open_picture(figure["image"])
        thumbnail = figure_ocr.thumbnail(picture, THUMBNAIL_SIDE)
    except (OSError, ValueError, SyntaxError) as error:
        return FigureFindings("", b"", problem=f"a figure's picture cannot be read: {error}")
    words = figure["words"]
    findings = FigureFindings("", thumbnail, _parts(figure_class.kind, lines_on(words), picture.size))
    has_text = bool(elements[figure["position"]]["text"].strip())
    if not settings.options.figure_ocr or (has_text and not _says_little(figure, picture.size)):
        return findings
    try:
        return read(picture, figure["image"], figure_class.kind, settings, words)._replace(thumbnail=thumbnail)
    except PagemillError:
        raise
    except (OSError, RuntimeError) as error:
        return findings._replace(problem=f"OCR of a figure failed: {error}")


def _says_little(figure: Mapping[str, Any], size: tuple[int, int]) -> bool:
    """Tell whether a figure is an image with only a few words of its own: the image may contain more."""
    covered = sum(area(as_box(word)) for word in figure["words"])
    return bool(figure["raster"] >= MOSTLY and covered < SCANTY * size[0] * size[1])


def _parts(kind: str, lines: Sequence[FigureLine], size: tuple[float, float]) -> ChartParts:
    return figure_words.chart_parts_of(lines, size, has_axes=not ROUND.search(kind)) if CHART.search(kind) else ChartParts()


def read(picture: Any, image: bytes, kind: str, settings: OcrSettings, words: Sequence[Mapping[str, Any]] = ()) -> FigureFindings:
    """Return what is written in a picture, read by Tesseract unless the cache has the same picture.

    Where the figure has `words`, values of `schemas.staged.FIGURE_WORD`, they replace what OCR read at the same place.

    Raises:
        OSError, RuntimeError: the picture cannot be read.
        LimitError, ServiceError: Tesseract took too long, or the machine failed.
    """
    from tasks.describe.io import figure_ocr

    chart, page = bool(CHART.search(kind)), bool(PAGE.search(kind))
    name = f"{sha256(image).hexdigest()}-{settings.languages}-{kind.replace('/', '-')}.json"
    kept = settings.cache / name if settings.cache else None
    reading = figure_ocr.recall_reading(kept) if kept else None
    if reading is None:
        least = settings.options.min_page_confidence if page else settings.options.min_confidence
        reading = figure_ocr.read_figure(picture, figure_ocr.OcrMode(settings.languages, least, chart, page))
        if kept:
            figure_ocr.keep_reading(kept, reading)
    known = lines_on(words, reading.size[0] / picture.width)
    added = unsaid(reading.lines, known)
    return FigureFindings(text_of(added), b"", _parts(kind, [*known, *figure_words.likely(added)], reading.size))
