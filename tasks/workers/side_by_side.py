"""Side by side: calls a function for many items in a few threads, and stops when one call fails."""

import threading
from collections.abc import Callable, Sequence
from contextvars import copy_context
from queue import SimpleQueue
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


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
