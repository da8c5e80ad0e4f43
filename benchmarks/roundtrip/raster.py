"""Rasters: the pages of a PDF as pictures, clean as a good scanner makes them or worn as an office copier does."""

import io
from pathlib import Path
from random import Random
from typing import Any

MOST_SKEW = 1.5
"""Degrees that a worn page is turned at most."""
QUALITY = 60
"""Of the JPEG of a worn page, in percent."""


def rasterise(pdf: Path, out: Path, dpi: int, worn: bool) -> None:
    """Write a PDF of pictures of the pages, of the same size; `worn` ones are turned a little, blurred, noisy and in JPEG.

    What is drawn at random follows from the name of `pdf` alone.
    """
    import pymupdf
    from PIL import Image

    rng = Random(pdf.stem)
    with pymupdf.open(pdf) as document, pymupdf.open() as scan:
        for page in document:
            pixels = page.get_pixmap(dpi=dpi, alpha=False)
            image = Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)
            stream = _wear(image, rng) if worn else _clean(image)
            sheet = scan.new_page(width=page.rect.width, height=page.rect.height)
            sheet.insert_image(sheet.rect, stream=stream)
        out.parent.mkdir(parents=True, exist_ok=True)
        scan.save(out, deflate=True, deflate_images=True)


def _clean(image: Any) -> bytes:
    stream = io.BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()


def _wear(image: Any, rng: Random) -> bytes:
    """Return a page as a copier gives it: skew up to MOST_SKEW either way, lens blur, grain of the sensor, JPEG."""
    import numpy as np
    from PIL import Image, ImageFilter

    sharp = image.width / 1700
    turned = image.rotate(rng.uniform(-MOST_SKEW, MOST_SKEW), resample=Image.Resampling.BICUBIC, fillcolor="white")
    blurred = turned.filter(ImageFilter.GaussianBlur(rng.uniform(0.3, 0.7) * sharp))
    grain = np.random.default_rng(rng.getrandbits(32)).normal(0, rng.uniform(3, 10), (image.height, image.width, 1))
    noisy = np.clip(np.asarray(blurred, dtype=np.float32) + grain, 0, 255).astype(np.uint8)
    stream = io.BytesIO()
    Image.fromarray(noisy).save(stream, "JPEG", quality=QUALITY)
    return stream.getvalue()
