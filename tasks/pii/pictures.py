"""Pictures in which personal data is painted over."""

import io
from collections.abc import Iterable
from math import ceil, floor

from schemas.records import BBox

MARGIN = 2
"""Pixels around a box that are painted too: letters cross their boxes."""


def paint_over(png: bytes, boxes: Iterable[BBox]) -> bytes:
    """Return a picture with black boxes."""
    from PIL import Image, ImageDraw

    picture = Image.open(io.BytesIO(png), formats=["PNG"]).convert("RGB")
    drawing = ImageDraw.Draw(picture)
    for box in boxes:
        corner = floor(box["x0"]) - MARGIN, floor(box["y0"]) - MARGIN
        drawing.rectangle(
            (*corner, max(corner[0], ceil(box["x1"]) + MARGIN), max(corner[1], ceil(box["y1"]) + MARGIN)), fill="black"
        )
    sink = io.BytesIO()
    picture.save(sink, "PNG")
    return sink.getvalue()


def blank_picture(png: bytes) -> bytes:
    """Return a black picture of the same size; nothing for nothing."""
    from PIL import Image

    if not png:
        return png
    sink = io.BytesIO()
    Image.new("RGB", Image.open(io.BytesIO(png), formats=["PNG"]).size, "black").save(sink, "PNG")
    return sink.getvalue()
