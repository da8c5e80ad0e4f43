"""A command on a full disk says so, loses nothing, and does its work once there is room."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.interrupts.full_disk import EDITED, TEXTS
from tests.soak.tiny_embedder import make_embedder

N_ROOMS = int(os.environ.get("TEST_ROOMS", "3"))
OWN_MOUNTS = ("unshare", "--user", "--map-root-user", "--mount")
AFTER = {
    "first refresh": {**TEXTS, "b.txt": EDITED},
    "refresh": {**TEXTS, "b.txt": EDITED},
    "purge": {path: text for path, text in TEXTS.items() if path != "secret.txt"},
}


@pytest.mark.slow
@pytest.mark.skipif(
    subprocess.run([*OWN_MOUNTS, "true"], capture_output=True).returncode != 0, reason="no file systems of one's own here"
)
def test_a_full_disk_loses_nothing_and_is_called_that(tmp_path: Path) -> None:
    model = make_embedder(tmp_path / "embedder")
    program = [sys.executable, "-m", "tests.interrupts.full_disk", str(tmp_path), str(model), str(N_ROOMS)]
    done = subprocess.run([*OWN_MOUNTS, *program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    trials = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(trials) == N_ROOMS * len(AFTER)
    assert [trial for trial in trials if trial["after"] != AFTER[trial["command"]]] == []
    assert all("no space left on its disk; free some space" in trial["told"] for trial in trials if trial["told"])
    assert {trial["command"] for trial in trials if trial["told"]} == set(AFTER)
    assert any(not trial["told"] for trial in trials)
