"""The services of deployments/docker-compose.yml do their work, here as processes: their commands with their variables."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine import make_url

from benchmarks.server.postgres import postgres, programs
from tests.deployments.compose import services
from tests.deployments.deployed import PREFECT
from tests.flows.ports import free_port

PASSWORD = "bladderwrack"
START_SECONDS = 120
pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed")]


class Machine:
    """A machine that runs services as processes, on ports of its own."""

    def __init__(self, folder: Path, database_port: int) -> None:
        self.folder, self.port, self.services = folder, free_port(), services(PAGEMILL_DATABASE_PASSWORD=PASSWORD)
        self._places = {"server:4200": f"127.0.0.1:{self.port}", "127.0.0.1:4200": f"127.0.0.1:{self.port}"}
        self._places |= {"0.0.0.0": "127.0.0.1", "4200": str(self.port), "5432": str(database_port)}

    def command(self, name: str, words: list[str]) -> tuple[list[str], dict[str, str]]:
        """Return a command, and its variables, as the service `name` has them."""
        wanted = self.services[name]["environment"].items()
        given = {key: self._placed(str(value)) for key, value in wanted if value is not None}
        given |= {"PREFECT_SERVER_DATABASE_HOST": "127.0.0.1"} if name == "server" else {}
        own = {
            "PATH": f"{Path('.venv/bin').resolve()}:/usr/bin:/bin",
            "PREFECT_HOME": str(self.folder / name),
            "DO_NOT_TRACK": "1",
        }
        return [self._placed(word) for word in words], {**own, **given}

    def _placed(self, text: str) -> str:
        for there, here in self._places.items():
            if there in text:
                return text.replace(there, here)
        return text

    def call(self, name: str, words: list[str], **more: str) -> subprocess.CompletedProcess[str]:
        command, variables = self.command(name, words)
        return subprocess.run(command, env=variables | more, text=True, capture_output=True, check=False, timeout=300)

    def until(self, name: str, words: list[str], **more: str) -> None:
        """Call a command until it succeeds."""
        began = time.monotonic()
        while (done := self.call(name, words, **more)).returncode:
            assert time.monotonic() - began < START_SECONDS, done.stdout + done.stderr
            time.sleep(1)

    @contextmanager
    def running(self, name: str) -> Iterator[None]:
        """Run a service during the block."""
        command, variables = self.command(name, self.services[name]["command"])
        with (self.folder / f"{name}.log").open("w") as log:
            process = subprocess.Popen(command, env=variables, stdout=log, stderr=log)
        try:
            yield
        finally:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()


def test_a_corpus_is_deployed_and_refreshed_and_the_passwords_stay_with_the_services(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source/tide.txt").write_text("The tide comes in at six.")
    places = {
        "PAGEMILL_SOURCE": str(tmp_path / "source"),
        "PAGEMILL_CORPUS": str(tmp_path / "corpus"),
        "PAGEMILL_NAME": "reports",
    }
    with ExitStack() as stack:
        port = make_url(stack.enter_context(postgres(PASSWORD))).port
        machine = Machine(tmp_path, port or 0)
        stack.enter_context(machine.running("server"))
        machine.until("server", healthcheck(machine.services["server"]))
        stack.enter_context(machine.running("worker"))
        machine.until("deploy", machine.services["deploy"]["command"], **places)
        run = ["deployment", "run", "refresh/refresh-on-demand-reports", "--watch"]
        done = machine.call("worker", [PREFECT.name, *run])
        assert (done.returncode, "Completed" in done.stdout) == (0, True), done.stdout + done.stderr
        stranger = machine.call("worker", [PREFECT.name, "work-pool", "ls"], PREFECT_API_AUTH_STRING="keeper:ebb")
        assert stranger.returncode != 0 and "401" in stranger.stdout + stranger.stderr
    assert (tmp_path / "corpus/chunks.lance").is_dir()
    assert not list(tmp_path.rglob("prefect.db")), "the server keeps its runs in the database of the file"
    for word in (PASSWORD, "keeper:tide"):
        assert [path for path in tmp_path.rglob("*") if path.is_file() and word.encode() in path.read_bytes()] == []


def healthcheck(service: dict[str, Any]) -> list[str]:
    """Return the command of a service's health check."""
    kind, *command = service["healthcheck"]["test"]
    assert kind == "CMD"
    return [str(word) for word in command]
