import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.layout.pixels import block_means


@given(st.integers(1, 30), st.integers(1, 30), st.integers(1, 5), st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_means_of_blocks_are_the_means_of_their_pixels(height: int, width: int, down: int, across: int, seed: int) -> None:
    picture = np.random.default_rng(seed).integers(0, 256, (height, width)).astype(np.uint8)
    means = block_means(picture, down, across)
    assert means.dtype == np.float32 and means.shape == (height // down, width // across)
    for (row, column), mean in np.ndenumerate(means):
        block = picture[row * down : (row + 1) * down, column * across : (column + 1) * across]
        assert mean == block.mean(dtype=np.float32)


def test_the_sum_of_a_large_light_block_is_exact() -> None:
    assert block_means(np.full((16, 16), 255, np.uint8), 16, 16).tolist() == [[255.0]]
