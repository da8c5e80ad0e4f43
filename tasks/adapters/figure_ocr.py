"""The pictures of figures: opened, made small, read by Tesseract."""

import io
from itertools import groupby
from typing import TYPE_CHECKING

from tasks.adapters import tesseract
from tasks.transforms.prose import clean

if TYPE_CHECKING:
    from PIL.Image import Image

READABLE_SIDE, LARGEST_SCALE = 1000, 3
"""A picture whose longer side has fewer pixels is enlarged before OCR, at most so many times."""
MIN_SIDE = 30
"""A picture with a shorter side, in pixels, holds no text worth reading."""
SCATTERED = 11


def open_picture(png: bytes) -> "Image":
    """Return the picture, decoded.

    Raises:
        OSError: the bytes are no picture, or a damaged one.
    """
    from PIL import Image

    picture = Image.open(io.BytesIO(png))
    picture.load()
    return picture.convert("RGB")


def thumbnail(picture: "Image", side: int) -> bytes:
    """Return the picture as PNG, its longer side at most `side` pixels."""
    small = picture.copy()
    small.thumbnail((side, side))
    sink = io.BytesIO()
    small.save(sink, "PNG")
    return sink.getvalue()


def read_figure(picture: "Image", languages: str, min_confidence: float) -> str:
    """Return the text in a picture, line by line; words of less confidence, and words without a letter or digit, are left out.

    Raises:
        OSError, RuntimeError: Tesseract failed or took too long.
    """
    if min(picture.size) < MIN_SIDE:
        return ""
    scale = min(LARGEST_SCALE, READABLE_SIDE / max(picture.size))
    if scale > 1:
        picture = picture.resize((round(picture.width * scale), round(picture.height * scale)))
    words = [
        word
        for word in tesseract.read_words(picture, languages, SCATTERED)
        if word.confidence >= min_confidence and any(map(str.isalnum, word.text))
    ]
    lines = groupby(words, key=lambda word: (word.paragraph, word.line))
    return clean("\n".join(" ".join(word.text for word in line) for _, line in lines))
