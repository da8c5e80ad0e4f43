"""Pictures as documents: PNG, JPEG, WebP, GIF, BMP and HEIC, each a page that is read as a scan."""

import io
from collections.abc import Callable
from typing import NamedTuple

from schemas.errors import DocumentError, EmptyDocument
from schemas.media_types import HEIC, media_type_by_mark
from schemas.options.sections import ParseOptions
from schemas.records import NO_PROPERTIES, ParsedDocument
from tasks.parse.elements.flow_document import FlowBlock, FlowDocument, document_row
from tasks.parse.elements.png import FORMATS, MAX_SOURCE_PIXELS, opaque
from tasks.parse.pdf.io.document import parse_pdf
from tasks.parse.rejections import blank, refusal

LONG_SIDE = 11.7
"""Inches of the longer side of a page, A4: how large a picture is taken to be that does not say."""
FEWEST_DPI, SCREEN_DPI = 120, 96
"""What states fewer dots per inch states nothing: programs write 72 into photographs of pages."""


class Upright(NamedTuple):
    """A picture as PNG, upright as its camera noted; its sides in pixels, and its dots per inch."""

    png: bytes
    width: int
    height: int
    dpi: float


def parse_picture(content: bytes, options: ParseOptions, tick: Callable[[int], None]) -> ParsedDocument:
    """Return a row of `schemas.staged.PARSED`, with positions in points. A picture without text is a figure, which can be found.

    Raises:
        DocumentError: it is not a picture, damaged, or has too many pixels.
    """
    picture = open_upright(content)
    try:
        return parse_pdf(_write_pdf(picture), options, tick)
    except EmptyDocument:
        said = f"A picture of {picture.width} × {picture.height} pixels in which no text was found."  # noqa: RUF001
        blocks = [FlowBlock("paragraph", said), FlowBlock("figure", picture=picture.png)]
        return document_row(FlowDocument(blocks, NO_PROPERTIES), options.figure_dpi, tick)


def as_pdf(content: bytes) -> bytes:
    """Return a picture as PDF of one page, upright as its camera noted; of an animated one its first frame.

    Raises:
        DocumentError: it is not a picture, damaged, or has too many pixels.
    """
    return _write_pdf(open_upright(content))


def open_upright(content: bytes) -> Upright:
    """Return a picture upright, of an animated one its first frame.

    Raises:
        DocumentError: it is not a picture, damaged, or has too many pixels.
    """
    from PIL import Image, ImageOps

    if not content:
        raise blank(content)
    formats: tuple[str, ...] = FORMATS
    if media_type_by_mark(content) == HEIC:
        _load_heic_reader()
        formats = ("HEIF",)
    try:
        with Image.open(io.BytesIO(content), formats=formats) as picture:
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
    return Upright(sink.getvalue(), *shown.size, float(dpi))


def _load_heic_reader() -> None:
    """Let Pillow read HEIC.

    Raises:
        DocumentError: the package is not installed.
    """
    try:
        import pillow_heif
    except ImportError as error:
        message = "HEIC pictures are read by the package pillow-heif, which is not installed"
        raise refusal(DocumentError, message, "pip install 'pagemill[heic]'; or save it as JPEG, or exclude it") from error
    pillow_heif.register_heif_opener()


def _write_pdf(picture: Upright) -> bytes:
    import pymupdf

    with pymupdf.open() as document:
        page = document.new_page(width=picture.width * 72 / picture.dpi, height=picture.height * 72 / picture.dpi)
        page.insert_image(page.rect, stream=picture.png)
        return bytes(document.tobytes(deflate=False))
