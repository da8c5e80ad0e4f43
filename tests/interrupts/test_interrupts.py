"""A command that is interrupted ends soon, leaves nothing behind, and does its work when it is run again."""

import os
import signal
from collections import Counter
from pathlib import Path

import pytest

from tests.interrupts.trials import END_SECONDS, SIGNALS, Scene, Trial, attempt, drawn_trials
from tests.soak.tiny_embedder import make_embedder

N_TRIALS = int(os.environ.get("TEST_INTERRUPTS", "0"))
SEED = int(os.environ.get("TEST_SEED", "20261122"))


@pytest.fixture(scope="module")
def scene(prefect_api: str, tmp_path_factory: pytest.TempPathFactory) -> Scene:
    folder = tmp_path_factory.mktemp("interrupts")
    return Scene(folder, str(make_embedder(folder / "embedder")), prefect_api)


@pytest.mark.slow
@pytest.mark.parametrize("number", SIGNALS[-2:], ids=lambda number: number.name)
def test_an_interrupted_refresh_ends_soon_and_leaves_nothing_behind(scene: Scene, tmp_path: Path, number: signal.Signals) -> None:
    trace = attempt(scene, Trial("refresh", number), tmp_path / "trial")
    assert trace.left == []
    assert trace.code == (-number if number == signal.SIGKILL else 128 + number)
    assert trace.waited < END_SECONDS
    assert ("pagemill: interrupted" in trace.told) == (number != signal.SIGKILL)


@pytest.mark.skipif(not N_TRIALS, reason="make test-interrupts runs it")
def test_nothing_is_left_after_interrupts_at_random_moments(
    scene: Scene, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trials = drawn_trials(N_TRIALS, SEED)
    traces = [attempt(scene, trial, tmp_path / f"{number}") for number, trial in enumerate(trials)]
    told = Counter(f"{trial.command} by {trial.signal.name}" for trial in trials)
    in_time = sum(trace.code != 0 for trace in traces)
    with capsys.disabled():
        print("", *(f"{name}: {n}" for name, n in sorted(told.items())), sep="\n")  # noqa: T201
        slowest = max(trace.waited for trace in traces)
        print(f"{len(trials)} signals, {in_time} before the end; slowest end {slowest:.1f} s (seed {SEED})")  # noqa: T201
    assert [(trial, trace) for trial, trace in zip(trials, traces, strict=True) if trace.left] == []
    assert max(trace.waited for trace in traces) < END_SECONDS
