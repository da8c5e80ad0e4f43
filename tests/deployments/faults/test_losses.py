"""A schedule is kept, and neither a killed worker nor a killed server loses a run that is waiting."""

import os
import signal
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from schemas.corpus import Corpus
from tasks.store import published
from tests.deployments.deployed import Deployed
from tests.deployments.servers import Server

pytestmark = [pytest.mark.slow, pytest.mark.long]
RUNS, AHEAD_SECONDS = 4, 15


@pytest.fixture
def up(server: Server, tmp_path: Path) -> Deployed:
    """A server that is up, with deployments of one corpus that is refreshed every minute."""
    source, corpus = tmp_path / "source", tmp_path / "corpus"
    source.mkdir()
    (source / "tide.txt").write_text("The tide comes in at six.")
    server.environment["PREFECT_SERVER_DEPLOYMENTS_CONCURRENCY_SLOT_WAIT_SECONDS"] = "2"
    assert server.run("up").returncode == 0
    places = {"PAGEMILL_NAME": "reports", "PAGEMILL_SOURCE": str(source), "PAGEMILL_CORPUS": str(corpus)}
    done = server.run("deploy", PAGEMILL_SCHEDULE="* * * * *", **places)
    assert done.returncode == 0, done.stderr
    return Deployed(server, source, corpus)


def test_a_schedule_fires_by_itself(up: Deployed) -> None:
    chosen = {
        "flow_runs": {"state": {"type": {"any_": ["COMPLETED"]}}},
        "deployments": {"name": {"any_": ["refresh-nightly-reports"]}},
    }
    for _ in range(150):
        if found := up.server.post("flow_runs/filter", chosen):
            break
        time.sleep(1)
    assert found[0]["auto_scheduled"] and found[0]["created_by"]["type"] == "SCHEDULE"
    live = published.read_live_generation(Corpus(str(up.corpus)))
    assert live is not None and live.generation == 1


def test_a_killed_worker_and_a_killed_server_lose_no_run_that_waits(up: Deployed) -> None:
    server = up.server
    deployment = server.get("deployments/name/refresh/refresh-on-demand-reports")["id"]
    due = (datetime.now(UTC) + timedelta(seconds=AHEAD_SECONDS)).isoformat()
    state = {"type": "SCHEDULED", "state_details": {"scheduled_time": due}}
    waiting = [server.post(f"deployments/{deployment}/create_flow_run", {"state": state})["id"] for _ in range(RUNS)]
    for name in ("worker", "server"):
        os.kill(server.pid(name), signal.SIGKILL)
    assert server.run("status").returncode != 0
    assert server.run("up").returncode == 0
    assert [up.await_end(run)["state_type"] for run in waiting] == ["COMPLETED"] * RUNS
    os.kill(server.pid("worker"), signal.SIGKILL)
    later = up.start("refresh/refresh-on-demand-reports")
    time.sleep(5)
    assert server.get(f"flow_runs/{later}")["state_type"] == "SCHEDULED"
    assert server.run("up").returncode == 0
    assert up.await_end(later)["state_type"] == "COMPLETED"
    assert server.post("flow_runs/count", {"flow_runs": {"state": {"type": {"any_": ["FAILED", "CRASHED", "CANCELLED"]}}}}) == 0
