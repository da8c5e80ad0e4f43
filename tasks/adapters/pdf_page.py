"""One page of a PDF: its words, pictures and regions; or what Tesseract reads on it."""

from dataclasses import dataclass, field
from typing import Any

from schemas.options import ParseOptions
from tasks.adapters import tesseract
from tasks.adapters.drawings import rules_of
from tasks.adapters.layout_model import page_box, regions_of
from tasks.adapters.page_text import Ink, ink_of
from tasks.adapters.pictures import is_blank, page_picture, picture_of
from tasks.transforms.elements import Element, element, elements_of
from tasks.transforms.geometry import Box, area, as_struct, common, scaled
from tasks.transforms.layout import arrange
from tasks.transforms.plain_pages import Plain, plain_regions
from tasks.transforms.prose import garbled_share
from tasks.transforms.rejections import entry
from tasks.transforms.rules import NO_RULES
from tasks.transforms.table_regions import with_tables
from tasks.transforms.words import Word

MAX_GARBLED = 0.3
"""A page is read by OCR if a larger share of its characters cannot be read by anyone."""
SCAN_CHARS, SCAN_SHARE, SCAN_PATHS = 50, 0.5, 1000
"""So is a page of fewer characters whose pictures cover at least this share of it, or that has more drawn paths: letters may be
among them."""
MAX_RULED = 20_000
"""Drawings of more paths are a map or a chart, not the rules of tables."""
MIN_REPEATED = 5
"""A document of fewer pages does not tell by repetition what is a running header."""
MAX_VECTORS = 2000
"""Drawings of more paths are not looked through for pictures that the layout model missed."""


@dataclass
class PageResult:
    """What one page gave: elements with their size of type, pictures by index of element, and a reject if it failed.

    The first `n_top` and the last `n_bottom` elements stand apart at the page's edges; the document tells if they are furniture.
    """

    number: int
    width: float
    height: float
    ocr: bool = False
    elements: list[tuple[Element, float]] = field(default_factory=list)
    n_top: int = 0
    n_bottom: int = 0
    pictures: dict[int, bytes] = field(default_factory=dict)
    reject: dict[str, Any] | None = None


def read_page(page: Any, options: ParseOptions) -> PageResult:
    """Read one page. All places are those of the page as shown."""
    set_upright(page)
    box = page_box(page)
    result = PageResult(page.number + 1, box[2], box[3])
    ink = ink_of(page)
    if _is_unreadable(page, ink.words, ink.images):
        _read_picture(page, options, result, ink.words)
    else:
        plain = _plain(page, ink)
        if plain:
            _read_plain(result, plain)
        else:
            _read_text(page, options, result, ink)
    return result


def set_upright(page: Any) -> None:
    """Undo the page's rotation, its content shown as before. PyMuPDF does so rightly only for pages without a crop box."""
    import pymupdf

    rotation, crop, media = page.rotation, page.cropbox, page.mediabox
    if rotation:
        page.set_rotation(0)
        page.set_mediabox(pymupdf.Rect(crop.x0, media.y1 - crop.y1, crop.x1, media.y1 - crop.y0))
        page.set_rotation(rotation)
        page.remove_rotation()


def _is_unreadable(page: Any, words: list[Word], images: list[Box]) -> bool:
    text = "".join(word.text for word in words)
    if len(text) >= SCAN_CHARS or not text:
        return not text or garbled_share(text) > MAX_GARBLED
    box = page_box(page)
    covered = sum(area(common(image, box)) for image in images) >= SCAN_SHARE * area(box)
    return covered or len(page.get_cdrawings()) > SCAN_PATHS or garbled_share(text) > MAX_GARBLED


def _plain(page: Any, ink: Ink) -> Plain | None:
    """Return the page's regions if it shows them by itself; a short document does not show what is repeated."""
    plain = None if ink.images else plain_regions(ink.words, ink.drawn, page_box(page))
    if plain and page.parent.page_count < MIN_REPEATED:
        return plain if all(region.kind == "furniture" for region in (*plain.top, *plain.bottom)) else None
    return plain


def _read_plain(result: PageResult, plain: Plain) -> None:
    parts = [elements_of(result.number, regions, all_mono=False) for regions in plain]
    result.elements = [pair for part in parts for pair in part]
    result.n_top, result.n_bottom = len(parts[0]), len(parts[2])


def _read_text(page: Any, options: ParseOptions, result: PageResult, ink: Ink) -> None:
    box = page_box(page)
    seen = regions_of(page) if area(box) <= options.max_page_pixels else []
    drawings = page.get_cdrawings() if ink.drawn else []
    rules = rules_of(drawings) if len(drawings) <= MAX_RULED else NO_RULES
    regions = arrange(ink.words, with_tables(ink.words, seen, rules), [*ink.images, *_clusters(page, drawings)], box)
    mono = sum(word.mono for word in ink.words) * 2 > len(ink.words)
    result.elements = elements_of(result.number, regions, mono)
    _add_pictures(page, options, result)


def _clusters(page: Any, drawings: list[dict[str, Any]]) -> list[Box]:
    """Return the rectangles of drawings that stand together."""
    import pymupdf

    if not 0 < len(drawings) <= MAX_VECTORS:
        return []
    placed = [{"rect": pymupdf.Rect(drawing["rect"])} for drawing in drawings]
    return [tuple(rect) for rect in page.cluster_drawings(drawings=placed) if min(rect.width, rect.height) > 30]


def _add_pictures(page: Any, options: ParseOptions, result: PageResult) -> None:
    for index, (found, _) in enumerate(result.elements):
        if found["kind"] == "figure":
            result.pictures[index] = picture_of(page, tuple(found["bbox"].values()), options.figure_dpi)


def _read_picture(page: Any, options: ParseOptions, result: PageResult, words: list[Word]) -> None:
    """Read the page as Tesseract sees it; what it cannot read is a figure and a reject, unless the page is blank."""
    if not words and is_blank(page):
        return
    result.ocr = options.ocr
    problem = "it holds no usable text, and OCR is switched off"
    if options.ocr:
        problem = "OCR found no text on it"
        result.elements = [(found, 0.0) for found in _ocr_elements(page, options, result.number)]
    if not result.elements:
        result.reject = entry("parse", "EmptyPage", f"page {result.number}: {problem}", _REMEDY, result.number)
        result.elements = [(element(result.number, "figure", "", bbox=as_struct(page_box(page))), 0.0)]
        _add_pictures(page, options, result)


_REMEDY = "switch parse.ocr on, set parse.ocr_languages to the languages of the page, or raise parse.ocr_dpi"


def _ocr_elements(page: Any, options: ParseOptions, number: int) -> list[Element]:
    picture, scale = page_picture(page, options.ocr_dpi, options.max_page_pixels)
    return [
        element(
            number,
            "paragraph",
            found.text,
            bbox=as_struct(scaled(found.box, 1 / scale)),
            confidence=found.confidence,
        )
        for found in tesseract.read_paragraphs(picture, options.ocr_languages)
    ]
