"""Any nights, in any order: the corpus is as its model says after each of them."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import seed

from tests.soak.kills.forks import Forks
from tests.soak.machine import play_nights

SEED = 2
"""Of six nights in which refreshes and purges are killed often; `make test-soak` plays 300 longer ones."""


@pytest.mark.slow
def test_a_corpus_is_as_its_model_says_after_any_nights(forks: Forks, tmp_path: Path) -> None:
    figures: Counter[str] = Counter()
    play_nights(forks, tmp_path, figures, seed(SEED), max_examples=6, stateful_step_count=10)
    assert sum(n for name, n in figures.items() if name.startswith("killed")) > 5
