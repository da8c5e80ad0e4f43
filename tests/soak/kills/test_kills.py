"""A command that is killed at any of its writes and run again ends as if nothing had happened."""

import shutil
from pathlib import Path

import pytest

from schemas.corpus import Corpus
from tasks.store import lance
from tests.soak.kills.forks import Forks, Order
from tests.soak.kills.scenes import NEEDLES, SCENES, Scene, Stage
from tests.soak.state import kept_states, leftovers, traces

SPREAD = 1
"""Moments of each command, of even distances; `make test-soak` kills before and after all of its writes."""


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_a_command_killed_at_a_write_and_run_again_ends_as_if_undisturbed(
    forks: Forks, history: Path, tmp_path: Path, scene: Scene
) -> None:
    stage = Stage(forks, history, tmp_path, scene)
    moments = {1 + number * stage.n_writes // (SPREAD + 1) for number in range(1, SPREAD + 1)}
    for kill in sorted(moments):
        stage.play(tmp_path / f"{kill}", kill, "before" if kill % 2 else "after")


@pytest.mark.slow
def test_a_clean_up_that_was_killed_is_finished_by_a_refresh_that_has_nothing_else_to_do(
    forks: Forks, history: Path, tmp_path: Path
) -> None:
    (scene,) = [scene for scene in SCENES if scene.name == "refresh"]
    stage = Stage(forks, history, tmp_path, scene)
    for kill in range(stage.n_writes // 3, stage.n_writes, 3):
        corpus = shutil.copytree(stage.before, tmp_path / f"night-{kill}") / "corpus"
        forks.run(stage.order(corpus.parent, kill))
        kept = kept_states(corpus)
        if max(kept) == max(stage.kept) and len(kept) > len(stage.kept):
            break
    assert max(kept) == max(stage.kept) and len(kept) > len(stage.kept), "it was never killed between publication and clean-up"
    assert (forks.run(stage.order(corpus.parent)).outcome or {}).get("outcome") == "nothing changed"
    assert kept_states(corpus) == stage.kept
    assert leftovers(corpus) == []


@pytest.mark.slow
def test_a_purge_that_was_killed_between_the_rows_of_a_log_and_its_files_leaves_no_trace(
    forks: Forks, history: Path, tmp_path: Path
) -> None:
    corpus = shutil.copytree(history, tmp_path / "night") / "corpus"
    lance.open_table(Corpus(str(corpus)), "questions").delete("question_id = 'q2'")
    assert not forks.run(Order("purge", str(corpus), {"path": "secret.txt"})).error
    assert traces(corpus, *NEEDLES) == []
