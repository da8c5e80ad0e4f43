"""Boxes of words: trims what OCR puts around words, such as the height of their whole line, to what is drawn there."""

from collections.abc import Sequence

import numpy as np

from tasks.parse.scans.paper import Mask, Picture, ink_of
from tasks.parse.scans.words import OcrWord

INK = 0.4
"""Darkness, from paper (0) to ink (1), from which a pixel is of a letter."""


def trimmed(words: Sequence[OcrWord], picture: Picture) -> list[OcrWord]:
    """Return words with their boxes without empty rows and columns at the sides; `picture` is dark on light, without rules.

    Sizes, base lines and the gaps between words are measured by boxes.
    """
    dark = ink_of(picture, INK)
    return [_trimmed(word, dark) for word in words]


def _trimmed(word: OcrWord, dark: Mask) -> OcrWord:
    x0, y0, x1, y1 = (max(0, round(edge)) for edge in word.box)
    part = dark[y0:y1, x0:x1]
    rows, columns = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
    if not len(rows):
        return word
    left, top = float(x0 + columns[0]), float(y0 + rows[0])
    return word._replace(box=(left, top, float(x0 + columns[-1] + 1), float(y0 + rows[-1] + 1)))
