"""Paper: coloured surfaces behind text, as bands of a table are, made as light as the rest of a page's picture."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from tasks.parse.layout.pixels import Means, Picture, block_means

STROKE = 4.0
"""Widest stroke of a letter on a coloured surface, in points. What is wider is a surface."""
DARKEST = 0.6
"""Darkest surface by the lightness of the paper that is made light. Pictures are darker, and keep their own."""
BLOCK = 2
"""Side of the squares of pixels whose means are looked at: noise is averaged."""
SMALLEST = 6.0
"""Smallest height and width, in points, of a dark surface with light letters."""
FILLED, EDGED = 0.5, 0.85
"""Smallest shares of such a surface that are dark: of its box, beside the letters, and of each edge of it, which has none."""
ALIKE, EVEN = 10.0, 0.7
"""Largest difference from a dark surface's middle lightness, of 255, and smallest share of it that differs no more: a
photograph is not even."""
LETTERS = (0.005, 0.5)
"""Shares of a dark surface that light letters take."""

Mask = npt.NDArray[np.bool_]


def evened(picture: Picture, points: float) -> Picture:
    """Return a picture, dark on light and with pixels `points` wide, whose light surfaces are as light as its paper.

    Tesseract tells ink from paper by one threshold for each part of a page: the letters on a coloured band merge with it.
    """
    from scipy.ndimage import maximum_filter, minimum_filter, uniform_filter

    means = _means(picture)
    window = max(3, round(STROKE / points / BLOCK) | 1)
    ground = uniform_filter(minimum_filter(maximum_filter(means, window), window), 3)
    paper = float(np.median(picture))
    gain: Any = np.where((ground >= DARKEST * paper) & (ground < paper), paper / np.maximum(ground, 1), 1.0).astype(np.float32)
    whole = np.repeat(np.repeat(gain, BLOCK, axis=0), BLOCK, axis=1)[: picture.shape[0], : picture.shape[1]]
    even: Picture = np.clip(picture * whole, 0, 255).astype(np.uint8)
    return even


def reversed_in(picture: Picture, points: float) -> Picture:
    """Return a picture, dark on light and with pixels `points` wide, with light letters on dark surfaces as dark ones on paper.

    Tesseract passes over some of them, or reads the edge of their surface as a letter.
    """
    paper, means = float(np.median(picture)), _means(picture)
    shown = picture.copy()
    for x0, y0, x1, y1 in _dark_surfaces(means, paper, points):
        part = means[y0:y1, x0:x1]
        ground = float(np.median(part[part < DARKEST * paper]))
        inside = slice(BLOCK * (y0 + 1), BLOCK * (y1 - 1)), slice(BLOCK * (x0 + 1), BLOCK * (x1 - 1))
        around = slice(BLOCK * max(0, y0 - 1), BLOCK * (y1 + 1)), slice(BLOCK * max(0, x0 - 1), BLOCK * (x1 + 1))
        lit = (picture[inside].astype(np.float32) - ground) / (paper - ground)
        if LETTERS[0] <= float((lit > 0.5).mean()) <= LETTERS[1]:
            shown[around] = round(paper)
            shown[inside] = np.clip(paper * (1 - lit), 0, round(paper)).astype(np.uint8)
    return shown


def _dark_surfaces(means: Means, paper: float, points: float) -> Iterator[tuple[int, int, int, int]]:
    """Yield the boxes of dark rectangles of one lightness, in blocks."""
    from scipy.ndimage import find_objects, label

    dark = means < DARKEST * paper
    least = round(SMALLEST / points / BLOCK)
    for y, x in find_objects(label(dark)[0]):
        if min(y.stop - y.start, x.stop - x.start) < least:
            continue
        part = dark[y, x]
        edges = (part[1], part[-2], part[:, 1], part[:, -2])
        values = means[y, x][part]
        even = (abs(values - np.median(values)) <= ALIKE).mean() >= EVEN
        if even and part.mean() >= FILLED and min(edge.mean() for edge in edges) >= EDGED:
            yield x.start, y.start, x.stop, y.stop


def ink_of(picture: Picture, darkness: float = 0.5) -> Mask:
    """Tell which pixels of a picture, dark on light, are drawn: at least so dark, from paper (0) to ink (1)."""
    paper, ink = float(np.median(picture)), float(picture.min(initial=255))
    drawn: Mask = picture < paper - darkness * (paper - ink)
    return drawn


def _means(picture: Picture) -> Means:
    """Return the means of the squares of BLOCK pixels of a picture, those at its end repeated as needed."""
    rows, columns = (-(-length // BLOCK) * BLOCK for length in picture.shape)
    padded = np.pad(picture, ((0, rows - picture.shape[0]), (0, columns - picture.shape[1])), mode="edge")
    return block_means(padded, BLOCK, BLOCK)
