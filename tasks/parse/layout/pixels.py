"""Pixels of the pictures of pages."""

from typing import Any

import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
Means = npt.NDArray[np.float32]


def block_means(picture: Picture, down: int, across: int) -> Means:
    """Return the means of the blocks of a picture, `down` rows and `across` columns large; pixels left over at its ends are cut.

    Adding the blocks' first pixels, then their second, and so on, takes a tenth of the time of `mean` over axes that short.
    The sums of up to 257 pixels are exact.
    """
    rows, columns = picture.shape[0] // down * down, picture.shape[1] // across * across
    sums: Any = np.zeros((rows // down, columns // across), np.uint16)
    for row in range(down):
        for column in range(across):
            sums += picture[row:rows:down, column:columns:across]
    means: Means = sums / np.float32(down * across)
    return means
