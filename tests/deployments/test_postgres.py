"""The server of `make up` on PostgreSQL, instead of SQLite."""

import secrets
from pathlib import Path

import psutil
import pytest

from benchmarks.server.postgres import postgres, programs
from tests.deployments.deployed import Deployed, environment_of
from tests.deployments.servers import Server

pytestmark = [pytest.mark.slow, pytest.mark.long]


@pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed")
def test_runs_and_deployments_are_kept_there_and_only_the_server_knows_its_password(server: Server, tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source/tide.txt").write_text("The tide comes in at six.")
    places = {"PAGEMILL_SOURCE": str(tmp_path / "source"), "PAGEMILL_CORPUS": str(tmp_path / "corpus")}
    password = secrets.token_hex(16)
    with postgres(password) as address:
        database = {"PREFECT_SERVER_DATABASE_CONNECTION_URL": address}
        try:
            up = server.run("up", **database)
            assert up.returncode == 0, up.stderr
            assert server.run("deploy", PAGEMILL_NAME="reports", **places).returncode == 0
            here = Deployed(server, tmp_path / "source", tmp_path / "corpus")
            run = here.start("refresh/refresh-on-demand-reports")
            assert here.await_end(run)["state_name"] == "Completed"
            knowing = [process.pid for process in psutil.process_iter() if password in str(environment_of(process).values())]
            assert knowing == [server.pid("server")]
            assert server.run("down").returncode == 0
            assert server.run("up", **database).returncode == 0
            assert server.get(f"flow_runs/{run}")["state_name"] == "Completed"
        finally:
            server.run("down")
    assert not (server.run_dir / "prefect/prefect.db").exists()
    assert [str(path) for path in server.run_dir.rglob("*") if path.is_file() and password.encode() in path.read_bytes()] == []
