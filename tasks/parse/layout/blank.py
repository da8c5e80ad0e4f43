"""Blank pages: whether the picture of a page shows only paper."""

import numpy as np

from tasks.parse.layout.pixels import Picture

PIXEL, TILE = 3, 33
"""Sides in pixels at about 100 dpi: of the smallest mark that counts, and of an area of paper with one shade."""
MARK = 16
"""Of 256 shades. A mark differs from the paper around it by at least this; paper texture and show-through by less."""
SPECK, MAX_SPECKS = 40, 2e-4
"""A single pixel that differs by more shades is a speck of dust. A page with a larger share of specks is not blank."""


def is_paper(picture: Picture) -> bool:
    """Return whether a grey picture of a page, at about 100 dpi, shows blank paper: no mark, and very few specks."""
    height, width = (max(1, -(-side // TILE)) * TILE for side in picture.shape)
    whole = np.pad(picture, ((0, height - picture.shape[0]), (0, width - picture.shape[1])), mode="edge")
    tiles = whole.reshape(height // TILE, TILE, width // TILE, TILE).swapaxes(1, 2).astype(np.float32)
    differences = tiles - np.median(tiles, axis=(2, 3), keepdims=True)
    if np.mean(np.abs(differences) > SPECK) > MAX_SPECKS:
        return False
    n = TILE // PIXEL
    marks = differences.reshape(*differences.shape[:2], n, PIXEL, n, PIXEL).mean(axis=(3, 5))
    return bool(np.abs(marks).max() < MARK)
