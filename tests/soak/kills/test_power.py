"""A command that has ended, or has published, has all of it on the disk: it survives a power failure."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from schemas.tables.generations import VERSIONED
from tests.soak.kills.forks import Forks, Order
from tests.soak.kills.power import files_of, with_folders
from tests.soak.kills.scenes import LENIENT

COMMANDS: dict[str, dict[str, Any]] = {
    "refresh": {"given": LENIENT},
    "rollback": {"generation": 2},
    "purge": {"path": "secret.txt"},
}


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_what_a_command_publishes_is_on_the_disk_before_it_counts(
    forks: Forks, history: Path, tmp_path: Path, command: str
) -> None:
    shutil.copytree(history, tmp_path / "night")
    corpus, source = tmp_path / "night/corpus", tmp_path / "night/source"
    (source / "notes.txt").write_text("The heron stands in the river. The ice has gone.")
    before = files_of(corpus)
    given = {"source": str(source), "model": forks.model} if command == "refresh" else {}
    ended = forks.run(Order("synced", str(corpus), {"command": command, "given": {**given, **COMMANDS[command]}}))
    assert ended.outcome, ended
    new = {path for path, stamp in files_of(corpus).items() if before.get(path) != stamp}
    ours = {path for path in new if Path(path).relative_to(os.path.realpath(corpus)).parts[0].removesuffix(".lance") in VERSIONED}
    data = {path for path in ours if "/_refs/" not in path} if command == "purge" else ours
    private = {os.path.realpath(corpus / ".pagemill")}
    assert data and with_folders(data, before) | private <= set(ended.outcome["before"])
    published = {path for path in new if "/generations.lance/" in path}
    assert published and with_folders(ours | published, before) <= set(ended.outcome["ever"])


def test_what_a_purge_deletes_is_gone_from_the_disk(forks: Forks, history: Path, tmp_path: Path) -> None:
    corpus = shutil.copytree(history / "corpus", tmp_path / "corpus")
    before = files_of(corpus)
    ended = forks.run(Order("synced", str(corpus), {"command": "purge", "given": {"path": "secret.txt"}}))
    assert ended.outcome, ended
    folders = {str(Path(path).parent) for path in before.keys() - files_of(corpus).keys()}
    assert {path for path in folders if os.path.exists(path)} <= set(ended.outcome["ever"])


def test_the_marker_of_a_purge_that_lost_its_power_may_be_cut_short(forks: Forks, history: Path, tmp_path: Path) -> None:
    corpus = shutil.copytree(history / "corpus", tmp_path / "corpus")
    (corpus / ".pagemill/purge.json").write_bytes(b"")
    ended = forks.run(Order("purge", str(corpus), {"path": "secret.txt"}))
    assert ended.outcome, ended
