"""A process that forks: each fork carries out one order, and may be killed while it does."""

import json
import os
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Self

from schemas.errors import PagemillError

Running = SimpleQueue[tuple[int, Path] | None]
"""Ids of forks and the files of their answers, in the order of their starts."""


class Forker:
    """The process that forks: `command` starts it, and calls `serve`."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self.command, self.environment = command, environment

    def __enter__(self) -> Self:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(self.command, stdin=pipe, stdout=pipe, text=True, env=self.environment)
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()

    def send(self, order: object) -> None:
        """Start to carry out an order; several can run at once."""
        assert self.process.stdin
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        """Return how the earliest order ended that has not been received: the `signal` that killed it or 0, and its answer."""
        assert self.process.stdout
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer


def attempt(work: Callable[[], Any]) -> dict[str, Any]:
    """Return the outcome of `work`, or its error."""
    try:
        return {"outcome": work()}
    except PagemillError as refusal:
        return {"error": f"{type(refusal).__name__}: {refusal}"}
    except BaseException:
        return {"error": "a bug: " + traceback.format_exc()}


def serve(obey: Callable[[Any], dict[str, Any]]) -> None:
    """Read orders, let a fork obey each, and write how they ended."""
    running = Running()
    reporter = threading.Thread(target=_report, args=(running,))
    reporter.start()
    with tempfile.TemporaryDirectory() as folder:
        for number, line in enumerate(sys.stdin):
            answer = Path(folder) / str(number)
            running.put((_fork(obey, json.loads(line), answer), answer))
        running.put(None)
        reporter.join()


def _fork(obey: Callable[[Any], dict[str, Any]], order: Any, answer: Path) -> int:
    """Fork a process that leads a group of its own and obeys one order; return its id."""
    pid = os.fork()
    if pid:
        return pid
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    try:
        answer.write_text(json.dumps(obey(order), default=str))
    finally:
        os._exit(0)


def _report(running: Running) -> None:
    while job := running.get():
        pid, answer = job
        _, status = os.waitpid(pid, 0)
        told = json.loads(answer.read_text()) if answer.exists() else {}
        answer.unlink(missing_ok=True)
        sys.stdout.write(json.dumps({"signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0, **told}) + "\n")
        sys.stdout.flush()
