import json
from pathlib import Path

import pyarrow as pa
import pytest

from flows.cli.main import make_cli_application
from schemas.corpus import Corpus
from schemas.errors import InputError
from tasks.publish.io.tags import ensure_live_tags
from tests.tasks.small_corpus import publish_again, publish_corpus


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    folder = str(tmp_path / "corpus")
    publish_corpus(folder, {"a.txt": "The heron waits.", "b.txt": "A ledger."})
    ensure_live_tags(Corpus(folder))
    publish_again(folder, {"b.txt": None, "c.txt": "New."})
    return folder


def call(*arguments: object) -> None:
    make_cli_application()(["changes", *map(str, arguments)], standalone_mode=False)


def test_changes_are_counted_printed_and_streamed(corpus: str, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    call("--corpus", corpus, "--since", 1)
    counts = capsysbinary.readouterr().out.decode().split()
    assert counts[counts.index("documents") :][:3] == ["documents", "1", "1"]
    call("--corpus", corpus, "--since", 1, "--table", "documents", "--rows", "--format", "jsonl")
    rows = [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]
    assert [(row["_change"], row["path"]) for row in rows] == [("removed", None), ("added", "c.txt")]
    call("--corpus", corpus, "--since", 0, "--table", "chunks", "--rows", "--format", "arrow")
    stream = pa.ipc.open_stream(capsysbinary.readouterr().out)
    assert stream.read_all()["text"].to_pylist() == ["The heron waits.", "New."]
    call("--corpus", corpus, "--since", 1, "--json")
    assert {"table": "documents", "removed": 1, "added": 1} in json.loads(capsysbinary.readouterr().out)
    call("--corpus", corpus, "--since", 2)
    assert b"nothing changed" in capsysbinary.readouterr().out


def test_wrong_calls_say_what_to_do(corpus: str) -> None:
    wrong = {
        ("--table", "logs"): "no table of a generation; there are documents",
        ("--format", "csv"): "choose text, jsonl or arrow",
        ("--format", "arrow"): "name it by --table",
        ("--rows",): "--rows needs a form",
        ("--json", "--format", "jsonl"): "--json prints counts",
    }
    for given, message in wrong.items():
        with pytest.raises(InputError, match=message):
            call("--corpus", corpus, "--since", 1, *given)
