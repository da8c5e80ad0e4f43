"""One worker process: a thread of the pool starts it, gives it one item at a time, limits it and ends it."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import wait
from pathlib import Path

from schemas.errors import LimitError, PagemillError, ServiceError, WorkerError
from schemas.options.sections import LimitOptions
from tasks.workers.confinement import MIB
from tasks.workers.environment import make_worker_environment
from tasks.workers.main import make_scratch_prefix
from tasks.workers.messages import Inbox, Message, parse_answer, parse_message, parse_tick, send_message
from tasks.workers.process_tree import Usage, measure_process_tree_usage

START_SECONDS = 120.0
"""Longest time for Python to start and to import the function's module. Exceeding it is not the item's fault."""
STOP_SECONDS = 5.0
POLL_SECONDS = 0.05
OUTPUT_TAIL_BYTES = 4096
MAX_ITEMS = 500
"""A worker is replaced after this many items, because native code leaks memory."""

WALL_FACTOR = 10
"""Wall-clock time per CPU time. An item does not fail on a machine with ten busy processes per core."""
LOOK_SECONDS = 0.04


@dataclass(frozen=True)
class Call:
    """One call: a pickled (function, args), its limits, a callback for progress, and whether the call was cancelled."""

    payload: bytes
    limits: LimitOptions
    on_tick: Callable[[int], None]
    is_cancelled: Callable[[], bool]


class WorkerProcess:
    """One worker. The kernel ends it together with the thread that made it."""

    def __init__(self, memory_mb: int, variables: Mapping[str, str]) -> None:
        """Start a worker for items with at most `memory_mb` of memory. `variables` are added to its environment.

        Raises:
            ServiceError: the machine cannot start another process.
        """
        self._started = False
        self._n_items = 0
        self._memory_mb = memory_mb
        self._output_tail = b""
        ours, theirs = socket.socketpair()
        self._connection = ours
        ours.setblocking(False)
        self._inbox = Inbox(ours)
        try:
            with theirs:
                self._process = start_worker(theirs.fileno(), memory_mb, variables)
        except OSError as error:
            self._connection.close()
            raise ServiceError(f"no worker process can be started: {error}: free memory or processes, and run again") from error
        assert self._process.stdout
        self._output = self._process.stdout
        self._sources: list[socket.socket | int] = [self._connection, self._output.fileno()]

    def run_call(self, call: Call) -> object:
        """Return what the function of `call` returns.

        Raises:
            PagemillError: what the function raised, or why the worker ended.
        """
        self._n_items += 1
        try:
            answer = self._wait_for_answer(call)
        except (EOFError, ConnectionError):
            raise self._explain_exit() from None
        except Exception:
            self.stop()
            raise
        if isinstance(answer, PagemillError):
            raise answer
        return answer

    def can_take(self, limits: LimitOptions) -> bool:
        """Return whether the worker is alive, has not had too many items, and uses at most half of the next item's memory."""
        if self._process.poll() is not None or self._n_items >= MAX_ITEMS or self._memory_mb < limits.memory_mb:
            return False
        return 0 < measure_process_tree_usage(self._process.pid).memory_mib <= limits.memory_mb / 2

    def stop(self) -> None:
        """End the worker and all processes that it started, immediately. A second call does nothing.

        A guard that does not end in STOP_SECONDS is killed, and its temporary files are removed here.
        """
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            for scratch in Path(tempfile.gettempdir()).glob(f"{make_scratch_prefix(self._process.pid)}*"):
                shutil.rmtree(scratch, ignore_errors=True)
        self._connection.close()
        self._read_output()
        self._output.close()

    def _wait_for_answer(self, call: Call) -> object:
        """Return the worker's answer, a value or an error. Errors of the worker itself are raised."""
        began = self._begin_call(call)
        if began[0] != "ready":
            return parse_answer(began)
        meter = Meter(self._process.pid, call.limits)
        while True:
            message = self._receive_message(call, meter.check)
            if message[0] != "tick":
                return parse_answer(message)
            meter.restart_page_limit()
            call.on_tick(parse_tick(message))

    def _begin_call(self, call: Call) -> Message:
        deadline = time.monotonic() + START_SECONDS

        def check() -> None:
            check_memory_limit(self._process.pid, call.limits)
            if time.monotonic() > deadline:
                raise ServiceError(f"a worker was not ready within {START_SECONDS:g} s: is the machine overloaded?")

        if not self._started:
            self._receive_message(call, check)
            self._started = True
        self._send_call(call.payload)
        return self._receive_message(call, check)

    def _send_call(self, payload: bytes) -> None:
        """Send a call. A healthy worker accepts it immediately."""
        self._connection.settimeout(START_SECONDS)
        try:
            send_message(self._connection, payload)
        except TimeoutError as error:
            raise ServiceError(f"a worker accepted no work for {START_SECONDS:g} s: is the machine overloaded?") from error
        finally:
            self._connection.setblocking(False)

    def _receive_message(self, call: Call, check: Callable[[], None]) -> Message:
        """Wait for the next message and return it. `check` is called repeatedly to enforce limits."""
        while True:
            if call.is_cancelled():
                raise make_cancelled_error()
            check()
            ready = wait(self._sources, POLL_SECONDS)
            if self._output.fileno() in ready:
                self._read_output()
            if self._connection in ready and (data := self._inbox.take_message(call.limits.memory_mb * MIB)):
                return parse_message(data)

    def _read_output(self) -> None:
        """Read what the worker has written to standard output and error, up to one pipe buffer, and keep the end of it."""
        with suppress(BlockingIOError, ValueError):
            if output := os.read(self._output.fileno(), 65536):
                self._output_tail = (self._output_tail + output)[-OUTPUT_TAIL_BYTES:]
            else:
                self._sources = [self._connection]

    def _explain_exit(self) -> PagemillError:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_SECONDS)
        error = make_exit_error(self._process.returncode, started=self._started)
        self.stop()
        if self._output_tail:
            error.add_note("The worker's last output:\n" + self._output_tail.decode(errors="replace"))
        return error


def start_worker(descriptor: int, memory_mb: int, variables: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Start a worker in its own session, so that Ctrl-C at the terminal does not reach it."""
    search_path = os.pathsep.join(folder or os.getcwd() for folder in sys.path)
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "tasks.workers.main", *map(str, (descriptor, os.getpid(), memory_mb))],
        pass_fds=[descriptor],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        env={**make_worker_environment(), **variables, "PYTHONPATH": search_path},
        bufsize=0,
    )
    assert process.stdout
    os.set_blocking(process.stdout.fileno(), False)
    return process


def make_cancelled_error() -> WorkerError:
    """Return the error for an item whose call was cancelled."""
    return WorkerError("the work was cancelled before this item was finished")


def make_exit_error(code: int | None, started: bool) -> PagemillError:
    """Return the error for a worker that ended by itself, with an exit code, or by a signal if the code is negative."""
    how = "closed its connection" if code is None else f"ended with exit code {code}"
    if code is not None and code < 0:
        how = f"died of {name_signal(-code)}"
    if not started:
        return ServiceError(f"a worker {how} before it could start")
    if code == -signal.SIGKILL:
        how += ", perhaps because memory ran out: lower limits.workers or give the machine more memory"
    return LimitError(f"the worker {how}")


def name_signal(number: int) -> str:
    """Return a signal's name.

    >>> name_signal(11)
    'SIGSEGV'
    """
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


class Meter:
    """Enforces the limits of time and memory on one item, counted from now.

    Time is CPU time of the worker and of all processes that it started, so that a busy machine makes no difference. A worker that
    hangs without computing is ended after WALL_FACTOR times as much wall-clock time.
    """

    def __init__(self, root: int, limits: LimitOptions) -> None:
        """`root` is the process above the worker."""
        self._root, self._limits = root, limits
        self._usage, self._looked_at = measure_process_tree_usage(root), time.monotonic()
        self._document = self._page = (self._usage.cpu_seconds, self._looked_at)

    def restart_page_limit(self) -> None:
        """Restart the time limit for the next page."""
        self._page = (self._usage.cpu_seconds, time.monotonic())

    def check(self) -> None:
        """Check that the item is within its limits, at most once every LOOK_SECONDS because this is called very often.

        Raises:
            LimitError: it is not. The message says which option to raise.
        """
        if time.monotonic() - self._looked_at < LOOK_SECONDS:
            return
        self._usage, self._looked_at = check_memory_limit(self._root, self._limits), time.monotonic()
        self._check_limit("page_seconds", "no page was finished", self._page)
        self._check_limit("document_seconds", "the document was not finished", self._document)

    def _check_limit(self, option: str, what: str, since: tuple[float, float]) -> None:
        limit = getattr(self._limits, option)
        if self._usage.cpu_seconds - since[0] > limit:
            raise LimitError(f"{what} within {limit:g} s of CPU time: raise limits.{option}")
        wall = WALL_FACTOR * limit
        if self._looked_at - since[1] > wall:
            raise LimitError(f"{what} within {wall:g} s with little CPU time used: raise limits.{option}, or exclude what hangs")


def check_memory_limit(root: int, limits: LimitOptions) -> Usage:
    """Return what the processes of a worker have used.

    Raises:
        LimitError: they have more memory than allowed.
    """
    usage = measure_process_tree_usage(root)
    if usage.memory_mib > limits.memory_mb:
        raise LimitError(f"took more than {limits.memory_mb} MiB of memory: raise limits.memory_mb")
    return usage
