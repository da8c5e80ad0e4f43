import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import psutil
import pytest

from schemas.corpus import Corpus
from tasks.store import lance
from tasks.store.locks import held
from tests.deployments.servers import Server, pretended
from tests.flows.ports import free_port

PREFECT = Path(".venv/bin/prefect")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    started = Server(tmp_path / "run", free_port())
    yield started
    started.run("down")


def test_a_taken_port_is_told_and_nothing_is_started(server: Server) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", server.port))
        other.listen()
        done = server.run("up")
    assert done.returncode != 0
    assert f"port {server.port} is taken by another program" in done.stderr
    assert not list(server.run_dir.glob("*.pid"))


def test_down_spares_a_process_that_got_a_recycled_pid(server: Server) -> None:
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    with subprocess.Popen(["sleep", "600"]) as other:
        try:
            server.run_dir.mkdir()
            (server.run_dir / "server.pid").write_text(f"{other.pid} {boot} 1\n")
            done = server.run("down")
            assert (done.returncode, other.poll()) == (0, None)
        finally:
            other.kill()
    assert not (server.run_dir / "server.pid").exists()


def test_without_a_server_status_says_so_and_down_and_deploy_do_no_harm(server: Server) -> None:
    said = server.run("status").stdout
    assert said.startswith("server: not running\nworker: not running\nprocesses that read documents: ")
    assert re.search(r"no network \(namespaces\)|with network, because", said)
    assert server.run("down").returncode == 0
    assert "run make up first" in server.run("deploy").stderr


class Deployed(NamedTuple):
    """A server with deployments of one corpus, named `reports`, for the tests of this module."""

    server: Server
    source: Path
    corpus: Path

    def start(self, deployment: str) -> str:
        """Create a run of a deployment; return its id."""
        found = self.server.get(f"deployments/name/{deployment}")
        run: str = self.server.post(f"deployments/{found['id']}/create_flow_run", {})["id"]
        return run

    def await_run(self) -> dict[str, Any]:
        """Wait until a run is under way; return it."""
        under_way = {"flow_runs": {"state": {"type": {"any_": ["RUNNING"]}}}}
        for _ in range(600):
            if found := self.server.post("flow_runs/filter", under_way):
                return dict(found[0])
            time.sleep(0.2)
        raise AssertionError("no run began")


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployed]:
    folder = tmp_path_factory.mktemp("deployed")
    server, source, corpus = Server(folder / "run", free_port()), folder / "source", folder / "corpus"
    source.mkdir()
    (source / "seal.txt").write_text("A seal sleeps on the slip of barge Number Three until the tide comes in.\n")
    gold = {"document": "seal.txt", "quote": "barge Number Three"}
    (folder / "questions.jsonl").write_text(json.dumps({"id": "1", "question": "Where does the seal sleep?", "gold": [gold]}))
    try:
        first, again = server.run("up"), server.run("up")
        assert (first.returncode, again.returncode) == (0, 0), first.stderr
        assert first.stdout.endswith(again.stdout) and "starting a Prefect server" in first.stdout
        places = {
            "PAGEMILL_SOURCE": str(source),
            "PAGEMILL_CORPUS": str(corpus),
            "PAGEMILL_QUESTIONS": f"{folder}/questions.jsonl",
        }
        done = server.run("deploy", PAGEMILL_NAME="reports", PAGEMILL_TIMEZONE="Europe/Berlin", **places)
        assert done.returncode == 0, done.stderr
        yield Deployed(server, source, corpus)
    finally:
        server.run("down")


@pytest.mark.slow
def test_a_server_with_a_login_answers_nobody_else(server: Server) -> None:
    login = {"PREFECT_SERVER_API_AUTH_STRING": "keeper:tide"}
    done = server.run("up", **login)
    assert done.returncode == 0, done.stdout + done.stderr
    assert server.run_dir.stat().st_mode & 0o077 == 0
    with pytest.raises(urllib.error.HTTPError, match="401"):
        server.post("flows/filter", {})
    listed = server.call(PREFECT, "work-pool", "ls", PREFECT_API_AUTH_STRING="keeper:tide")
    assert (listed.returncode, "pagemill" in listed.stdout) == (0, True), listed.stderr


@pytest.mark.slow
def test_deployments_of_a_corpus_have_its_name_its_hour_and_its_tag(deployed: Deployed) -> None:
    found = {entry["name"]: entry for entry in deployed.server.post("deployments/filter", {})}
    assert set(found) == {"refresh-nightly-reports", "refresh-on-demand-reports", "evaluate-on-demand-reports"}
    [schedule] = found["refresh-nightly-reports"]["schedules"]
    assert (schedule["schedule"]["cron"], schedule["schedule"]["timezone"]) == ("0 2 * * *", "Europe/Berlin")
    assert all(entry["tags"] == ["corpus:reports"] for entry in found.values())


@pytest.mark.slow
def test_a_nightly_run_waits_for_its_corpus_outlives_its_worker_evaluates_and_can_be_followed(deployed: Deployed) -> None:
    server, corpus = deployed.server, str(deployed.corpus)
    with held(Corpus(corpus).lock("refresh"), 0, "a test"):
        following = server.begin(PREFECT, "deployment", "run", "nightly/refresh-nightly-reports", "--watch")
        run = deployed.await_run()
        os.kill(server.pid("worker"), signal.SIGKILL)
    told, _ = following.communicate(timeout=300)
    assert (following.returncode, "Completed" in told) == (0, True), told
    assert run["parameters"]["corpus"] == corpus
    assert {"nightly", "refresh", "evaluate"} <= {found["name"] for found in server.post("flows/filter", {})}
    assert server.post("task_runs/filter", {"task_runs": {"name": {"like_": "log metrics"}}})
    found = json.loads(server.call(PREFECT.with_name("pagemill"), "status", "--corpus", corpus, "--json").stdout)
    assert (found["generation"], found["n_documents"]) == (1, 1)
    assert lance.open_table(Corpus(corpus), "metrics").count_rows() > 0


@pytest.mark.slow
def test_down_ends_a_run_under_way_in_an_orderly_way_and_leaves_no_process(deployed: Deployed) -> None:
    server = deployed.server
    assert server.run("up").returncode == 0
    (deployed.source / "tide.txt").write_text("The tide comes in at six.")
    with held(Corpus(str(deployed.corpus)).lock("refresh"), 0, "a test"):
        run = deployed.start("refresh/refresh-on-demand-reports")
        assert deployed.await_run()["id"] == run
        [flow] = [entry for entry in psutil.process_iter() if environment_of(entry).get("PREFECT__FLOW_RUN_ID") == run]
        down = server.run("down")
    assert "ending 1 flow runs under way" in down.stdout and "stopped the server" in down.stdout
    assert not flow.is_running()
    assert server.run("status").returncode != 0
    with sqlite3.connect(server.run_dir / "prefect/prefect.db") as database:
        states = database.execute("SELECT state_type FROM flow_run WHERE id = ?", (str(UUID(run)),)).fetchall()
    assert states == [("CRASHED",)]


def environment_of(process: psutil.Process) -> dict[str, str]:
    try:
        found: dict[str, str] = process.environ()
        return found
    except psutil.Error:
        return {}


def test_a_name_or_a_schedule_that_cannot_be_is_told_before_anything_is_deployed(server: Server) -> None:
    wrong = {
        "PAGEMILL_NAME": ("a b", "NAME=a b: use letters"),
        "PAGEMILL_SCHEDULE": ("0 25 * * *", 'PAGEMILL_SCHEDULE="0 25 * * *" is not a cron expression'),
        "PAGEMILL_TIMEZONE": ("Europe/Berlim", "PAGEMILL_TIMEZONE=Europe/Berlim is not a time zone: did you mean Europe/Berlin?"),
    }
    with pretended(server.port):
        for variable, (value, message) in wrong.items():
            done = server.run("deploy", PAGEMILL_SOURCE="a", PAGEMILL_CORPUS="b", **{variable: value})
            assert (done.returncode, done.stdout) == (1, "")
            assert message in done.stderr and done.stderr.count("\n") == 1
