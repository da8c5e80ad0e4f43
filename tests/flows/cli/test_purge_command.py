"""The purge command asks first, shows what would go, and reaches what the Prefect server holds."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from flows.cli.main import make_cli_application
from schemas.errors import InputError, ServiceError, UnknownDocument
from tests.flows.conftest import refreshing
from tests.soak.state import live_state


def call(*arguments: object) -> None:
    make_cli_application()([str(argument) for argument in arguments], standalone_mode=False)


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory, tiny_embedder: str) -> Path:
    folder = tmp_path_factory.mktemp("published")
    (folder / "source").mkdir()
    (folder / "source/a.txt").write_text("The heron waits by the weir.")
    (folder / "source/secret.txt").write_text("The key lies under the stone.")
    refreshing(None, embed={"model": tiny_embedder})(folder / "source", folder / "corpus")
    return folder / "corpus"


def test_a_purge_that_nobody_confirmed_is_refused(published: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = live_state(published)
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match=r"delete secret.txt from 1 generations .* give --yes; .* --dry-run"):
        call("purge", "secret.txt", "--corpus", published)
    assert live_state(published) == before


def test_a_purge_asks_on_a_terminal_and_takes_no_for_an_answer(published: Path) -> None:
    before = live_state(published)
    ours, theirs = pty.openpty()
    os.write(ours, b"n\n")
    command = [sys.executable, "-m", "flows.cli", "purge", "secret.txt", "--corpus", str(published)]
    done = subprocess.run(command, stdin=theirs, capture_output=True, text=True, env={**os.environ})
    os.close(ours)
    os.close(theirs)
    assert done.returncode == 1
    assert "Delete secret.txt from 1 generations" in done.stderr and "Aborted" in done.stderr
    assert live_state(published) == before


def test_a_dry_run_shows_what_would_go_and_touches_nothing(published: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = live_state(published)
    call("purge", "secret.txt", "--corpus", published, "--dry-run", "--json")
    told = json.loads(capsys.readouterr().out)
    assert told["generations"][0]["chunks"] == 1 and told["generations"][0]["documents"] == 1
    call("purge", "secret.txt", "--corpus", published, "--dry-run")
    assert "staged files" in capsys.readouterr().out
    assert live_state(published) == before
    with pytest.raises(UnknownDocument, match="no generation of"):
        call("purge", "nobody.txt", "--corpus", published, "--dry-run")


def held_by_server(corpus: Path, name: str) -> list[list[str]]:
    from flows.forget import find_server_traces_of_documents

    return [[str(name) for name in names] for names in find_server_traces_of_documents(str(corpus), [name])]


def test_a_purge_reaches_what_the_prefect_server_holds(
    prefect_api: str, tiny_embedder: str, source: Path, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = {"secret [x].txt": "The key lies under the stone.", "broken secret.txt": "a\0b"}
    for name, text in names.items():
        (source / name).write_text(text)
    refreshing(prefect_api, embed={"model": tiny_embedder}, gate={"max_reject_share": 0.9})(source, corpus)
    for name in names:
        (source / name).unlink()
        artifacts, tasks, runs = held_by_server(corpus, name)
        assert artifacts
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PREFECT_API_URL", prefect_api)
            call("purge", name, "--corpus", corpus, "--yes", "--json")
        assert json.loads(capsys.readouterr().out)["server"] == {"artifacts": artifacts, "task_runs": tasks, "flow_runs": runs}
        assert held_by_server(corpus, name) == [[], [], runs]
    assert held_by_server(corpus, "nobody.txt") == [[], [], []]


def test_a_server_that_fails_is_told_in_one_line(corpus: Path) -> None:
    from prefect.settings import PREFECT_API_URL, temporary_settings

    from flows.forget import find_server_traces_of_documents

    with temporary_settings({PREFECT_API_URL: "http://127.0.0.1:1/api"}), pytest.raises(ServiceError, match="purge again"):
        find_server_traces_of_documents(str(corpus), ["a.txt"])
