"""Workers: a pool of processes that run one item each under limits of time and memory.

A crash, a hang or a decompression bomb ends only its worker and becomes the error of that item. Each process has its own
thread, which lives as long as the pool.
"""

import os
import pickle
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from itertools import count
from queue import PriorityQueue, SimpleQueue
from typing import Any, NamedTuple, Self, TypeVar

from schemas.errors import PagemillError, WorkerError
from schemas.options.sections import LimitOptions
from tasks.workers.confinement import explain_network_access
from tasks.workers.process import Call, WorkerProcess, make_cancelled_error

Tick = Callable[[int], None]
"""Called with the number of pages (or other parts) done so far, to report progress."""

Reply = tuple[int, bool, Any]
"""(index of an item, whether this is its outcome, the outcome or the number of parts done)."""


Result = TypeVar("Result")
"""What a function returns that a worker runs."""

LAST = float("inf")
"""The order of the entry that ends a thread: after all calls that wait, which are cancelled by then."""


class QueuedCall(NamedTuple):
    """A call that waits for a worker: the smaller `order` is served first, and of equal ones the first that came."""

    order: float
    number: int
    item: int = 0
    call: Call | None = None
    replies: SimpleQueue[Reply] | None = None


class WorkerPool:
    """Worker processes, each started when more calls are open than there are. Threads may share the pool."""

    def __init__(self, limits: LimitOptions, variables: Sequence[Mapping[str, str]] = ()) -> None:
        """`variables`, if there are any, are those of the environment of one worker each, instead of equal workers."""
        self._limits = limits
        self._variables = variables or [{}] * count_workers(limits)
        self._queue: PriorityQueue[QueuedCall] = PriorityQueue()
        self._numbers = count()
        self._n_open = 0
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._closed = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def map(
        self,
        function: Callable[..., Result],
        items: Sequence[tuple[object, ...]],
        limits: LimitOptions | None = None,
        on_tick: Callable[[int, int], None] | None = None,
        urgency: int = 0,
    ) -> Generator[tuple[int, Result | PagemillError], None, None]:
        """Yield (index of the item, what `function(*item, tick)` returned, or a PagemillError), first done first.

        `function` must be importable by name, and call `tick(n_done)` at least once every `page_seconds` of CPU time.
        `on_tick(index, n_done)` is called in the caller's thread. Calls of more `urgency` overtake others that wait.
        Work starts with the first `next`. Closing the iterator early cancels the rest.

        Errors are Pagemill's own errors that the function raised, `WorkerError` for any other error, `LimitError` for an exceeded
        limit or a crash, and `ServiceError` when no worker can be started.
        """
        replies: SimpleQueue[Reply] = SimpleQueue()
        left = threading.Event()
        try:
            for index, args in enumerate(items):
                call = self._make_call(index, (function, args), limits or self._limits, replies, left)
                if call:
                    self._enqueue_call(QueuedCall(-urgency, next(self._numbers), index, call, replies))
            n_open = len(items)
            while n_open:
                index, done, content = replies.get()
                if done:
                    n_open -= 1
                    yield index, content
                elif on_tick:
                    on_tick(index, content)
        finally:
            left.set()

    def begin(self, function: Callable[..., object], *args: object) -> None:
        """Start `function(*args, tick)` in a worker and return at once: to load early what later calls need.

        Its error is dropped, because a later call that needs the same meets it again.
        """
        nobody: SimpleQueue[Reply] = SimpleQueue()
        call = self._make_call(0, (function, args), self._limits, nobody, threading.Event())
        if call:
            self._enqueue_call(QueuedCall(0, next(self._numbers), 0, call, nobody))

    def close(self) -> None:
        """End all workers immediately and wait until they have ended. Unfinished items get a WorkerError."""
        with self._lock:
            self._closed.set()
            for _ in self._threads:
                self._queue.put(QueuedCall(LAST, next(self._numbers)))
        for thread in self._threads:
            thread.join()

    def _make_call(
        self, index: int, work: object, limits: LimitOptions, replies: SimpleQueue[Reply], left: threading.Event
    ) -> Call | None:
        try:
            payload = pickle.dumps(work, pickle.HIGHEST_PROTOCOL)
        except Exception as error:
            refusal = WorkerError(f"the call cannot be sent to a worker: {type(error).__name__}: {error}")
            replies.put((index, True, refusal))
            return None
        return Call(
            payload=payload,
            limits=limits,
            on_tick=lambda n_done: replies.put((index, False, n_done)),
            is_cancelled=lambda: left.is_set() or self._closed.is_set(),
        )

    def _enqueue_call(self, waiting: QueuedCall) -> None:
        with self._lock:
            if self._closed.is_set():
                raise WorkerError("the pool of workers is closed")
            self._queue.put(waiting)
            self._n_open += 1
            if len(self._threads) < min(self._n_open, len(self._variables)):
                own = self._variables[len(self._threads)]
                self._threads.append(threading.Thread(target=self._serve_queue, args=(own,), name="pagemill-worker", daemon=True))
                self._threads[-1].start()

    def _serve_queue(self, variables: Mapping[str, str]) -> None:
        worker: WorkerProcess | None = None
        while (task := self._queue.get()).call and task.replies:
            worker, outcome = _run_call(worker, task.call, variables)
            with self._lock:
                self._n_open -= 1
            task.replies.put((task.item, True, outcome))
        if worker:
            worker.stop()


def _run_call(worker: WorkerProcess | None, call: Call, variables: Mapping[str, str]) -> tuple[WorkerProcess | None, object]:
    """Return the worker for the next call, if it can still be used, and the outcome of `call`."""
    try:
        worker = _prepare_worker_for(worker, call, variables)
        return worker, worker.run_call(call)
    except PagemillError as error:
        return worker, error
    except Exception as error:
        return worker, WorkerError(f"the thread that runs a worker failed: {type(error).__name__}: {error}")


def _prepare_worker_for(worker: WorkerProcess | None, call: Call, variables: Mapping[str, str]) -> WorkerProcess:
    if call.is_cancelled():
        raise make_cancelled_error()
    if worker:
        if worker.can_take(call.limits):
            return worker
        worker.stop()
    return WorkerProcess(call.limits.memory_mb, variables)


def run_in_new_worker(
    function: Callable[..., Result],
    args: tuple[object, ...],
    limits: LimitOptions,
    on_tick: Callable[[int], None] = lambda n_done: None,
) -> Result:
    """Return what `function(*args, tick)` returns in a new worker.

    Raises:
        PagemillError: any of the errors that `WorkerPool.map` yields.
    """
    with WorkerPool(limits) as pool:
        _, outcome = next(pool.map(function, [args], on_tick=lambda _, n_done: on_tick(n_done)))
    if isinstance(outcome, PagemillError):
        raise outcome
    return outcome


def describe_worker_network() -> str:
    """Return a text that says whether workers have a network on this machine. One worker is started to find out.

    Raises:
        ServiceError: no worker can be started.
    """
    refused = run_in_new_worker(explain_network_access, (), LimitOptions(workers=1))
    return f"with network, because {refused}" if refused else "no network (namespaces)"


def count_workers(limits: LimitOptions) -> int:
    """Return how many workers a pool has: as many as the limits say, else one for each core that we may use."""
    return limits.workers or len(os.sched_getaffinity(0))
