"""Refreshes in processes of their own, forked from one that has everything imported, and killed at chosen moments."""

import importlib
import json
import os
import signal
import subprocess
import sys
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple, Self


class Moment(NamedTuple):
    """Just after the n-th call of a function (of any process' main thread or task) has returned."""

    module: str
    function: str
    n: int


class Ended(NamedTuple):
    """How a forked refresh ended: the signal that killed it or 0, its outcome, its error."""

    signal: int
    outcome: dict[str, Any] | None
    error: str


class Forks:
    """The process that forks."""

    def __init__(self, api: str) -> None:
        self.environment = {**os.environ, "PREFECT_API_URL": api, "PREFECT_LOGGING_LEVEL": "ERROR", "HF_HUB_OFFLINE": "1"}

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "tests.flows.forks"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=self.environment)
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()

    def start(self, source: Path, corpus: Path, moment: Moment | None = None, **given: Any) -> None:
        """Start a refresh; `wait` tells how it ended, in the order of the starts."""
        order = {"source": str(source), "corpus": str(corpus), "moment": moment, "given": given}
        assert self.process.stdin
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()

    def wait(self) -> Ended:
        """Return how the earliest refresh that was started and not waited for ended."""
        assert self.process.stdout
        return Ended(**json.loads(self.process.stdout.readline()))

    def run(self, source: Path, corpus: Path, moment: Moment | None = None, **given: Any) -> Ended:
        """Run one refresh."""
        self.start(source, corpus, moment, **given)
        return self.wait()


def kill_at(moment: Moment) -> None:
    """Let this process' whole group be killed just after the moment."""
    module = importlib.import_module(moment.module)
    original = getattr(module, moment.function)
    calls = 0

    @wraps(original)
    def counted(*args: Any, **keywords: Any) -> Any:
        nonlocal calls
        result = original(*args, **keywords)
        calls += 1
        if calls == moment.n:
            os.killpg(0, signal.SIGKILL)
        return result

    setattr(module, moment.function, counted)


def refresh_once(order: dict[str, Any], answer: Path) -> None:
    """Run one refresh in this process and write what came of it."""
    from flows.cli.refresh import run_refresh
    from flows.settings import refresh_options
    from schemas.errors import PagemillError

    if order["moment"]:
        kill_at(Moment(*order["moment"]))
    try:
        outcome = run_refresh(
            order["source"], order["corpus"], refresh_options(order["given"]), False, os.environ["PREFECT_API_URL"]
        )
        answer.write_text(json.dumps({"outcome": outcome, "error": ""}, default=str))
    except PagemillError as error:
        answer.write_text(json.dumps({"outcome": None, "error": f"{type(error).__name__}: {error}"}))


def fork(order: dict[str, Any], answer: Path) -> int:
    """Fork a process that leads a group of its own and runs one refresh; return its id."""
    pid = os.fork()
    if pid:
        return pid
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    try:
        refresh_once(order, answer)
    finally:
        os._exit(0 if answer.exists() else 1)


def main() -> None:
    """Read orders, fork, tell how they ended, in order."""
    import tempfile
    import threading
    from queue import SimpleQueue

    for module in ("torch", "transformers", "great_expectations", "pymupdf", "flows.refresh"):
        importlib.import_module(module)
    folder = Path(tempfile.mkdtemp())
    running: SimpleQueue[tuple[int, Path] | None] = SimpleQueue()

    def report() -> None:
        while job := running.get():
            pid, answer = job
            _, status = os.waitpid(pid, 0)
            told = json.loads(answer.read_text()) if answer.exists() else {"outcome": None, "error": ""}
            sys.stdout.write(json.dumps({"signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0, **told}) + "\n")
            sys.stdout.flush()

    reporter = threading.Thread(target=report)
    reporter.start()
    for number, line in enumerate(sys.stdin):
        answer = folder / str(number)
        running.put((fork(json.loads(line), answer), answer))
    running.put(None)
    reporter.join()


if __name__ == "__main__":
    main()
