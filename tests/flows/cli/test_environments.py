"""The command line in poor surroundings: an old locale, no home, not root."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(
    os.geteuid() == 0 and shutil.which("setpriv") is None, reason="setpriv of util-linux is not installed"
)
NAME = "prüfung-日本.txt"
MODES_APPLY = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
"""What lets the modes of files apply to root, too, as they do to other users."""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / NAME).write_text("Größe: 日本.", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A home that can be written; what takes seconds to make is kept there."""
    return str(tmp_path_factory.mktemp("home"))


def pagemill(*arguments: str | Path, **surroundings: str) -> subprocess.CompletedProcess[str]:
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    command = [*MODES_APPLY, sys.executable, "-m", "flows.cli", *map(str, arguments)]
    here = {**kept, "HF_HUB_OFFLINE": "1", **surroundings}
    return subprocess.run(command, env=here, capture_output=True, encoding="utf-8", timeout=300)


def planned(source: Path, corpus: Path, **surroundings: str) -> tuple[list[Any], list[str]]:
    """Return the paths that a dry run plans, and the lines of what it warns of."""
    ended = pagemill("refresh", source, "--corpus", corpus, "--dry-run", "--json", **surroundings)
    assert ended.returncode == 0, ended.stderr
    return [line["path"] for line in json.loads(ended.stdout)["plan"]], ended.stderr.splitlines()


@pytest.mark.parametrize(
    "surroundings", [{"LANG": "C"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}, {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0"}]
)
def test_names_are_utf8_whatever_the_locale(source: Path, tmp_path: Path, home: str, surroundings: dict[str, str]) -> None:
    found, _ = planned(source, tmp_path / "corpus", **surroundings, HOME=home)
    assert found == [NAME]


def test_an_encoding_that_is_forced_upon_python_is_refused_with_a_remedy(source: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-X", "utf8=0", "-m", "flows.cli", "refresh", str(source), "--corpus", str(tmp_path / "c")]
    ended = subprocess.run(command, env={**os.environ, "LC_ALL": "C"}, capture_output=True, text=True, timeout=300)
    assert ended.returncode == 1
    assert ended.stderr.startswith("pagemill: file names are read as ") and "PYTHONUTF8=1" in ended.stderr


def test_a_home_that_cannot_be_written_costs_one_line(source: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o500)
    found, warned = planned(source, tmp_path / "corpus", HOME=str(home))
    assert found == [NAME]
    assert len(warned) == 1 and "XDG_CACHE_HOME" in warned[0] and "no permission" in warned[0]


def test_no_home_is_needed(source: Path, tmp_path: Path, home: str) -> None:
    found, warned = planned(source, tmp_path / "corpus", XDG_CACHE_HOME=f"{home}/.cache")
    assert (found, warned) == ([NAME], [])


def test_a_user_without_permission_is_told_so_in_one_line(source: Path, tmp_path: Path, home: str) -> None:
    (tmp_path / "locked").mkdir(mode=0o500)
    ended = pagemill("refresh", source, "--corpus", tmp_path / "locked/corpus", XDG_CACHE_HOME=f"{home}/.cache")
    assert ended.returncode == 1
    assert ended.stderr.splitlines() == [
        f"pagemill: corpus {tmp_path}/locked/corpus cannot be created: "
        "this user has no permission; grant it, or choose another folder"
    ]


def test_a_folder_that_this_user_may_not_enter_is_not_taken_for_a_lost_one(tmp_path: Path) -> None:
    (tmp_path / "chunks.lance").mkdir()
    (tmp_path / "chunks.lance/a.txn").touch()
    (tmp_path / "chunks.lance").chmod(0)
    code = (
        "from schemas.corpus import Corpus\nfrom tasks.store.integrity.digests import stat_files\n"
        f"stat_files(Corpus({str(tmp_path)!r}), ['gone.lance/a', 'chunks.lance/a.txn'])"
    )
    ended = subprocess.run([*MODES_APPLY, sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert f"CorpusError: {tmp_path}/chunks.lance/a.txn cannot be reached" in ended.stderr
