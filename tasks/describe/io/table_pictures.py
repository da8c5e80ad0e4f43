"""Pictures of tables: read as scanned pages are, so that the table in a picture gets rows and columns."""

import io
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from schemas.options.sections import ParseOptions
from schemas.records import Element, FigurePicture
from tasks.describe.io.examine import FigureFindings, OcrSettings, join_own_and_ocr_words, needs_ocr
from tasks.describe.pictured_tables import (
    choose_elements_of_picture,
    has_more_letters,
    is_plain_table,
    join_texts_of_elements,
    place_on_page,
)
from tasks.parse.elements.from_regions import elements_of
from tasks.parse.layout.geometry import Box, as_box, as_struct, box_of, union
from tasks.parse.layout.page_model import PageModel, Sight, Source
from tasks.parse.layout.regions import Region
from tasks.parse.page_errors import raise_unless_the_pages
from tasks.parse.passes.model import measured
from tasks.parse.passes.runner import Pass, run_passes
from tasks.parse.passes.table import OCR_LAYOUT, READING_ORDER, TABLE_DETECTION, classify_regions
from tasks.parse.pdf.io.drawings import rules_of
from tasks.parse.scans.scripts import FIRST

if TYPE_CHECKING:
    from PIL.Image import Image

    from tasks.parse.scans.io.ocr import Scan

SCREEN_POINT = 0.75
"""Points of a pixel of a picture on a screen, of 96 pixels an inch."""
COLUMN = (468.0, 648.0)
"""Width and height in points of the text of a page: a picture that has no place is not larger."""
MARGIN = 18.0
"""White space around the picture, in points: what touches the edge of a page is not read."""
DPI, LARGEST_SCALE = 300, 3.0
"""Resolution to which a coarse picture is enlarged, at most by the factor."""
NOISY = 1.0
"""Median difference of a pixel from its neighbourhood, in greys of 256, from which on a picture is smoothed before it is read."""
SAME_SHAPE = 0.05
"""Largest relative difference between the shapes of a picture and of its box on the page. A larger one is a picture that lies on
the page in another position."""


def read_table(figure: FigurePicture, element: Element, findings: FigureFindings, settings: OcrSettings) -> FigureFindings:
    """Return findings in a figure with the elements that replace it, if its picture shows a table and goes to OCR.

    `element` is the figure on its page. MuPDF does not allow several threads to call this at once.

    Raises:
        LimitError, ServiceError: Tesseract took too long, memory ran out, or the machine failed.
    """
    from tasks.describe.io import figure_ocr

    picture = figure_ocr.open_picture(figure["image"])
    if not needs_ocr(figure, element["text"], picture.size, settings):
        return findings
    box = as_box(element["bbox"]) if element["bbox"] else None
    points = _measure_pixel_width(picture, box)
    parse = _choose_parse_options(settings)
    try:
        found = _read_elements_or_recall(picture, figure["image"], points, parse, settings.cache)
    except Exception as error:
        raise_unless_the_pages(error)
        return findings._replace(problem=f"the table in a picture could not be read: {type(error).__name__}: {error}")
    known = join_own_and_ocr_words(element["text"], findings.text)
    kept = choose_elements_of_picture(found, known)
    if not kept:
        more = not element["text"].strip() and has_more_letters(found, findings.text)
        return findings._replace(text=join_texts_of_elements(found)) if more else findings
    whole = box is not None and not _is_same_shape(picture, box)
    parts: list[Element] = [{**part, "bbox": as_struct((0.0, 0.0, 1.0, 1.0))} if whole else part for part in kept]
    return findings._replace(
        text=join_texts_of_elements(kept), elements=tuple(place_on_page(part, element["page_number"], box) for part in parts)
    )


def _choose_parse_options(settings: OcrSettings) -> ParseOptions:
    """Return how the page of a picture is read: in the language of the text around it, unless this is only supposed."""
    known = settings.language not in ("", FIRST)
    return settings.parse.model_copy(update={"ocr": True, **({"ocr_languages": settings.language} if known else {})})


def _measure_pixel_width(picture: "Image", box: Box | None) -> float:
    """Return the width of a pixel in points."""
    if box and _is_same_shape(picture, box):
        return (box[2] - box[0]) / picture.width
    return min(SCREEN_POINT, COLUMN[0] / picture.width, COLUMN[1] / picture.height)


def _is_same_shape(picture: "Image", box: Box) -> bool:
    across, down = (box[2] - box[0]) / picture.width, (box[3] - box[1]) / picture.height
    return abs(across - down) <= SAME_SHAPE * max(across, down)


def _read_elements_or_recall(
    picture: "Image", image: bytes, points: float, options: ParseOptions, cache: Path | None
) -> list[Element]:
    """Return the elements in a picture, read unless the cache has the same picture of the same size."""
    from tasks.describe.io import figure_ocr

    name = f"{sha256(image).hexdigest()}-{options.ocr_languages}-{points:.4f}-table.json"
    return figure_ocr.read_cached(cache / name if cache else None, lambda: read_elements_in_picture(picture, points, options))


def read_elements_in_picture(picture: "Image", points: float, options: ParseOptions) -> list[Element]:
    """Return what is read in a picture as on a scanned page. Boxes are in shares of the picture.

    Each pixel of the picture is `points` wide.
    """
    import pymupdf

    from tasks.parse.scans.io.ocr import scan_of

    width, height = picture.width * points, picture.height * points
    with pymupdf.open() as document:
        page = document.new_page(width=width + 2 * MARGIN, height=height + 2 * MARGIN)
        image = _encode_png(_enlarge_picture(_smooth_picture(picture), points))
        page.insert_image((MARGIN, MARGIN, MARGIN + width, MARGIN + height), stream=image)
        scan, _ = scan_of(page, options, [])
        elements = _find_elements_of_scan(scan) if scan else []
    return [{**element, "bbox": as_struct(_convert_box_to_shares(box_of(element), width, height))} for element in elements]


def _find_elements_of_scan(scan: "Scan") -> list[Element]:
    """Return the elements that the layout model finds; if none of them is a table but all words together make one, that table.

    Small tables without the page around them look to the model like figures or paragraphs.
    """
    seen = _make_elements(scan, scan.look(scan.page), (*OCR_LAYOUT, *TABLE_DETECTION, *READING_ORDER))
    if any(element["kind"] == "table" for element in seen):
        return seen
    boxes = [word.box for word in scan.words]
    whole = _make_elements(
        scan, Sight([Region(union(boxes), "table", spaced=True, role="table")]), (*TABLE_DETECTION, *READING_ORDER)
    )
    return whole if is_plain_table(whole) else seen


def _make_elements(scan: "Scan", sight: Sight, passes: Sequence[Pass]) -> list[Element]:
    from tasks.parse.layout.io.layout_model import page_box
    from tasks.parse.scans.io.ocr import as_shown

    rules = rules_of(scan.page.get_cdrawings())
    page = PageModel(page_box(scan.page), Source.SCAN, scan.words, rules=rules, **sight._asdict())
    model = measured(page)
    named = classify_regions(model, run_passes(model, model.seen, passes))
    return [element for element, _ in as_shown(scan, [made[:2] for made in elements_of(1, named, False)])]


def _convert_box_to_shares(box: Box, width: float, height: float) -> Box:
    x0, x1 = (min(1.0, max(0.0, (x - MARGIN) / width)) for x in (box[0], box[2]))
    y0, y1 = (min(1.0, max(0.0, (y - MARGIN) / height)) for y in (box[1], box[3]))
    return x0, y0, x1, y1


def _smooth_picture(picture: "Image") -> "Image":
    """Return the picture without its noise: Tesseract takes specks for letters and loses columns."""
    import numpy as np
    from PIL import ImageFilter

    grey = picture.convert("L")
    around = grey.filter(ImageFilter.MedianFilter(3))
    noise = np.median(np.abs(np.asarray(grey, np.int16) - np.asarray(around, np.int16)))
    return picture.filter(ImageFilter.GaussianBlur(1)) if noise > NOISY else picture


def _enlarge_picture(picture: "Image", points: float) -> "Image":
    factor = min(LARGEST_SCALE, DPI / 72 * points)
    return picture.resize((round(picture.width * factor), round(picture.height * factor))) if factor > 1 else picture


def _encode_png(picture: "Image") -> bytes:
    sink = io.BytesIO()
    picture.save(sink, "PNG", compress_level=1)
    return sink.getvalue()
