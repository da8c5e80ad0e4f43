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


def call(*arguments: object, command: str = "changes") -> object:
    return make_cli_application()([command, *map(str, arguments)], standalone_mode=False)


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


def test_a_destination_that_fails_keeps_no_other_from_its_generation(
    corpus: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    (tmp_path / "note").write_text("A file, not a folder.")
    wrong = {"wrong": "no.module:function", "raises": "operator:index", "file": "note"}
    sections = [f'[deliver.{name}]\nto = "{to}"\n' for name, to in {**wrong, "lake": "lake"}.items()]
    (tmp_path / "pagemill.toml").write_text("".join(sections))
    monkeypatch.chdir(tmp_path)
    assert call("--corpus", corpus, command="deliver") == 1
    assert "wrong: deliver.wrong.to: there is no function no.module:function" in caplog.text
    assert "raises: deliver.raises.to: operator:index failed (TypeError(" in caplog.text and "file: " in caplog.text
    assert capsys.readouterr().out == "lake: generation 2 was delivered, whole\n"
    assert call("--corpus", corpus, "--json", command="deliver") == 1
    *failed, lake = json.loads(capsys.readouterr().out)
    assert [one["destination"] for one in failed] == [*wrong]
    assert lake == {"destination": "lake", "since": 2, "generation": 2}
    assert not call("lake", "--corpus", corpus, command="deliver")
    assert capsys.readouterr().out == "lake: holds generation 2 already\n"
