"""Pages without usable text: which they are, and what Tesseract reads on them."""

from typing import Any

from schemas.options import ParseOptions
from tasks.adapters import tesseract
from tasks.adapters.layout_model import page_box
from tasks.adapters.page_result import PageResult, add_pictures
from tasks.adapters.pictures import is_blank, page_picture
from tasks.transforms.elements import Element, element
from tasks.transforms.geometry import Box, area, as_struct, common, scaled
from tasks.transforms.prose import garbled_share
from tasks.transforms.rejections import entry
from tasks.transforms.words import Word

MAX_GARBLED = 0.3
"""A page is read by OCR if a larger share of its characters cannot be read by anyone."""
SCAN_CHARS, SCAN_SHARE, SCAN_PATHS = 50, 0.5, 1000
"""So is a page of fewer characters whose pictures cover at least this share of it, or that has more drawn paths: letters may be
among them."""


def is_unreadable(page: Any, words: list[Word], images: list[Box]) -> bool:
    """Tell whether the page goes to OCR."""
    text = "".join(word.text for word in words)
    if len(text) >= SCAN_CHARS or not text:
        return not text or garbled_share(text) > MAX_GARBLED
    box = page_box(page)
    covered = sum(area(common(image, box)) for image in images) >= SCAN_SHARE * area(box)
    return covered or len(page.get_cdrawings()) > SCAN_PATHS or garbled_share(text) > MAX_GARBLED


def read_picture(page: Any, options: ParseOptions, result: PageResult, words: list[Word]) -> None:
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
        add_pictures(page, options, result)


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
