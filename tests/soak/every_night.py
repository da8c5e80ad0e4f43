"""Kills at every write of every command, and many long nights: a part of what `make test-soak` runs.

pytest collects this file only where it is named. What was played is added to the file NIGHTS_FIGURES, one JSON object a line.
"""

import json
import os
import sys
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import seed

from tests.soak.kills.forks import Forks
from tests.soak.kills.scenes import SCENES, Scene, Stage
from tests.soak.kills.writes import When
from tests.soak.machine import play_nights

PART, PARTS = (int(number) for number in os.environ.get("NIGHTS_PART", "0/1").split("/"))
RUNS, STEPS = int(os.environ.get("NIGHTS_RUNS", "300")), int(os.environ.get("NIGHTS_STEPS", "30"))
SEED = int(os.environ.get("NIGHTS_SEED", "0"))
AT_ONCE = 10
"""Runs of one seed."""
WHENS: tuple[When, ...] = ("before", "after")


def note(**figures: Any) -> None:
    """Tell how far it is, and add to the figures."""
    sys.stderr.write(f"{json.dumps(figures)}\n")
    if path := os.environ.get("NIGHTS_FIGURES"):
        with Path(path).open("a") as sink:
            sink.write(json.dumps(figures) + "\n")


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_a_command_killed_before_or_after_any_write_ends_as_if_undisturbed(
    forks: Forks, history: Path, tmp_path: Path, scene: Scene
) -> None:
    stage = Stage(forks, history, tmp_path, scene)
    differences, kills = {}, range(PART, 2 * stage.n_writes, PARTS)
    for kill in kills:
        write, when = 1 + kill // 2, WHENS[kill % 2]
        try:
            stage.play(tmp_path / f"{write}-{when}", write, when)
        except AssertionError:
            differences[f"{when} write {write}"] = traceback.format_exc()
            note(command=scene.name, write=write, when=when, difference=traceback.format_exc())
    note(command=scene.name, writes=stage.n_writes, kills=len(kills), differences=len(differences))
    assert not differences, "\n".join(f"{moment}\n{how}" for moment, how in differences.items())


@pytest.mark.parametrize("number", range(SEED + PART, SEED + -(-RUNS // AT_ONCE), PARTS))
def test_a_corpus_is_as_its_model_says_after_long_nights(forks: Forks, tmp_path: Path, number: int) -> None:
    figures: Counter[str] = Counter()
    found = ""
    try:
        play_nights(forks, tmp_path, figures, seed(number), max_examples=min(AT_ONCE, RUNS), stateful_step_count=STEPS)
    except Exception:
        found = traceback.format_exc()
        raise
    finally:
        note(seed=number, nights=figures, differences=int(bool(found)), difference=found)
