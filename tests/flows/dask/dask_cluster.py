"""A Dask cluster of real processes: a scheduler, and workers that share with the flow nothing but source and corpus."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

START_SECONDS = 60
END_SECONDS = 15


class DaskCluster:
    """A scheduler and its workers, each in a process with a home, a folder for temporary files and a log of its own."""

    def __init__(self, folder: Path, variables: Mapping[str, str] | None = None, nanny: bool = False) -> None:
        """`variables` are added to the environment of all processes, blank ones taken out; a `nanny` starts each worker."""
        self.folder, self._variables = folder, dict(variables or {})
        self._nanny = "--nanny" if nanny else "--no-nanny"
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self._start("scheduler", "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self.address = self._line("scheduler", "Scheduler at:").split()[-1]

    def add_worker(self, name: str, *arguments: str, variables: Mapping[str, str] | None = None, n_threads: int = 2) -> str:
        """Start a worker, without a nanny where the process that is started is to be the worker itself; return its address."""
        given = ("--name", name, "--nthreads", str(n_threads), self._nanny, "--no-dashboard", "--memory-limit", "0")
        self._start(name, "worker", self.address, *given, *arguments, variables=variables)
        self._line(name, "Registered to:")
        return self.address_of(name)

    def address_of(self, name: str) -> str:
        """Return the address of a worker."""
        return self._line(name, "Start worker at:").split()[-1]

    def stop(self, name: str) -> None:
        """End a process at once, if it has not ended by itself."""
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def log(self, name: str) -> str:
        """Return what a process has logged."""
        return (self.folder / name / "log").read_text()

    def close(self) -> None:
        """End all processes."""
        for process in reversed(self.processes.values()):
            process.terminate()
            try:
                process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _start(self, name: str, *command: str, variables: Mapping[str, str] | None = None) -> None:
        own = self.folder / name
        (own / "tmp").mkdir(parents=True)
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("PREFECT_", "PAGEMILL_", "DASK_"))}
        environment = {**kept, "HOME": str(own), "TMPDIR": str(own / "tmp"), "PYTHONPATH": os.getcwd()}
        environment["XDG_CACHE_HOME"] = str(own / "cache")
        environment |= {**self._variables, **(variables or {})}
        environment = {key: value for key, value in environment.items() if value}
        with (own / "log").open("wb") as log:
            self.processes[name] = subprocess.Popen(
                [sys.executable, "-m", "dask", *command], cwd=own, env=environment, stdout=log, stderr=subprocess.STDOUT
            )

    def _line(self, name: str, beginning: str) -> str:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self.processes[name].poll() is None:
            found = [line for line in self.log(name).splitlines() if beginning in line]
            if found:
                return found[-1]
            time.sleep(0.05)
        raise AssertionError(f"{name} did not start:\n{self.log(name)}")


def on(address: str) -> dict[str, Any]:
    """Return the options of a refresh that have the workers of a scheduler carry out its steps."""
    return {"run": {"task_runner": "dask", "dask_address": address}}


@contextmanager
def dask_cluster(
    folder: Path, workers: Sequence[str] = ("one", "two"), variables: Mapping[str, str] | None = None, nanny: bool = False
) -> Iterator[DaskCluster]:
    """Run a scheduler and workers for the length of the block."""
    cluster = DaskCluster(folder, variables, nanny)
    try:
        for name in workers:
            cluster.add_worker(name)
        yield cluster
    finally:
        cluster.close()
