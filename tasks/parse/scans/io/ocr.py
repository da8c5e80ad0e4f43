"""Pages without usable text: finds them and reads them by Tesseract."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from schemas.options.sections import ParseOptions
from tasks.parse.elements.from_regions import Element, element
from tasks.parse.elements.io.page_result import PageResult, add_figures
from tasks.parse.layout.geometry import Box, area, as_box, as_struct, common
from tasks.parse.layout.io.layout_model import page_box
from tasks.parse.layout.io.page_pictures import page_scale
from tasks.parse.layout.regions import Region
from tasks.parse.layout.words import Word
from tasks.parse.rejections import entry
from tasks.parse.scans.elements import with_confidence
from tasks.parse.scans.io import tesseract
from tasks.parse.scans.io.layout import scan_regions_of
from tasks.parse.scans.io.upright import UprightView, copy_of, view_of
from tasks.parse.scans.legible import is_bad
from tasks.parse.scans.regions import as_ocr_saw
from tasks.parse.scans.skew import is_dark, skew_of
from tasks.parse.scans.words import OcrWord, ScannedWord, beside, lies_on_its_side, mean_confidence, scanned_words, strength
from tasks.parse.tables.picture_rules import rules_seen, without_rules

if TYPE_CHECKING:
    from PIL.Image import Image

SCAN_CHARS, SCAN_SHARE, SCAN_PATHS = 50, 0.5, 1000
"""A page with fewer characters goes to OCR if pictures cover at least this share of it, or if it has more drawn paths,
which may be letters."""
SURE = 0.75
"""Smallest mean confidence of a page that counts as upright. Upside down, letters are read with 0.3 to 0.6."""
SKEW_DPI = 100
COARSE_PIXELS, COARSE_SCALE = 2_100_000, 1.5
"""A scan with fewer pixels (a sheet at 150 dpi) is enlarged, because Tesseract needs letters about 20 pixels high."""
_REMEDY = "switch parse.ocr on, set parse.ocr_languages to the languages of the page, or raise parse.ocr_dpi"

PageReading = tuple[UprightView, "Image", list[OcrWord]]


@dataclass
class Scan:
    """What was read on a page: words in points of `view`, and a document of one page with these words."""

    view: UprightView
    seen: list[ScannedWord]
    strength: float
    document: Any

    @property
    def words(self) -> list[Word]:
        """Return the words without their confidence."""
        return [seen.word for seen in self.seen]

    @property
    def page(self) -> Any:
        """Return the document's page."""
        return self.document[0]

    def regions_of(self, page: Any) -> list[Region]:
        """Return the regions of that page."""
        return as_ocr_saw(scan_regions_of(page), self.words)


def is_unreadable(page: Any, words: list[Word], images: list[Box]) -> bool:
    """Tell whether the page goes to OCR: it has no text, garbled text, or little text besides a large picture."""
    text = text_of(words)
    if not text or is_bad(text):
        return True
    if sum(len(word.text) for word in words) >= SCAN_CHARS:
        return False
    box = page_box(page)
    covered = sum(area(common(image, box)) for image in images) >= SCAN_SHARE * area(box)
    return covered or len(page.get_cdrawings()) > SCAN_PATHS


def text_of(words: Sequence[Word]) -> str:
    """Return the words with a space between them."""
    return " ".join(word.text for word in words)


def scan_of(page: Any, options: ParseOptions, words: Sequence[Word]) -> Scan | None:
    """Return what Tesseract reads on the page, and `words`, its text layer, if that is readable; None if OCR reads nothing."""
    view, picture, found = _upright(page, options)
    if not any(character.isalnum() for word in found for character in word.text):
        return None
    seen = scanned_words(found, view.width / picture.width)
    if words and not is_bad(text_of(words)):
        seen = beside(seen, [word._replace(box=view.on_view(word.box)) for word in words])
    rules = rules_seen(_pixels(picture), view.width / picture.width)
    return Scan(view, seen, strength(found), copy_of(view, seen, rules, options.figure_dpi))


def _upright(page: Any, options: ParseOptions) -> PageReading:
    """Return the page turned so that most text can be read, with its picture and words."""
    straight = view_of(page, 0)
    scale = _scale(page, options)
    level = -skew_of(_pixels(_readable(straight, min(scale, SKEW_DPI / 72))))
    best = _reading(page, level, scale, options)
    if mean_confidence(best[2]) >= SURE and not lies_on_its_side(best[2]):
        return best
    turn = tesseract.upright_turn(best[1])
    turns = (turn,) if turn else (90, 270) if lies_on_its_side(best[2]) else (90, 180, 270) if turn is None and best[2] else ()
    for degrees in [*(level + turn for turn in turns), *([0.0] if level else [])]:
        best = max(best, _reading(page, degrees, scale, options), key=_worth)
    return best


def _worth(reading: PageReading) -> float:
    """Return a score of how much was read. Vertical text counts less: Tesseract reads its words, but not its lines."""
    found = reading[2]
    return strength(found) / (2 if lies_on_its_side(found) else 1)


def _reading(page: Any, degrees: float, scale: float, options: ParseOptions) -> PageReading:
    from PIL import Image

    view = view_of(page, degrees)
    picture = _readable(view, scale)
    bare = Image.fromarray(without_rules(_pixels(picture), view.width / picture.width))
    return view, picture, tesseract.read_words(bare, options.ocr_languages)


def _readable(view: UprightView, scale: float) -> "Image":
    """Return the view's picture dark on light."""
    from PIL import ImageOps

    picture = view.picture(scale)
    return ImageOps.invert(picture) if is_dark(_pixels(picture)) else picture


def _pixels(picture: "Image") -> Any:
    import numpy as np

    return np.asarray(picture)


def _scale(page: Any, options: ParseOptions) -> float:
    """Return pixels per point: those of the scan itself, if it is one, and 1.5 times as many for a coarse scan."""
    box = page_box(page)
    wanted = options.ocr_dpi / 72
    scans = [image for image in page.get_image_info() if area(common(image["bbox"], box)) >= SCAN_SHARE * area(box)]
    if scans:
        wanted = max((image["width"] * image["height"] / area(image["bbox"])) ** 0.5 for image in scans)
        wanted *= COARSE_SCALE if wanted**2 * area(box) < COARSE_PIXELS else 1
    return page_scale(page.rect, wanted * 72, options.max_page_pixels)


def as_shown(scan: Scan, elements: Sequence[tuple[Element, float]]) -> list[tuple[Element, float]]:
    """Return the elements of a scan in coordinates of the page, with the confidence of their words."""
    sure = with_confidence([found for found, _ in elements], scan.seen)
    boxes = [as_struct(scan.view.on_page(as_box(found["bbox"]))) for found in sure]
    return [({**found, "bbox": box}, size) for found, box, (_, size) in zip(sure, boxes, elements, strict=True)]


def doubt(options: ParseOptions, number: int) -> dict[str, Any]:
    """Return a reject for a page whose text layer is kept though it looks wrong."""
    problem = "OCR finds even less text" if options.ocr else "OCR is switched off"
    return entry("parse", "DoubtfulText", f"page {number}: its text layer looks garbled, and {problem}", _REMEDY, number)


def give_up(page: Any, options: ParseOptions, result: PageResult) -> None:
    """Make the page a figure and a reject."""
    problem = "OCR found no text on it" if options.ocr else "it has no usable text, and OCR is switched off"
    result.reject = entry("parse", "EmptyPage", f"page {result.number}: {problem}", _REMEDY, result.number)
    box = page_box(page)
    result.elements = [(element(result.number, "figure", "", bbox=as_struct(box)), 0.0)]
    add_figures(page, options, result, [Region(box, "figure")])
