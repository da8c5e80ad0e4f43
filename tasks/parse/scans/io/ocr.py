"""Pages without usable text: finds them, and makes pages and rejects of what Tesseract reads on them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from schemas.options.sections import ParseOptions
from schemas.records import Element, Reason
from tasks.parse.elements.from_regions import MadeElement, element
from tasks.parse.elements.io.page_result import PageResult, add_figures
from tasks.parse.layout.geometry import Box, area, as_struct, box_of, common, scaled
from tasks.parse.layout.io.layout_model import page_box, regions_by_pymupdf, regions_of
from tasks.parse.layout.lines import text_of
from tasks.parse.layout.page_model import Sight
from tasks.parse.layout.regions import Change, Region
from tasks.parse.layout.words import Word
from tasks.parse.rejections import entry
from tasks.parse.scans.elements import with_confidence
from tasks.parse.scans.io import tesseract
from tasks.parse.scans.io.reading import PageReading, pixels, read_upright
from tasks.parse.scans.io.upright import copy_of
from tasks.parse.scans.legible import is_bad
from tasks.parse.scans.plausible import MIN_PART, is_nonsense, nonsense_in, share_of
from tasks.parse.scans.scripts import AUTO, languages_of
from tasks.parse.scans.thresholds import SCAN_SHARE
from tasks.parse.scans.typefaces.pitch import with_pitch
from tasks.parse.scans.typefaces.strokes import stroke_widths, with_weights
from tasks.parse.scans.words import ScannedWord, beside, scanned_words, strength
from tasks.parse.scans.written import may_have_tables, mixed_in, written_in

if TYPE_CHECKING:
    import pymupdf

SCAN_CHARS, SCAN_PATHS = 50, 1000
"""A page with fewer characters goes to OCR if pictures cover at least SCAN_SHARE of it, or if it has more drawn paths, which
may be letters."""
_PATHS = frozenset(("fill-path", "stroke-path"))
"""MuPDF's names of what a page paints that is neither text nor picture nor shade."""
_IF_TEXT = "if the page has text, set parse.ocr_languages to its languages or raise parse.ocr_dpi; a picture needs no remedy"
_SWITCH_ON = "switch parse.ocr on"
_NAMED = 4
"""Number of languages of a script that a remedy names."""


class Unread(NamedTuple):
    """Letters on a page that OCR could not read: their share in (0, 1], and their script if it is none of `languages`."""

    share: float
    script: str | None
    languages: str


@dataclass
class Scan:
    """What was read on a page: words in points of its view, and the document that `copy_of` makes of them.

    `read` is how it was read. `noise` are those of the words that are nonsense.
    """

    read: PageReading
    seen: list[ScannedWord]
    document: Any
    noise: frozenset[Word]

    @property
    def strength(self) -> float:
        """Return how many letters and digits OCR read, weighted by confidence."""
        return strength(self.read.words)

    @property
    def words(self) -> list[Word]:
        """Return the words without their confidence."""
        return [seen.word for seen in self.seen]

    @property
    def page(self) -> "pymupdf.Page":
        """Return the page with its picture."""
        page: pymupdf.Page = self.document[0]
        return page

    def look(self, page: "pymupdf.Page") -> Sight:
        """Return what the layout model sees on that page; and in words alone where it seems to pass over much.

        So it does where it takes words for a picture or headings for text, and where text has columns.
        """
        seen = regions_by_pymupdf(page)
        written = written_in(seen, self.words, self.read.rules, pixels(self.read.picture), self.read.points)
        asked = written or mixed_in(seen, self.words) or may_have_tables(seen, self.words)
        return Sight(seen, regions_of(self.document[1]) if asked else (), written)


def is_unreadable(page: "pymupdf.Page", words: list[Word], images: list[Box]) -> bool:
    """Return whether the page goes to OCR: it has no text, garbled text, or little text besides a large picture."""
    text = text_of(words)
    if not text or is_bad(text):
        return True
    if sum(len(word.text) for word in words) >= SCAN_CHARS:
        return False
    box = page_box(page)
    covered = sum(area(common(image, box)) for image in images) >= SCAN_SHARE * area(box)
    return covered or len(page.get_cdrawings()) > SCAN_PATHS


def may_show_letters(page: "pymupdf.Page") -> bool:
    """Return whether OCR may find letters on the page: not where all it paints are upright boxes and lines."""
    if page.first_annot or page.first_widget or any(kind not in _PATHS for kind, *_ in page.get_bboxlog()):
        return True
    return any(not _is_upright(item) for drawing in page.get_cdrawings() for item in drawing["items"])


def _is_upright(item: Sequence[Any]) -> bool:
    """Return whether an item of a drawn path is a rectangle, or a line along one of the page's sides."""
    if item[0] == "l":
        (x0, y0), (x1, y1) = item[1:3]
        return bool(x0 == x1 or y0 == y1)
    return bool(item[0] == "re")


def scan_of(page: "pymupdf.Page", options: ParseOptions, words: Sequence[Word]) -> tuple[Scan | None, Unread | None]:
    """Return what Tesseract reads on the page with `words`, its text layer, if that is readable; and what it cannot read.

    There is no scan if OCR reads nothing, or nonsense. Where a part of the page is in a script that OCR cannot read, the nonsense
    that it makes of it is left out.
    """
    read = read_upright(page, options)
    if not any(character.isalnum() for word in read.words for character in word.text):
        return None, None
    seen = _typed(scanned_words(read.words, read.points), read)
    noise = nonsense_in(seen)
    share = share_of(noise, seen)
    if share > 1 - MIN_PART or (is_nonsense(read.words) and not read.foreign):
        return None, Unread(1.0, read.foreign, read.languages)
    unread = None
    if read.foreign and share >= MIN_PART:
        unread = Unread(share, read.foreign, read.languages)
        seen = [word for word in seen if word.word not in noise]
    if words and not is_bad(text_of(words)):
        seen = beside(seen, [word._replace(box=read.view.on_view(word.box)) for word in words])
    return Scan(read, seen, copy_of(read.view, seen, read.rules, options.figure_dpi), noise), unread


def _typed(seen: list[ScannedWord], read: PageReading) -> list[ScannedWord]:
    """Return words with the pitch and the weight of their type, measured in the picture in which they were read."""
    widths = stroke_widths(pixels(read.picture), [scaled(found.word.box, 1 / read.points) for found in seen])
    return with_weights(with_pitch(seen), [width and width * read.points for width in widths])


def as_shown(scan: Scan, elements: Sequence[tuple[Element, float]]) -> list[tuple[Element, float]]:
    """Return the elements of a scan in coordinates of the page, with the confidence of their words."""
    sure = with_confidence([found for found, _ in elements], scan.seen)
    boxes = [as_struct(scan.read.view.on_page(box_of(found))) for found in sure]
    return [({**found, "bbox": box}, size) for found, box, (_, size) in zip(sure, boxes, elements, strict=True)]


def doubt(options: ParseOptions, number: int) -> Reason:
    """Return a reject for a page whose text layer is kept though it looks wrong."""
    problem = "OCR finds even less text" if options.ocr else "OCR is switched off"
    remedy = _IF_TEXT if options.ocr else _SWITCH_ON
    return entry("parse", "DoubtfulText", f"page {number}: its text layer looks garbled, and {problem}", remedy, number)


def foreign(options: ParseOptions, number: int, unread: Unread) -> Reason | None:
    """Return a reject for a page with letters of a script that OCR cannot read; None if what it cannot read has none."""
    if unread.script is None:
        return None
    codes = languages_of(unread.script)[:_NAMED]
    packages = ", ".join(map(tesseract.package_of, codes))
    what = "its text" if unread.share == 1 else f"{unread.share:.0%} of its letters"
    message = f"page {number}: {what} cannot be read in {unread.languages} and is left out: its script is {unread.script}"
    remedy = f"install Tesseract's data for its language ({packages})"
    if options.ocr_languages != AUTO:
        remedy = f"set parse.ocr_languages to {AUTO} or to its language ({', '.join(codes)}), and {remedy} if it is missing"
    return entry("parse", "UnreadScript", message, remedy, number)


def give_up(page: "pymupdf.Page", options: ParseOptions, result: PageResult, unread: Unread | None) -> None:
    """Make the page a figure and a reject."""
    problem, remedy = "it has no usable text, and OCR is switched off", _SWITCH_ON
    if options.ocr:
        problem, remedy = "OCR found no text on it" if unread is None else "what OCR reads on it is no text", _IF_TEXT
    empty = entry("parse", "EmptyPage", f"page {result.number}: {problem}", remedy, result.number)
    result.reject = (unread and foreign(options, result.number, unread)) or empty
    box = page_box(page)
    blank = element(result.number, "figure", "", bbox=as_struct(box))
    result.add([MadeElement(blank, 0.0, (Change("unread-page", "its picture"),))])
    add_figures(page, options, result, [Region(box, "figure")])
