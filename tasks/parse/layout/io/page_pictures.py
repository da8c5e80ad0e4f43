"""Pages of a PDF rendered as pictures."""

from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

from tasks.parse.layout.blank import is_paper
from tasks.parse.layout.geometry import Box

if TYPE_CHECKING:
    import pymupdf
    from PIL.Image import Image

FAST = 1
"""PNG compression level that takes a quarter of the usual time and makes files a few percent larger."""
MAX_PICTURE_PIXELS = 4_000_000
"""A figure's picture is scaled down to at most this many pixels."""

PAPER_DPI = 100


class PageCrop(NamedTuple):
    """A part of a page as PNG, with `scale` pixels per point. (`left`, `top`) is its corner, in pixels of the page."""

    image: bytes
    scale: float
    left: int
    top: int


def page_picture(page: "pymupdf.Page", dpi: int, max_pixels: int) -> tuple["Image", float]:
    """Return the page in grey, and its pixels per point."""
    import pymupdf
    from PIL import Image

    scale = page_scale(page.rect, dpi, max_pixels)
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csGRAY, alpha=False)
    return Image.frombytes("L", (pixmap.width, pixmap.height), pixmap.samples), scale


def picture_of(page: "pymupdf.Page", box: Box, dpi: int) -> PageCrop:
    """Return the picture of the page in `box`, clipped to the page."""
    import pymupdf
    from PIL import Image

    clip = pymupdf.Rect(box) & page.rect
    scale = page_scale(clip, dpi, MAX_PICTURE_PIXELS)
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), clip=clip, alpha=False)
    file = BytesIO()
    Image.frombytes("RGB", (pixmap.width, pixmap.height), pixmap.samples).save(file, "PNG", compress_level=FAST)
    return PageCrop(file.getvalue(), scale, pixmap.x, pixmap.y)


def is_blank(page: "pymupdf.Page") -> bool:
    """Return whether the page, at low resolution, has a single colour."""
    darkest, lightest = page_picture(page, 72, 1_000_000)[0].getextrema()
    return darkest == lightest


def is_blank_paper(page: "pymupdf.Page") -> bool:
    """Return whether the page shows only paper, as the scan of a blank page."""
    import numpy as np

    return is_paper(np.asarray(page_picture(page, PAPER_DPI, MAX_PICTURE_PIXELS)[0]))


def page_scale(rect: "pymupdf.Rect", dpi: float, max_pixels: int = MAX_PICTURE_PIXELS) -> float:
    """Return pixels per point for `dpi`, reduced so that the page has at most `max_pixels`."""
    allowed = (max_pixels / max(1.0, rect.width * rect.height)) ** 0.5
    return float(min(dpi / 72, allowed))
