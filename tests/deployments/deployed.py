"""A server with deployments, as tests use it."""

import time
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from tests.deployments.servers import Server

PREFECT = Path(".venv/bin/prefect")
ENDED = ("COMPLETED", "FAILED", "CRASHED", "CANCELLED")


class Deployed(NamedTuple):
    """A server with deployments of one corpus, named `reports`."""

    server: Server
    source: Path
    corpus: Path

    def start(self, deployment: str, **parameters: Any) -> str:
        """Create a run of a deployment; return its id."""
        found = self.server.get(f"deployments/name/{deployment}")
        run: str = self.server.post(f"deployments/{found['id']}/create_flow_run", {"parameters": parameters})["id"]
        return run

    def await_run(self) -> dict[str, Any]:
        """Wait until a run is under way; return it."""
        under_way = {"flow_runs": {"state": {"type": {"any_": ["RUNNING"]}}}}
        for _ in range(600):
            if found := self.server.post("flow_runs/filter", under_way):
                return dict(found[0])
            time.sleep(0.2)
        raise AssertionError("no run began")

    def await_state(self, run: str, *states: str) -> dict[str, Any]:
        """Wait until a run is in one of `states`, by type or name; return it."""
        for _ in range(600):
            found = self.server.get(f"flow_runs/{run}")
            if {found["state_type"], found["state_name"]} & set(states):
                return dict(found)
            time.sleep(0.2)
        raise AssertionError(f"run {run} is {found['state_name']}: {found['state']['message']}")

    def await_end(self, run: str) -> dict[str, Any]:
        """Wait until a run has ended; return it."""
        return self.await_state(run, *ENDED)


def process_of(run: str) -> psutil.Process:
    """Return the process of a flow run."""
    for _ in range(100):
        for entry in psutil.process_iter():
            if environment_of(entry).get("PREFECT__FLOW_RUN_ID") == run:
                return entry
        time.sleep(0.1)
    raise AssertionError(f"no process of run {run}")


def environment_of(process: psutil.Process) -> dict[str, str]:
    """Return the variables that a process was started with; none if it has ended."""
    try:
        found: dict[str, str] = process.environ()
        return found
    except psutil.Error:
        return {}
