"""Workers: a pool of processes that run one item each under limits of time and memory.

A crash, a hang or a bomb ends its worker and becomes that item's error; the others go on. Each process has a thread of its
own, its keeper, that lives as long as the pool.
"""

import os
import pickle
import threading
from collections.abc import Callable, Generator, Sequence
from queue import SimpleQueue
from typing import Any, Self

from schemas.errors import PagemillError, WorkerError
from schemas.options.sections import LimitOptions
from tasks.workers.confinement import why_networked
from tasks.workers.process import Call, WorkerProcess, called_off

Tick = Callable[[int], None]
"""Called by work with the number of pages (or other parts) done so far: a sign of life, and progress."""

Reply = tuple[int, bool, Any]
"""Of the item at an index: whether this is its outcome, and the outcome or the number of parts done."""


class WorkerPool:
    """Worker processes, started when they are needed, for any number of threads at once."""

    def __init__(self, limits: LimitOptions) -> None:
        self._limits = limits
        self._tasks: SimpleQueue[tuple[int, Call, SimpleQueue[Reply]] | None] = SimpleQueue()
        self._keepers: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._closed = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def map(
        self,
        function: Callable[..., Any],
        items: Sequence[tuple[Any, ...]],
        limits: LimitOptions | None = None,
        on_tick: Callable[[int, int], None] | None = None,
    ) -> Generator[tuple[int, Any], None, None]:
        """Yield (index of the item, what `function(*item, tick)` returned, or a PagemillError), first done first.

        `function` must be importable by name, and call `tick(n_done)` at least every `page_seconds` that it computes.
        `on_tick(index, n_done)` is called in the caller's thread.
        Work starts with the first `next`; leaving the iterator early calls off the rest.

        The errors: what the function raised if it is Pagemill's own, `WorkerError` for anything else, `LimitError` for an
        exceeded limit or a crash, `ServiceError` when no worker can be started.
        """
        replies: SimpleQueue[Reply] = SimpleQueue()
        left = threading.Event()
        try:
            for index, args in enumerate(items):
                self._submit(index, (function, args), limits or self._limits, replies, left)
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

    def close(self) -> None:
        """End all workers at once, whatever they do, and wait until they are gone. Open items end in a WorkerError."""
        with self._lock:
            self._closed.set()
            for _ in self._keepers:
                self._tasks.put(None)
        for keeper in self._keepers:
            keeper.join()

    def _submit(self, index: int, work: object, limits: LimitOptions, replies: SimpleQueue[Reply], left: threading.Event) -> None:
        try:
            payload = pickle.dumps(work, pickle.HIGHEST_PROTOCOL)
        except Exception as error:
            refusal = WorkerError(f"the call cannot be sent to a worker: {type(error).__name__}: {error}")
            replies.put((index, True, refusal))
            return
        call = Call(
            payload=payload,
            limits=limits,
            on_tick=lambda n_done: replies.put((index, False, n_done)),
            called_off=lambda: left.is_set() or self._closed.is_set(),
        )
        with self._lock:
            if self._closed.is_set():
                raise WorkerError("the pool of workers is closed")
            self._tasks.put((index, call, replies))
            if len(self._keepers) < n_workers(self._limits):
                self._keepers.append(threading.Thread(target=self._keep, name="pagemill-keeper", daemon=True))
                self._keepers[-1].start()

    def _keep(self) -> None:
        worker: WorkerProcess | None = None
        while task := self._tasks.get():
            worker = _answer(worker, *task)
        if worker:
            worker.stop()


def _answer(worker: WorkerProcess | None, index: int, call: Call, replies: SimpleQueue[Reply]) -> WorkerProcess | None:
    """Reply with the outcome of `call`; return the worker that made it, for the next one."""
    outcome: Any
    try:
        worker = _ready(worker, call)
        outcome = worker.run(call)
    except PagemillError as error:
        outcome = error
    except Exception as error:
        outcome = WorkerError(f"the keeper of a worker failed: {type(error).__name__}: {error}")
    replies.put((index, True, outcome))
    return worker


def _ready(worker: WorkerProcess | None, call: Call) -> WorkerProcess:
    if call.called_off():
        raise called_off()
    if worker:
        if worker.fit(call.limits):
            return worker
        worker.stop()
    return WorkerProcess(call.limits.memory_mb)


def run_one(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    limits: LimitOptions,
    on_tick: Callable[[int], None] = lambda n_done: None,
) -> Any:
    """Return what `function(*args, tick)` returns in a worker of its own.

    Raises:
        PagemillError: any of the errors that `WorkerPool.map` yields.
    """
    with WorkerPool(limits) as pool:
        _, outcome = next(pool.map(function, [args], on_tick=lambda _, n_done: on_tick(n_done)))
    if isinstance(outcome, PagemillError):
        raise outcome
    return outcome


def network_of_workers() -> str:
    """Return, for people, whether workers reach the network on this machine; one is started and asked.

    Raises:
        ServiceError: none can be started.
    """
    refused: str = run_one(why_networked, (), LimitOptions(workers=1))
    return f"with network, because {refused}" if refused else "no network (namespaces)"


def n_workers(limits: LimitOptions) -> int:
    """Return how many workers a pool has: as many as the limits say, or one for each core that is ours."""
    return limits.workers or len(os.sched_getaffinity(0))
