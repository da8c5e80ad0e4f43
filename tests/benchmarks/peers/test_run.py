"""The comparison with peers divides the right way, and says what is missing."""

from pathlib import Path

import pymupdf
import pytest

from benchmarks.peers.pipelines import Cost, time_command
from benchmarks.peers.run import add_page, add_sentence, peers_folder, table


def test_a_ratio_is_pagemills_clock_divided_by_the_peers() -> None:
    lines = table("title", [("one document changed", {"Pagemill": Cost(3.0, 4.0), "Other": Cost(6.0, 5.0)})])
    assert lines[2:5] == [
        "| step | Pagemill | Other | Other = 1 |",
        "|---|---:|---:|---:|",
        "| one document changed | 3.0 / 4.0 | 6.0 / 5.0 | 0.50 |",
    ]


def test_a_command_that_fails_ends_the_comparison_and_says_why() -> None:
    with pytest.raises(SystemExit, match="no such option"):
        time_command(["sh", "-c", "echo no such option >&2; exit 3"])
    assert time_command(["true"]).wall > 0


def test_an_edit_changes_one_document(tmp_path: Path) -> None:
    with pymupdf.open() as document:
        document.new_page()
        document.save(tmp_path / "a.pdf")
    (tmp_path / "b.txt").write_text("One.\n")
    add_page(tmp_path)
    add_sentence(tmp_path)
    with pymupdf.open(tmp_path / "a.pdf") as document:
        assert len(document) == 2 and "ledger" in document[1].get_text()
    assert (tmp_path / "b.txt").read_text() == "One.\nOne sentence more.\n"


def test_without_the_peers_programs_it_says_what_to_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PAGEMILL_PEERS", str(tmp_path))
    with pytest.raises(SystemExit, match="PAGEMILL_PEERS must name the folder"):
        peers_folder()
