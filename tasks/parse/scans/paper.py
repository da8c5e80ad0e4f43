"""Paper: lightly coloured surfaces behind text, as bands of a table are, made as light as the rest of a page's picture."""

from typing import Any

import numpy as np
import numpy.typing as npt

STROKE = 4.0
"""Widest stroke of a letter on a coloured surface, in points. What is wider is a surface."""
DARKEST = 0.6
"""Darkest surface by the lightness of the paper that is made light. Pictures are darker, and keep their own."""
BLOCK = 2
"""Side of the squares of pixels whose means are looked at: noise is averaged."""


Picture = npt.NDArray[np.uint8]


def evened(picture: Picture, points: float) -> Picture:
    """Return a picture, dark on light and with pixels `points` wide, whose light surfaces are as light as its paper.

    Tesseract tells ink from paper by one threshold for each part of a page: the letters on a coloured band merge with it.
    """
    from scipy.ndimage import maximum_filter, minimum_filter, uniform_filter

    rows, columns = (-(-length // BLOCK) * BLOCK for length in picture.shape)
    padded = np.pad(picture, ((0, rows - picture.shape[0]), (0, columns - picture.shape[1])), mode="edge")
    means = padded.reshape(rows // BLOCK, BLOCK, columns // BLOCK, BLOCK).mean(axis=(1, 3), dtype=np.float32)
    window = max(3, round(STROKE / points / BLOCK) | 1)
    ground = uniform_filter(minimum_filter(maximum_filter(means, window), window), 3)
    paper = float(np.median(picture))
    gain: Any = np.where((ground >= DARKEST * paper) & (ground < paper), paper / np.maximum(ground, 1), 1.0).astype(np.float32)
    whole = np.repeat(np.repeat(gain, BLOCK, axis=0), BLOCK, axis=1)[: picture.shape[0], : picture.shape[1]]
    even: Picture = np.clip(picture * whole, 0, 255).astype(np.uint8)
    return even
