"""A page of a PDF as people see it: its picture, and the words on it with their positions."""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from schemas.errors import DocumentError
from tasks.parse.layout.geometry import Box
from tasks.parse.pdf.io.document import opened
from tasks.parse.pdf.io.turned import set_upright

if TYPE_CHECKING:
    import pymupdf
    from PIL.Image import Image

DPI = 120
SHORTEST_SIDE, LONGEST_SIDE, MAX_PIXELS = 700, 4000, 2_000_000
"""Limits in pixels: shortest longer side of a page (small pages are enlarged), longest side, and area."""


class PageView(NamedTuple):
    """The picture in colour, its pixels per point, and words with their boxes in points."""

    picture: "Image"
    scale: float
    words: list[tuple[Box, str]]


def n_pages_of(content: bytes | Path) -> int:
    """Return how many pages the PDF has, given its bytes or its file.

    Raises:
        DocumentError: it cannot be opened.
    """
    with opened(content) as document:
        return int(document.page_count)


def view_page(content: bytes, page_number: int) -> PageView:
    """Return a picture of page `page_number`, counted from 1, with its words.

    Raises:
        DocumentError: the document cannot be opened, or the page cannot be drawn.
    """
    with opened(content) as document:
        try:
            return _view(document.load_page(page_number - 1))
        except (RuntimeError, ValueError, OverflowError) as error:
            raise DocumentError(f"page {page_number} cannot be drawn: {error}: print it to PDF again") from error


def _view(page: "pymupdf.Page") -> PageView:
    import pymupdf
    from PIL import Image

    set_upright(page)
    scale = _scale(max(1.0, page.rect.width), max(1.0, page.rect.height))
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csRGB, alpha=False)
    words = [((word[0], word[1], word[2], word[3]), str(word[4])) for word in page.get_text("words")]
    return PageView(Image.frombytes("RGB", (pixmap.width, pixmap.height), pixmap.samples), scale, words)


def _scale(width: float, height: float) -> float:
    """Return pixels per point."""
    longer = max(width, height)
    return min(max(DPI / 72, SHORTEST_SIDE / longer), LONGEST_SIDE / longer, float((MAX_PIXELS / (width * height)) ** 0.5))
