"""Threads: a function called for many items at once, an iterator that is one item ahead, a value that is made meanwhile."""

import logging
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from queue import SimpleQueue
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
Value = TypeVar("Value")

logger = logging.getLogger(__name__)


def map_in_threads(
    function: Callable[[Item], Result], items: Sequence[Item], n_threads: int, given_up: threading.Event
) -> list[Result]:
    """Return what `function` returns for each item, in the order of the items. Each call has the caller's context.

    The first error, or an interrupt of the caller, sets `given_up` and is raised immediately, without waiting for running calls.
    Their threads do not keep the process alive.

    Raises:
        Exception: the first one that a call raised.
    """
    waiting: SimpleQueue[tuple[int, Item] | None] = SimpleQueue()
    ended: SimpleQueue[tuple[int, Result | None, BaseException | None]] = SimpleQueue()

    def work() -> None:
        while (job := waiting.get()) is not None and not given_up.is_set():
            try:
                ended.put((job[0], function(job[1]), None))
            except BaseException as error:
                given_up.set()
                ended.put((job[0], None, error))

    for numbered in enumerate(items):
        waiting.put(numbered)
    for _ in range(min(n_threads, len(items))):
        waiting.put(None)
        threading.Thread(target=copy_context().run, args=(work,), name="pagemill-batch", daemon=True).start()
    results: dict[int, Result] = {}
    try:
        while len(results) < len(items):
            index, result, error = ended.get()
            if error is not None:
                raise error
            results[index] = result  # type: ignore[assignment]
    except BaseException:
        given_up.set()
        raise
    return [results[index] for index in range(len(items))]


def prefetch_items(items: Iterator[Item]) -> Generator[Item, None, None]:
    """Yield the items of `items`. While one is used, a thread makes the next; if that fails, the error is raised in its place."""
    with ThreadPoolExecutor(1, thread_name_prefix="pagemill-prefetch") as thread:
        coming = thread.submit(next, items, None)
        while (item := coming.result()) is not None:
            coming = thread.submit(next, items, None)
            yield item


class BackgroundValue(Generic[Value]):
    """A value that pays off for many calls alone: it is made in a thread of its own once it was requested often.

    No caller of `request` waits for it, and threads may share it.
    """

    def __init__(self, make: Callable[[], Value], often: int) -> None:
        """`make` is called by a thread after `often` calls of `request`. If it fails, that is logged, and nothing is there."""
        self._make, self._often = make, often
        self._lock, self._n_asked = threading.Lock(), 0
        self._made: Future[Value | None] | None = None

    def request(self) -> Value | None:
        """Count a call, and return what was made, if it is there."""
        with self._lock:
            self._n_asked += 1
            if self._n_asked > self._often and self._made is None:
                helper = ThreadPoolExecutor(1, "pagemill-background")
                self._made = helper.submit(self._make_value)
                helper.shutdown(wait=False)
        return self.ready

    @property
    def ready(self) -> Value | None:
        """What was made; None if it is not there."""
        return self._made.result() if self._made and self._made.done() else None

    def wait(self) -> Value | None:
        """Return what was made, as soon as it is there; None if it was not asked for often."""
        return self._made.result() if self._made else None

    def _make_value(self) -> Value | None:
        try:
            return self._make()
        except Exception as error:
            logger.warning("going on without what would make further calls faster: %s", error)
            return None
