"""A command that is killed at any of its writes and run again ends as if nothing had happened."""

from pathlib import Path

import pytest

from tests.nights.forks import Forks
from tests.nights.scenes import SCENES, Scene, Stage

SPREAD = 2
"""Moments of each command; `make test-nights` kills at all of its writes."""


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_a_command_killed_at_a_write_and_run_again_ends_as_if_undisturbed(
    forks: Forks, history: Path, tmp_path: Path, scene: Scene
) -> None:
    stage = Stage(forks, history, tmp_path, scene)
    moments = {1 + number * stage.n_writes // (SPREAD + 1) for number in range(1, SPREAD + 1)}
    for kill in sorted(moments):
        stage.play(tmp_path / f"{kill}", kill, "before" if kill % 2 else "after")
