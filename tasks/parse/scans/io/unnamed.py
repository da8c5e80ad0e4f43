"""Reads the letters that a text layer does not name from the picture of their page."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from schemas.options.sections import ParseOptions
from tasks.parse.layout.io.page_pictures import page_scale
from tasks.parse.layout.lines import text_of
from tasks.parse.layout.words import Word
from tasks.parse.scans.glyphs import unnamed_in, with_letters
from tasks.parse.scans.io import tesseract
from tasks.parse.scans.io.upright import view_of
from tasks.parse.scans.scripts import AUTO, reader_of

if TYPE_CHECKING:
    import pymupdf
    from PIL.Image import Image

MARGIN = 0.3
"""White space around a line that is shown to OCR, in type sizes."""


def with_unnamed_read(page: "pymupdf.Page", options: ParseOptions, words: Sequence[Word]) -> list[Word]:
    """Return the words of a page, those with unnamed letters read by OCR. Tesseract sees nothing but their lines."""
    lines = {word.line for word in unnamed_in(words)}
    if not lines:
        return list(words)
    view = view_of(page, 0)
    whole = view.picture(page_scale(page.rect, options.ocr_dpi, options.max_page_pixels))
    points = view.width / whole.width
    languages = options.ocr_languages
    if languages == AUTO:
        languages = reader_of(text_of(words), tesseract.installed())
    picture = _only([word for word in words if word.line in lines], whole, points)
    return with_letters(words, tesseract.read_words(picture, languages), points)


def _only(words: Sequence[Word], whole: "Image", points: float) -> "Image":
    """Return a picture with these words, each as it stands on `whole`, and white elsewhere. A pixel is `points` wide."""
    from PIL import Image

    shown = Image.new("L", whole.size, 255)
    for word in words:
        x0, y0, x1, y1 = word.box
        margin = MARGIN * word.size
        pixels = [round(edge / points) for edge in (x0 - margin, y0 - margin, x1 + margin, y1 + margin)]
        box = max(pixels[0], 0), max(pixels[1], 0), min(pixels[2], whole.width), min(pixels[3], whole.height)
        if box[0] < box[2] and box[1] < box[3]:
            shown.paste(whole.crop(box), box[:2])
    return shown
