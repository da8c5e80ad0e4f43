"""A worker process, seen from the thread that keeps it: started, fed one item at a time, held to its limits, ended."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import Any

from schemas.errors import LimitError, PagemillError, ServiceError, WorkerError
from schemas.options.sections import LimitOptions
from tasks.workers.answers import Message, read_answer, read_message, read_tick
from tasks.workers.environment import of_workers
from tasks.workers.framing import Inbox, send
from tasks.workers.meter import Meter, check_memory
from tasks.workers.process_tree import MIB, usage_of

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

    def __init__(self, memory_mb: int) -> None:
        """Start a worker for items that take no more than so much memory.

        Raises:
            ServiceError: the machine has no process to give.
        """
        self._started = False
        self._n_items = 0
        self._memory_mb = memory_mb
        self._last_words = b""
        ours, theirs = socket.socketpair()
        self._connection = ours
        ours.setblocking(False)
        self._inbox = Inbox(ours)
        try:
            with theirs:
                self._process = start(theirs.fileno(), memory_mb)
        except OSError as error:
            self._connection.close()
            raise ServiceError(f"no worker process can be started: {error}") from error
        assert self._process.stdout
        self._output = self._process.stdout
        self._sources: list[socket.socket | int] = [self._connection, self._output.fileno()]

    def run(self, call: Call) -> Any:
        """Return what the function of `call` returns.

        Raises:
            PagemillError: what the function raised, or why the worker is no more.
        """
        self._n_items += 1
        try:
            answer = self._answer(call)
        except (EOFError, ConnectionError):
            raise self._death() from None
        except Exception:
            self.stop()
            raise
        if isinstance(answer, PagemillError):
            raise answer
        return answer

    def fit(self, limits: LimitOptions) -> bool:
        """Tell whether the worker lives, is not worn out, and at rest leaves half of its memory for the next item."""
        if self._process.poll() is not None or self._n_items >= MAX_ITEMS or self._memory_mb < limits.memory_mb:
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

    def _answer(self, call: Call) -> Any:
        """Return what the worker says, a value or an error; raise what is said of the worker."""
        began = self._begin(call)
        if began[0] != "ready":
            return read_answer(began)
        meter = Meter(self._process.pid, call.limits)
        while True:
            message = self._receive(call, meter.check)
            if message[0] != "tick":
                return read_answer(message)
            meter.page_done()
            call.on_tick(read_tick(message))

    def _begin(self, call: Call) -> Message:
        deadline = time.monotonic() + START_SECONDS

        def check() -> None:
            check_memory(self._process.pid, call.limits)
            if time.monotonic() > deadline:
                raise ServiceError(f"a worker was not ready within {START_SECONDS:g} s: is the machine overloaded?")

        if not self._started:
            self._receive(call, check)
            self._started = True
        self._send(call.payload)
        return self._receive(call, check)

    def _send(self, payload: bytes) -> None:
        """Send a call. A worker that is well takes it at once."""
        self._connection.settimeout(START_SECONDS)
        try:
            send(self._connection, payload)
        except TimeoutError as error:
            raise ServiceError(f"a worker took no work for {START_SECONDS:g} s: is the machine overloaded?") from error
        finally:
            self._connection.setblocking(False)

    def _receive(self, call: Call, check: Callable[[], None]) -> Message:
        """Return the next message, and `check` meanwhile that the worker may go on."""
        while True:
            if call.called_off():
                raise called_off()
            check()
            ready = wait(self._sources, POLL_SECONDS)
            if self._output.fileno() in ready:
                self._listen()
            if self._connection in ready and (data := self._inbox.take(call.limits.memory_mb * MIB)):
                return read_message(data)

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


def start(descriptor: int, memory_mb: int) -> subprocess.Popen[bytes]:
    """Start a worker in a session of its own: Ctrl-C at the terminal does not reach it."""
    search_path = os.pathsep.join(folder or os.getcwd() for folder in sys.path)
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "tasks.workers.main", *map(str, (descriptor, os.getpid(), memory_mb))],
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
