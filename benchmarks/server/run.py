"""Measure the Prefect server of `make up`: many task runs at once on SQLite. None may be lost, and the database never locked.

`make bench-server ARGS="--runs 1000 --at-once 16"`, while no server is up on its port.
"""

import argparse
import os
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from pathlib import Path

LOCKED = "database is locked"


def main() -> None:
    """Start a server of its own, run the tasks, print the figures, stop it.

    Raises:
        SystemExit: a task run was lost, or the database was locked.
    """
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--runs", type=int, default=1000, help="task runs")
    given.add_argument("--at-once", type=int, default=16, help="task runs under way at the same time")
    given.add_argument("--port", type=int, default=4297, help="port of the server")
    options = given.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(PAGEMILL_RUN_DIR=folder, PAGEMILL_PORT=str(options.port), PREFECT_HOME=f"{folder}/prefect")
        os.environ["PREFECT_LOGGING_LEVEL"] = "WARNING"
        os.environ["PREFECT_API_URL"] = f"http://127.0.0.1:{options.port}/api"
        control("up")
        try:
            seconds, kept = measure(options.runs, options.at_once)
        finally:
            control("down")
        locked = Path(folder, "server.log").read_text("utf-8").count(LOCKED)
    each = 1000 * seconds / options.runs
    print(f"{options.runs} task runs, {options.at_once} at once: {seconds:.1f} s, {each:.1f} ms each")
    print(f"{kept} recorded as completed, database locked {locked} times")
    if kept != options.runs or locked:
        raise SystemExit("task runs were lost, or the database was locked: see above")


def control(verb: str) -> None:
    """Start or stop the server."""
    subprocess.run(["deployments/server.sh", verb], check=True, stdout=subprocess.DEVNULL)


def measure(n: int, at_once: int) -> tuple[float, int]:
    """Run `n` tasks in a flow; return the seconds, and how many the server has as completed within a minute."""
    from prefect import flow, task
    from prefect.client.orchestration import get_client
    from prefect.runtime import flow_run

    @task
    def nothing(number: int) -> int:
        return number

    @flow
    def many() -> str:
        with ThreadPoolExecutor(at_once) as pool:
            done = [pool.submit(copy_context().run, nothing, number) for number in range(n)]
            assert sum(one.result() for one in done) == n * (n - 1) // 2
        return str(flow_run.get_id())

    began = time.monotonic()
    run = many()
    seconds = time.monotonic() - began
    chosen = {"flow_runs": {"id": {"any_": [run]}}, "task_runs": {"state": {"type": {"any_": ["COMPLETED"]}}}}
    with get_client(sync_client=True) as client:
        for _ in range(60):
            kept = int(client.request("POST", "/task_runs/count", json=chosen).json())
            if kept == n:
                break
            time.sleep(1)
    return seconds, kept


if __name__ == "__main__":
    main()
