"""Pictures from inside a document, converted to PNG of a limited size."""

import hashlib
import io
from typing import TYPE_CHECKING

from schemas.records import BBox, Reason
from tasks.parse.rejections import entry

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS = ("AVIF", "BMP", "DIB", "GIF", "ICO", "JPEG", "JPEG2000", "PCX", "PNG", "PPM", "TGA", "TIFF", "WEBP")
"""What Pillow may take a picture for, whatever its suffix says: for EPS it runs Ghostscript, and so what the picture wants."""
MAX_SOURCE_PIXELS = 80_000_000
"""A picture with more pixels is not decoded, because it would need too much memory."""
MAX_PIXELS = 4_000_000
"""A picture is scaled down to at most this many pixels."""
MIN_SIDE = 24
"""A picture with a side of fewer pixels is decoration: a bullet, a rule, a tracking pixel."""
MAX_BYTES = 256 * 2**20
"""Limit for all pictures of one document together. Pictures beyond it are skipped and reported."""


class DocumentPictures:
    """The pictures of one document. Each is decoded once, and their total size is limited."""

    def __init__(self, dpi: int) -> None:
        """`dpi` is the resolution of a picture whose size on the page is known."""
        self.rejects: list[Reason] = []
        self._dpi = dpi
        self._n_bytes = 0
        self._seen: dict[tuple[bytes, int], bytes | None] = {}

    def png(self, source: bytes, page_number: int, bbox: BBox | None) -> bytes | None:
        """Return the picture as PNG; None if it is decoration or cannot be used. `rejects` then says why it cannot."""
        limit = self._pixels(bbox)
        key = hashlib.sha256(source).digest(), limit
        if key not in self._seen:
            self._seen[key] = self._made(source, limit, page_number)
        made = self._seen[key]
        self._n_bytes += len(made or b"")
        if self._n_bytes > MAX_BYTES:
            message = f"the document's pictures have more than {MAX_BYTES >> 20} MiB: a picture was left out"
            self._tell(message, "make its pictures smaller, or split it; the text is kept", page_number)
            self._n_bytes -= len(made or b"")
            return None
        return made

    def _pixels(self, bbox: BBox | None) -> int:
        if not bbox:
            return MAX_PIXELS
        area = (bbox["x1"] - bbox["x0"]) * (bbox["y1"] - bbox["y0"]) * (self._dpi / 72) ** 2
        return round(min(max(area, 1.0), MAX_PIXELS))

    def _made(self, source: bytes, limit: int, page_number: int) -> bytes | None:
        try:
            return as_png(source, limit)
        except (OSError, ValueError, SyntaxError, EOFError, IndexError, OverflowError, NotImplementedError) as error:
            remedy = "replace the picture by a PNG or JPEG of fewer pixels if it matters; the text is kept"
            self._tell(f"a picture cannot be read: {_why(error)}", remedy, page_number)
            return None

    def _tell(self, message: str, remedy: str, page_number: int) -> None:
        self.rejects.append(entry("parse", "FigureError", message, remedy, page_number))


def as_png(source: bytes, max_pixels: int) -> bytes | None:
    """Return a picture's file as PNG of at most `max_pixels`; None if it is small enough to be decoration.

    Raises:
        OSError, ValueError, SyntaxError: it is not a readable picture, or has more than `MAX_SOURCE_PIXELS`.
    """
    picture = _opened(source)
    if min(picture.size) < MIN_SIDE:
        return None
    scale = min(1.0, (max_pixels / (picture.width * picture.height)) ** 0.5)
    size = (max(1, int(picture.width * scale)), max(1, int(picture.height * scale)))
    picture.draft(None, size)
    if picture.width * picture.height > MAX_SOURCE_PIXELS:
        raise ValueError(f"it has {picture.width} x {picture.height} pixels, more than {MAX_SOURCE_PIXELS}")
    sink = io.BytesIO()
    shown = opaque(picture)
    (shown.resize(size, reducing_gap=3.0) if size != shown.size else shown).save(sink, "PNG")
    return sink.getvalue()


def _why(error: Exception) -> str:
    """Return what is wrong with a picture; Pillow names its own objects where it knows no format."""
    from PIL import UnidentifiedImageError

    if isinstance(error, UnidentifiedImageError):
        return "it is damaged, or of a format that is not known"
    return str(error)[:200] or type(error).__name__


def _opened(source: bytes) -> "Image":
    from PIL import Image

    try:
        return Image.open(io.BytesIO(source), formats=FORMATS)
    except Image.DecompressionBombError as error:
        raise ValueError(f"it has too many pixels: {error}") from error


def opaque(picture: "Image") -> "Image":
    """Return the picture in grey or colour, on white where it is transparent."""
    from PIL import Image

    if picture.mode in ("1", "L"):
        return picture.convert("L")
    if picture.mode not in ("RGBA", "LA", "PA") and "transparency" not in picture.info:
        return picture.convert("RGB")
    layered = picture.convert("RGBA")
    white = Image.new("RGBA", layered.size, "white")
    return Image.alpha_composite(white, layered).convert("RGB")
