"""The package of docs/sources.md adds a kind of source once it is installed."""

import importlib
import json
import re
import sys
from pathlib import Path

import pytest

from tests.flows.conftest import Refresh
from tests.flows.corpora import paths

PAGE = Path("docs/sources.md").read_text()


def block(kind: str) -> str:
    found = re.search(rf"```{kind}\n(.*?)```", PAGE.partition("## A source of your own")[2], re.DOTALL)
    assert found
    return found[1]


def test_the_package_of_the_guide_adds_its_source(plain: Refresh, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(block("python").splitlines()) <= 35
    package, site = tmp_path / "package", tmp_path / "site"
    package.mkdir()
    (package / "pyproject.toml").write_text(block("toml"))
    (package / "pagemill_notes.py").write_text(block("python"))
    install(package, site)
    monkeypatch.syspath_prepend(site)
    importlib.invalidate_caches()
    notes = tmp_path / "notes.json"
    notes.write_text(json.dumps({"heron": "# Heron\n\nIt waits.", "mill": "The mill turns."}))
    plain(f"notes://{notes}", tmp_path / "corpus")
    assert paths(tmp_path / "corpus") == {"heron.md", "mill.md"}
    assert plain(f"notes://{notes}", tmp_path / "corpus")["outcome"] == "nothing changed"
    sys.modules.pop("pagemill_notes")


def install(package: Path, site: Path) -> None:
    """Install a package into a folder, without the network: its build needs setuptools alone."""
    import subprocess

    command = [str(Path(sys.prefix) / "bin/uv"), "pip", "install", "--quiet", "--offline", "--no-build-isolation", "--no-deps"]
    subprocess.run([*command, "--target", str(site), str(package)], check=True)
