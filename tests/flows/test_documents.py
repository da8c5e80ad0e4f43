import json
from pathlib import Path

import pytest

from flows.cli import main as cli
from tests.tasks.small_corpus import publish_corpus


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("documents") / "corpus"
    publish_corpus(str(folder), {"mill.txt": "The wheel turns.\nIt was mended.", "bay/kelp.txt": "Kelp grows."})
    return folder


def test_documents_are_listed_by_path_with_what_is_known_of_them(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cli.make_cli_application()(["documents", "--corpus", str(corpus), "--json"], standalone_mode=False)
    kelp, mill = json.loads(capsys.readouterr().out)
    assert (kelp["path"], mill["path"]) == ("bay/kelp.txt", "mill.txt")
    assert (mill["n_pages"], mill["n_chunks"], mill["n_chars"], mill["state"]) == (2, 2, 31, "current")
    assert (mill["media_type"], mill["author"], mill["metadata"]) == ("text/plain", "author of mill.txt", {})
    assert "text" not in mill
    cli.make_cli_application()(["documents", "--corpus", str(corpus)], standalone_mode=False)
    assert "bay/kelp.txt" in capsys.readouterr().out


def test_a_condition_narrows_the_list(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cli.make_cli_application()(["documents", "--corpus", str(corpus), "--where", "n_pages > 1", "--json"], standalone_mode=False)
    assert [row["path"] for row in json.loads(capsys.readouterr().out)] == ["mill.txt"]
    cli.make_cli_application()(["documents", "--corpus", str(corpus), "--where", "n_pages > 9"], standalone_mode=False)
    assert capsys.readouterr().out == "no documents\n"
