"""A server that is up with deployments of two corpora, shared by the tests of this folder."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deployments.deployed import Deployed
from tests.deployments.receiver import Receiver
from tests.deployments.servers import Server
from tests.flows.ports import free_port

SECRET = "kelp-and-barnacles"
"""Part of the address that alarms go to."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server that is not started."""
    started = Server(tmp_path / "run", free_port())
    yield started
    started.run("down")


@pytest.fixture(scope="session")
def receiver() -> Iterator[Receiver]:
    """Somebody who is told of alarms."""
    with Receiver() as listening:
        yield listening


@pytest.fixture(scope="session")
def deployed(tmp_path_factory: pytest.TempPathFactory, receiver: Receiver) -> Iterator[Deployed]:
    """A server with a corpus named `reports`, and one named `minutes` without questions, from a file of options."""
    folder = tmp_path_factory.mktemp("deployed")
    server, source, corpus = Server(folder / "run", free_port()), folder / "source", folder / "corpus"
    source.mkdir()
    (source / "seal.txt").write_text("A seal sleeps on the slip of barge Number Three until the tide comes in.\n")
    gold = {"document": "seal.txt", "quote": "barge Number Three"}
    (folder / "questions.jsonl").write_text(json.dumps({"id": "1", "question": "Where does the seal sleep?", "gold": [gold]}))
    (folder / "pagemill.toml").write_text(
        f'[deploy]\ntimezone = "Europe/Berlin"\nallowed_folders = ["{tmp_path_factory.getbasetemp()}"]\n'
        '[corpora.reports]\nsource = "source"\ncorpus = "corpus"\nquestions = "questions.jsonl"\n'
        '[corpora.minutes]\nsource = "minutes"\ncorpus = "minutes-corpus"\nschedule = "30 4 * * 1"\n'
        "[chunk]\nsize_tokens = 200\n"
    )
    server.environment["PAGEMILL_CONFIG"] = str(folder / "pagemill.toml")
    server.environment["PREFECT_SERVER_SERVICES_LATE_RUNS_AFTER_SECONDS"] = "20"
    server.environment["PREFECT_SERVER_LOG_RETRYABLE_ERRORS"] = "true"  # such as a database that is locked
    server.environment["PREFECT_SERVER_DEPLOYMENTS_CONCURRENCY_SLOT_WAIT_SECONDS"] = "2"
    try:
        first, again = server.run("up"), server.run("up")
        assert (first.returncode, again.returncode) == (0, 0), first.stderr
        assert first.stdout.endswith(again.stdout) and "starting a Prefect server" in first.stdout
        done = server.run("deploy", PAGEMILL_NOTIFY_URL=f"{receiver.url}/{SECRET}")
        assert done.returncode == 0, done.stderr
        assert "alarms: failed, crashed, late, refused by the gate, damaged, many rejects, recall fell" in done.stdout
        yield Deployed(server, source, corpus)
    finally:
        server.run("down")
