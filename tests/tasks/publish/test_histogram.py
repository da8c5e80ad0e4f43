import re
from collections import Counter

import numpy as np
import pytest

from expectations.lengths import Profile, make_profile
from tasks.publish.histogram import draw_histogram

COUNTS = dict(Counter(np.random.default_rng(0).integers(1, 256, 500).tolist()))


@pytest.mark.parametrize("lengths", [COUNTS, {3: 1}, {}, {300: 1}])
@pytest.mark.parametrize("reference", [None, make_profile(COUNTS, 256)])
def test_a_histogram_counts_every_chunk(lengths: dict[int, int], reference: Profile | None) -> None:
    drawn = draw_histogram(lengths, reference, 256)
    assert "nan" not in drawn
    counted = re.findall(r"<title>\S+ to \S+: ([\d,]+)</title>", drawn)
    assert sum(int(n.replace(",", "")) for n in counted) == sum(lengths.values())
    assert ("last generation, 500 chunks, scaled" in drawn) == bool(reference and lengths)
