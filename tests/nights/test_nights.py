"""Any nights, in any order: the corpus is as its model says after each of them."""

import json
import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.nights.forks import Forks
from tests.nights.machine import NightMachine

RUNS, STEPS = 15, 12


@pytest.mark.slow
def test_a_corpus_is_as_its_model_says_after_any_nights(forks: Forks, tmp_path: Path) -> None:
    figures: Counter[str] = Counter()
    chosen = settings(
        max_examples=int(os.environ.get("NIGHTS_RUNS", RUNS)),
        stateful_step_count=int(os.environ.get("NIGHTS_STEPS", STEPS)),
        derandomize="NIGHTS_SEED" not in os.environ,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        print_blob=True,
        suppress_health_check=list(HealthCheck),
    )

    class Machine(NightMachine):
        def __init__(self) -> None:
            super().__init__(forks, tmp_path, figures)

    try:
        run_state_machine_as_test(Machine, settings=chosen)
    finally:
        print(json.dumps(figures))  # noqa: T201
