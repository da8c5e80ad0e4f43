"""Pictures as documents: PNG, JPEG, WebP, GIF and BMP, each a page that is read as a scan."""

import io
from collections.abc import Callable

from schemas.errors import DocumentError, EmptyDocument
from schemas.options.sections import ParseOptions
from schemas.records import ParsedDocument
from tasks.parse.elements.png import MAX_SOURCE_PIXELS, opaque
from tasks.parse.pdf.io.document import parse_pdf
from tasks.parse.rejections import blank, refusal

LONG_SIDE = 11.7
"""Inches of the longer side of a page, A4: how large a picture is taken to be that does not say."""
FEWEST_DPI, SCREEN_DPI = 120, 96
"""What states fewer dots per inch states nothing: programs write 72 into photographs of pages."""


def parse_picture(content: bytes, options: ParseOptions, tick: Callable[[int], None]) -> ParsedDocument:
    """Return a row of `schemas.staged.PARSED`, with positions in points.

    Raises:
        DocumentError: it is not a picture, damaged, or has too many pixels.
        EmptyDocument: OCR finds no text in it, or is switched off.
    """
    try:
        return parse_pdf(as_pdf(content), options, tick)
    except EmptyDocument as error:
        remedy = "exclude it, or pictures as a whole by plan.formats = -png,-jpg; " + " ".join(getattr(error, "__notes__", ()))
        raise refusal(EmptyDocument, "no text found in the picture", remedy) from error


def as_pdf(content: bytes) -> bytes:
    """Return a picture as PDF of one page, upright as its camera noted; of an animated one its first frame.

    Raises:
        DocumentError: it is not a picture, damaged, or has too many pixels.
    """
    import pymupdf
    from PIL import Image, ImageOps

    if not content:
        raise blank(content)
    try:
        with Image.open(io.BytesIO(content)) as picture:
            if picture.width * picture.height > MAX_SOURCE_PIXELS:
                raise ValueError(f"it has {picture.width} x {picture.height} pixels, more than {MAX_SOURCE_PIXELS}")
            stated = picture.info.get("dpi", (0, 0))[0]
            shown = opaque(ImageOps.exif_transpose(picture))
    except (Image.DecompressionBombError, OSError, ValueError, SyntaxError, EOFError, IndexError, TypeError) as error:
        remedy = "get a complete copy of the file, make it smaller, or exclude it"
        raise refusal(DocumentError, f"the picture cannot be read: {str(error)[:200]}", remedy) from error
    dpi = stated if stated >= FEWEST_DPI else max(SCREEN_DPI, max(shown.size) / LONG_SIDE)
    sink = io.BytesIO()
    shown.save(sink, "PNG", compress_level=1)
    with pymupdf.open() as document:
        page = document.new_page(width=shown.width * 72 / dpi, height=shown.height * 72 / dpi)
        page.insert_image(page.rect, stream=sink.getvalue())
        return bytes(document.tobytes(deflate=False))
