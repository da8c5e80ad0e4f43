"""Reads the picture of a page by Tesseract: turned upright, and in the languages of its script."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from schemas.options.sections import ParseOptions
from tasks.parse.layout.geometry import Box, area, common, grown, union
from tasks.parse.layout.io.layout_model import page_box
from tasks.parse.layout.io.page_pictures import page_scale
from tasks.parse.layout.rules import Rules
from tasks.parse.scans.boxes import trimmed
from tasks.parse.scans.bullets import with_bullets
from tasks.parse.scans.doubtful import doubtful_cells_in, doubtful_in, with_cells, with_doubtful
from tasks.parse.scans.io import tesseract
from tasks.parse.scans.io.upright import UprightView, view_of
from tasks.parse.scans.letters import with_cases, with_spaces, with_stops
from tasks.parse.scans.missed import missed_in, only, with_missed
from tasks.parse.scans.paper import evened, reversed_in
from tasks.parse.scans.plausible import is_nonsense, unread_share
from tasks.parse.scans.scripts import AUTO, FIRST, is_read_by, language_of, readers_of
from tasks.parse.scans.skew import is_dark, skew_of
from tasks.parse.scans.thresholds import SCAN_SHARE, SURE
from tasks.parse.scans.typefaces.sizes import runs_down
from tasks.parse.scans.typefaces.strokes import without_phantoms
from tasks.parse.scans.words import OcrWord, mean_confidence, strength
from tasks.parse.tables.picture_rules import apart

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pymupdf
    from PIL.Image import Image

UNREAD = 0.08
"""Largest share of unread letters on a page in one script. Of 100 English pages, scanned at 200 dpi with noise, two have more;
of Russian pages that seemed sure because English read so much on them, both have."""
MUCH_UNREAD = 0.3
"""Smallest share of unread letters on a page on which a script that is not sure is tried: text in it beside code, say."""
ONE_BLOCK = 6
"""Tesseract's page segmentation for lines below each other, which also reads single letters."""
SCATTERED = 11
"""The same for text here and there, each by itself."""
AROUND = 40
"""White pixels around all that is read again: less of a page takes less time."""
SKEW_DPI = 100
COARSE_PIXELS, COARSE_SCALE = 2_100_000, 1.5
"""A scan with fewer pixels (a sheet at 150 dpi) is enlarged, because Tesseract needs letters about 20 pixels high."""


class PageReading(NamedTuple):
    """A page turned upright, its picture and the rules in it, the words that Tesseract read, and in which languages.

    `bare` is the picture as Tesseract saw it, without rules. `script` is that of the words that it could not read, if they are
    enough to tell it.
    """

    view: UprightView
    picture: "Image"
    bare: Any
    rules: Rules
    words: list[OcrWord]
    languages: str
    script: str | None = None

    @property
    def points(self) -> float:
        """The width of a pixel of the picture, in points."""
        return self.view.width / self.picture.width

    @property
    def foreign(self) -> str | None:
        """The script of the words that could not be read, if none of `languages` is written in it."""
        return None if self.script is None or is_read_by(self.script, self.languages) else self.script


def read_upright(page: "pymupdf.Page", options: ParseOptions) -> PageReading:
    """Return the page turned so that most text can be read, in the languages of its script.

    Only a page that is not read with confidence is examined further: its script is told from the words that were not read, for
    on a page of two scripts the others mislead.
    """
    scale = _scale(page, options)
    level = -skew_of(pixels(_readable(view_of(page, 0), min(scale, SKEW_DPI / 72))))
    auto = options.ocr_languages == AUTO
    best = _read(page, level, scale, FIRST if auto else options.ocr_languages)
    if not _is_sure(best):
        best = _read_again(page, scale, best, auto)
    elif auto and unread_share(best.words) > UNREAD:
        best = _in_another_script(page, scale, best)
    return _with_missed(_in_its_language(page, scale, best) if auto and best.languages == FIRST else best)


def _with_missed(read: PageReading) -> PageReading:
    """Return a page with words that Tesseract read badly or passed over, such as cells, read from a picture of these alone."""
    doubtful = doubtful_in(read.words)
    words = with_doubtful(read.words, _of_boxes(read, doubtful), doubtful)
    cells = doubtful_cells_in(words)
    words = with_cells(words, _of_boxes(read, cells, SCATTERED), cells)
    missed = missed_in(words, read.bare)
    words = with_missed(words, _of_boxes(read, missed.marks), missed.dashes)
    return read._replace(words=with_cases(with_spaces(with_stops(words, read.bare), read.bare)))


def _of_boxes(read: PageReading, boxes: Sequence[Box], mode: int = ONE_BLOCK) -> list[OcrWord]:
    """Return the words that Tesseract reads in these boxes of a page's picture; `mode` is its page segmentation."""
    from PIL import Image

    if not boxes:
        return []
    shown = only(read.bare, boxes)
    x0, y0, x1, y1 = (round(edge) for edge in grown(union(boxes), AROUND, AROUND))
    left, top = max(0, x0), max(0, y0)
    words = tesseract.read_words(Image.fromarray(shown[top:y1, left:x1]), read.languages, mode)
    return trimmed([word._replace(box=_moved(word.box, left, top)) for word in words], shown)


def _moved(box: Box, x: float, y: float) -> Box:
    return box[0] + x, box[1] + y, box[2] + x, box[3] + y


def _read_again(page: "pymupdf.Page", scale: float, first: PageReading, auto: bool) -> PageReading:
    """Return the best reading of a page in other languages and in other positions.

    As it came, not levelled, it is read only if it is not read surely otherwise: letters of a skew page may be read as well, but
    its lines are not.
    """
    level, told = first.view.degrees, tesseract.orientation_of(_unread(first))
    settings = _settings(first, told) if auto and told else []
    languages = settings[0] if settings else first.languages
    best = first
    for turn in _turns(first, told, bool(settings)):
        best = max(best, _read(page, level + turn, scale, languages), key=_worth)
    if level and not _is_sure(best):
        best = max(best, _read(page, 0.0, scale, languages), key=_worth)
    for other in settings[1:]:
        best = best if _is_sure(best) else max(best, _read(page, best.view.degrees, scale, other), key=_worth)
    if best.languages != first.languages and not (told and told.script) and not _is_sure(best):
        best = first  # the script was guessed, and the guess did not help
    return best._replace(script=told.script if told else None)


def _in_another_script(page: "pymupdf.Page", scale: float, first: PageReading) -> PageReading:
    """Return a page that was read well but for a part, such as headings, in the languages of that part if they help."""
    told = tesseract.orientation_of(_unread(first))
    if told is None or told.turn:
        return first
    languages = next(iter(readers_of(told.script or told.guess, tesseract.installed())), None)
    best = max(first, _read(page, first.view.degrees, scale, languages), key=_worth) if languages else first
    if not told.script and 2 * unread_share(best.words) > unread_share(first.words):
        return first  # the script was guessed, and the guess did not help
    return best._replace(script=told.script)


def _settings(first: PageReading, told: tesseract.Orientation) -> list[str]:
    """Return the languages in which to read a page again.

    A script that is not sure is tried on an upright page of which nothing, or no more than a part, was read.
    """
    little = is_nonsense(first.words) or unread_share(first.words) > MUCH_UNREAD
    script = told.guess if little and not told.turn else told.script
    return readers_of(script, tesseract.installed()) if script else []


def _turns(first: PageReading, told: tesseract.Orientation | None, in_others: bool) -> tuple[int, ...]:
    """Return the turns to try, in degrees; also none at all if the page is to be read in other languages."""
    if told and told.turn:
        return (told.turn,)
    if runs_down(first.words):
        return (90, 270)
    if told is None and first.words:
        return (90, 180, 270)
    return (0,) if in_others else ()


def _in_its_language(page: "pymupdf.Page", scale: float, read: PageReading) -> PageReading:
    """Return a page in Latin letters read again in the language of its words, if that is another one and installed."""
    language = language_of(" ".join(word.text for word in read.words))
    if language == FIRST or language not in tesseract.installed():
        return read
    return max(read, _read(page, read.view.degrees, scale, language), key=_worth)._replace(script=read.script)


def _unread(read: PageReading) -> "Image":
    """Return the picture of a page without the words that were read with confidence; all of it if they lie on their side."""
    from PIL import ImageDraw

    if runs_down(read.words):
        return read.picture
    rest = read.picture.copy()
    draw = ImageDraw.Draw(rest)
    for word in read.words:
        if word.confidence >= SURE:
            draw.rectangle(word.box, fill=255)
    return rest


def _is_sure(read: PageReading) -> bool:
    return mean_confidence(read.words) >= SURE and not runs_down(read.words)


def _worth(read: PageReading) -> float:
    """Return a score of how much was read. Vertical text counts less: Tesseract reads its words, but not its lines."""
    return strength(read.words) / (2 if runs_down(read.words) else 1)


def _read(page: "pymupdf.Page", degrees: float, scale: float, languages: str) -> PageReading:
    from PIL import Image

    view = view_of(page, degrees)
    picture = _readable(view, scale)
    points = view.width / picture.width
    rules, bare = apart(pixels(picture), points)
    bare = reversed_in(bare, points)
    even = evened(bare, points)
    words = trimmed(without_phantoms(tesseract.read_words(Image.fromarray(even), languages), bare), bare)
    return PageReading(view, picture, even, rules, with_bullets(words, bare), languages)


def _readable(view: UprightView, scale: float) -> "Image":
    """Return the view's picture dark on light."""
    from PIL import ImageOps

    picture = view.picture(scale)
    return ImageOps.invert(picture) if is_dark(pixels(picture)) else picture


def pixels(picture: "Image") -> "npt.NDArray[np.uint8]":
    """Return a picture as an array."""
    import numpy as np

    return np.asarray(picture)


def _scale(page: "pymupdf.Page", options: ParseOptions) -> float:
    """Return pixels per point: those of the scan itself, if it is one, and 1.5 times as many for a coarse scan."""
    box = page_box(page)
    wanted = options.ocr_dpi / 72
    scans = [image for image in page.get_image_info() if area(common(image["bbox"], box)) >= SCAN_SHARE * area(box)]
    if scans:
        wanted = max((image["width"] * image["height"] / area(image["bbox"])) ** 0.5 for image in scans)
        wanted *= COARSE_SCALE if wanted**2 * area(box) < COARSE_PIXELS else 1
    return page_scale(page.rect, wanted * 72, options.max_page_pixels)
