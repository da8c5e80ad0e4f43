"""The package of docs/sources.md adds a kind of source once it is installed."""

import json
import sys
from pathlib import Path

import pytest

from tests.flows.conftest import Refresh
from tests.flows.corpora import paths
from tests.flows.packages import install_package, read_block

PAGE, HEADING = "docs/sources.md", "A source of your own"


def test_the_package_of_the_guide_adds_its_source(plain: Refresh, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(read_block(PAGE, HEADING, "python").splitlines()) <= 35
    install_package(PAGE, HEADING, "pagemill_notes", tmp_path, monkeypatch)
    notes = tmp_path / "notes.json"
    notes.write_text(json.dumps({"heron": "# Heron\n\nIt waits.", "mill": "The mill turns."}))
    plain(f"notes://{notes}", tmp_path / "corpus")
    assert paths(tmp_path / "corpus") == {"heron.md", "mill.md"}
    assert plain(f"notes://{notes}", tmp_path / "corpus")["outcome"] == "nothing changed"
    sys.modules.pop("pagemill_notes")
