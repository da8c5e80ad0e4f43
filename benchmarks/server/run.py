"""Measure the Prefect server of `make up`, on SQLite and PostgreSQL: many task runs, and many flow runs created at once.

No server may be up on its port. PostgreSQL is measured if it is installed.
"""

import argparse
import os
import subprocess
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from pathlib import Path

from benchmarks.server.login import headers_for, login_of
from benchmarks.server.postgres import postgres, programs

LOCKED = "database is locked"
CREATED = 201
DATABASE = "PREFECT_SERVER_DATABASE_CONNECTION_URL"


def main() -> None:
    """Start a server of its own for each database, run the tasks, print the figures, stop it.

    Raises:
        SystemExit: a task run was lost, the server refused a run, or a database was locked.
    """
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--runs", type=int, default=1000, help="task runs")
    given.add_argument("--at-once", type=int, default=16, help="task runs under way at the same time")
    given.add_argument("--port", type=int, default=4297, help="port of the server")
    options = given.parse_args()
    wrong = measure_on("SQLite", "", options)
    if programs():
        with postgres() as address:
            wrong += measure_on("PostgreSQL", address, options)
    if wrong:
        raise SystemExit(f"not as it should be: {', '.join(wrong)}")


def measure_on(name: str, address: str, options: argparse.Namespace) -> list[str]:
    """Measure a server with a database; print the figures, and return what is not as it should be."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(PAGEMILL_RUN_DIR=folder, PAGEMILL_PORT=str(options.port), PREFECT_HOME=f"{folder}/prefect")
        os.environ |= {"PREFECT_LOGGING_LEVEL": "WARNING", "PREFECT_SERVER_LOG_RETRYABLE_ERRORS": "true"}
        os.environ |= {DATABASE: address} if address else {}
        os.environ["PREFECT_API_URL"] = f"http://127.0.0.1:{options.port}/api"
        control("up")
        os.environ["PREFECT_API_AUTH_STRING"] = login_of(Path(folder))
        try:
            seconds, kept = run_tasks(options.runs, options.at_once)
            creating, answers = create_runs(options.runs, options.at_once)
        finally:
            control("down")
        locked = Path(folder, "server.log").read_text("utf-8").count(LOCKED)
    print(f"{name}, {options.at_once} at once:")
    print(f"  {options.runs} task runs: {1000 * seconds / options.runs:.1f} ms each, {kept} recorded as completed")
    print(f"  {options.runs} flow runs created: {1000 * creating / options.runs:.1f} ms each, answers {answers}")
    print(f"  {locked} lines about a locked database", flush=True)
    lost = [f"{name}: {options.runs - kept} task runs were lost"] if kept != options.runs else []
    refused = [f"{name}: runs were refused"] if set(answers) != {CREATED} else []
    return [*lost, *refused, *([f"{name}: locked {locked} times"] if locked else [])]


def control(verb: str) -> None:
    """Start or stop the server."""
    subprocess.run(["deployments/server.sh", verb], check=True, stdout=subprocess.DEVNULL)


def run_tasks(n: int, at_once: int) -> tuple[float, int]:
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


def create_runs(n: int, at_once: int) -> tuple[float, dict[int, int]]:
    """Create `n` flow runs as the UI does, which asks once; return the seconds, and how many answers had each HTTP status."""
    import httpx

    url, login = os.environ["PREFECT_API_URL"], os.environ["PREFECT_API_AUTH_STRING"]
    with httpx.Client(base_url=url, headers=headers_for(url, login), timeout=120) as client:
        body = {"flow_id": client.post("/flows/", json={"name": "idle"}).json()["id"], "state": {"type": "SCHEDULED"}}
        began = time.monotonic()
        with ThreadPoolExecutor(at_once) as pool:
            answers = Counter(pool.map(lambda _: client.post("/flow_runs/", json=body).status_code, range(n)))
    return time.monotonic() - began, dict(answers)


if __name__ == "__main__":
    main()
