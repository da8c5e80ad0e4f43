import struct
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from expectations.profiles import length_profile
from tasks.publish.histogram import histogram_png

COUNTS = dict(Counter(np.random.default_rng(0).integers(1, 256, 500).tolist()))


@pytest.mark.parametrize("lengths", [COUNTS, {3: 1}, {}, {300: 1}])
@pytest.mark.parametrize("reference", [None, length_profile(COUNTS, 256)])
def test_a_histogram_is_a_png_of_the_stated_size(lengths: dict[int, int], reference: object) -> None:
    png = histogram_png(lengths, reference, 256)  # type: ignore[arg-type]
    assert png.startswith(b"\x89PNG")
    assert struct.unpack(">II", png[16:24]) == (960, 480)


def test_the_same_lengths_give_the_same_picture_in_every_thread() -> None:
    with ThreadPoolExecutor(4) as pool:
        pictures = list(pool.map(lambda _: histogram_png(COUNTS, length_profile(COUNTS, 256), 256), range(8)))
    assert len(set(pictures)) == 1


def test_a_histogram_leaves_no_figure_with_pyplot() -> None:
    import matplotlib.pyplot as plt

    histogram_png(COUNTS, None, 256)
    assert plt.get_fignums() == []
