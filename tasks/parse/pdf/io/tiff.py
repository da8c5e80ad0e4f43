"""TIFF, the format of scanners and fax machines: every frame is a page and is read as a scan."""

from collections.abc import Callable

from schemas.errors import DocumentError
from schemas.options.sections import ParseOptions
from schemas.records import ParsedDocument
from tasks.parse.pdf.io.document import parse_pdf
from tasks.parse.rejections import refusal


def parse_tiff(content: bytes, options: ParseOptions, tick: Callable[[int], None]) -> ParsedDocument:
    """Return a row of `schemas.staged.PARSED`, with positions in points, by the resolution that the file states.

    Raises:
        DocumentError: it is not a TIFF, or it is damaged.
        EmptyDocument: OCR finds no text in it, or is switched off.
    """
    return parse_pdf(as_pdf(content), options, tick)


def as_pdf(content: bytes) -> bytes:
    """Return a TIFF as PDF, with a page for each frame.

    Raises:
        DocumentError: it is not a TIFF, or it is damaged.
    """
    import pymupdf

    if content[:4] not in (b"II*\0", b"MM\0*"):
        raise refusal(DocumentError, "the content is not a TIFF", "give the file the suffix of its format, or exclude it")
    try:
        with pymupdf.open(stream=content, filetype="tiff") as pictures:
            return bytes(pictures.convert_to_pdf())
    except (RuntimeError, ValueError) as error:
        raise refusal(
            DocumentError, "the TIFF is damaged or truncated", "get a complete copy of the file, or scan it again"
        ) from error
