"""A worker process, seen from the thread that keeps it: started, fed one item at a time, held to its limits, ended."""

import os
import pickle
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from schemas.errors import LimitError, PagemillError, ServiceError, WorkerError
from schemas.options import LimitOptions
from tasks.adapters.environment import of_workers
from tasks.adapters.meter import Meter, check_memory
from tasks.adapters.process_tree import usage_of

START_SECONDS = 120.0
"""Longest time for Python to start and to import the function's module; exceeding it is no fault of the item's."""
STOP_SECONDS = 5.0
POLL_SECONDS = 0.05
LAST_WORDS_BYTES = 4096
MAX_ITEMS = 500
"""A worker is replaced after so many items, since native code leaks."""


@dataclass(frozen=True)
class Call:
    """One call to make: a pickled (function, args), its limits, whom to tell of progress, whether it is still wanted."""

    payload: bytes
    limits: LimitOptions
    on_tick: Callable[[int], None]
    called_off: Callable[[], bool]


class WorkerProcess:
    """One worker for the thread that makes it, which must live as long: the kernel ends the worker with that thread."""

    def __init__(self) -> None:
        """Start a worker.

        Raises:
            ServiceError: the machine has no process to give.
        """
        self._started = False
        self._n_items = 0
        self._last_words = b""
        ours, theirs = socket.socketpair()
        self._connection = Connection(ours.detach())
        try:
            with theirs:
                self._process = start(theirs.fileno())
        except OSError as error:
            self._connection.close()
            raise ServiceError(f"no worker process can be started: {error}") from error
        assert self._process.stdout
        self._output = self._process.stdout
        self._sources: list[Connection | int] = [self._connection, self._output.fileno()]

    def run(self, call: Call) -> Any:
        """Return what the function of `call` returns.

        Raises:
            PagemillError: what the function raised, or why the worker is no more.
        """
        self._n_items += 1
        try:
            self._begin(call)
            kind, answer = self._finish(call)
        except (EOFError, ConnectionError):
            raise self._death() from None
        except Exception:
            self.stop()
            raise
        return recall(kind, answer)

    def fit(self, limits: LimitOptions) -> bool:
        """Tell whether the worker lives, is not worn out, and at rest leaves half of its memory for the next item."""
        if self._process.poll() is not None or self._n_items >= MAX_ITEMS:
            return False
        return 0 < usage_of(self._process.pid).memory_mib <= limits.memory_mb / 2

    def stop(self) -> None:
        """End the worker and all that it started, at once, whatever it does. A second call does nothing."""
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._connection.close()
        self._listen()
        self._output.close()

    def _begin(self, call: Call) -> None:
        deadline = time.monotonic() + START_SECONDS

        def check() -> None:
            check_memory(self._process.pid, call.limits)
            if time.monotonic() > deadline:
                raise ServiceError(f"a worker was not ready within {START_SECONDS:g} s: is the machine overloaded?")

        if not self._started:
            self._receive(call, check)
            self._started = True
        self._connection.send_bytes(call.payload)
        kind, answer = self._receive(call, check)
        if kind != "ready":
            recall(kind, answer)

    def _finish(self, call: Call) -> tuple[str, Any]:
        meter = Meter(self._process.pid, call.limits)
        while True:
            kind, content = self._receive(call, meter.check)
            if kind != "tick":
                return kind, content
            meter.page_done()
            call.on_tick(content)

    def _receive(self, call: Call, check: Callable[[], None]) -> tuple[str, Any]:
        """Wait for the next message, and `check` meanwhile that the worker may go on."""
        while True:
            if call.called_off():
                raise called_off()
            check()
            ready = wait(self._sources, POLL_SECONDS)
            if self._output.fileno() in ready:
                self._listen()
            if self._connection in ready:
                message: tuple[str, Any] = self._connection.recv()
                return message

    def _listen(self) -> None:
        """Keep the end of what the worker has written to its standard output and error: one pipeful a call."""
        with suppress(BlockingIOError, ValueError):
            if heard := os.read(self._output.fileno(), 65536):
                self._last_words = (self._last_words + heard)[-LAST_WORDS_BYTES:]
            else:
                self._sources = [self._connection]

    def _death(self) -> PagemillError:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_SECONDS)
        error = obituary(self._process.returncode, started=self._started)
        self.stop()
        if self._last_words:
            error.add_note("The worker's last words:\n" + self._last_words.decode(errors="replace"))
        return error


def start(descriptor: int) -> subprocess.Popen[bytes]:
    """Start a worker in a session of its own: Ctrl-C at the terminal does not reach it."""
    search_path = os.pathsep.join(folder or os.getcwd() for folder in sys.path)
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "tasks.adapters.worker_main", str(descriptor), str(os.getpid())],
        pass_fds=[descriptor],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        env={**of_workers(), "PYTHONPATH": search_path},
        bufsize=0,
    )
    assert process.stdout
    os.set_blocking(process.stdout.fileno(), False)
    return process


def recall(kind: str, answer: bytes) -> Any:
    """Return the value that a worker sent, or raise the error that it sent."""
    try:
        content = pickle.loads(answer)
    except Exception as error:
        raise WorkerError(f"a worker's answer cannot be read: {type(error).__name__}: {error}") from error
    if kind == "error":
        raise content
    return content


def called_off() -> WorkerError:
    """Return the error for an item that nobody waits for any more."""
    return WorkerError("the work was called off before this item was done")


def obituary(code: int | None, started: bool) -> PagemillError:
    """Return the error for a worker that ended by itself with an exit code, or by a signal if it is negative."""
    how = "closed its connection" if code is None else f"ended with exit code {code}"
    if code is not None and code < 0:
        how = f"died of {signal_name(-code)}"
    if not started:
        return ServiceError(f"a worker {how} before it could start")
    if code == -signal.SIGKILL:
        how += ", perhaps out of memory: lower limits.workers or give the machine more"
    return LimitError(f"the worker {how}")


def signal_name(number: int) -> str:
    """Return a signal's name.

    >>> signal_name(11)
    'SIGSEGV'
    """
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
