import json
import os
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.flows.ports import free_port

PREFECT = Path(".venv/bin/prefect")


class Server:
    """`deployments/server.sh` with a place and a port of its own."""

    def __init__(self, run_dir: Path, port: int) -> None:
        self.run_dir, self.port = run_dir, port
        self.url = f"http://127.0.0.1:{port}/api"
        own = {"PAGEMILL_RUN_DIR": str(run_dir), "PAGEMILL_PORT": str(port), "PREFECT_API_URL": self.url}
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PREFECT_", "PAGEMILL_"))}
        self.environment = {**kept, **own, "PREFECT_HOME": str(run_dir / "prefect"), "COLUMNS": "200"}

    def call(self, *command: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
        environment = {**self.environment, **more}
        return subprocess.run(command, env=environment, text=True, capture_output=True, check=False, timeout=300)

    def run(self, verb: str, **more: str) -> subprocess.CompletedProcess[str]:
        return self.call("deployments/server.sh", verb, **more)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        head = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.url}/{path}", json.dumps(body).encode(), head)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)


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
    assert server.run("status").stdout == "server: not running\nworker: not running\n"
    assert server.run("down").returncode == 0
    assert "make up first" in server.run("deploy").stderr


@pytest.mark.slow
def test_a_deployed_refresh_runs_on_demand_and_can_be_followed(server: Server, tmp_path: Path) -> None:
    source, corpus = tmp_path / "source", tmp_path / "corpus"
    source.mkdir()
    (source / "seal.txt").write_text("A seal sleeps on the slip of barge Number Three until the tide comes in.\n")
    first, again = server.run("up"), server.run("up")
    assert (first.returncode, first.stdout) == (0, again.stdout), first.stderr
    deployed = server.run("deploy", PAGEMILL_SOURCE=str(source), PAGEMILL_CORPUS=str(corpus), PAGEMILL_QUESTIONS="q.jsonl")
    assert deployed.returncode == 0, deployed.stderr

    parameters = ("--param", f"source={source}", "--param", f"corpus={corpus}")
    watched = server.call(PREFECT, "deployment", "run", "refresh/refresh-on-demand", *parameters, "--watch")
    assert watched.returncode == 0, watched.stdout
    assert "Completed" in watched.stdout
    runs = server.post("flow_runs/filter", {"flow_runs": {"state": {"type": {"any_": ["COMPLETED"]}}}})
    assert [run["parameters"]["source"] for run in runs] == [str(source)]
    assert server.post("task_runs/filter", {"flow_runs": {"id": {"any_": [runs[0]["id"]]}}})
    found = json.loads(server.call(PREFECT.with_name("pagemill"), "status", "--corpus", corpus, "--json").stdout)
    assert (found["generation"], found["n_documents"]) == (1, 1)

    down = server.run("down")
    assert "stopped the worker" in down.stdout and "stopped the server" in down.stdout
    assert server.run("status").returncode != 0
