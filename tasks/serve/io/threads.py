"""Threads that compute answers: a limited number of each kind at once, none waited for longer than ANSWER_SECONDS."""

import os
import threading
from collections.abc import Callable
from typing import Literal, TypeVar

from anyio import CapacityLimiter, move_on_after, to_thread

from schemas.errors import ServiceError

ANSWER_SECONDS = 30
"""Longest time from a request to its answer, waiting for a core included."""
SEARCHES_A_CORE = 2
"""Searches at once: one waits for Lance, for the model, or for Python's lock, which one thread holds, about half of its time."""
READS_AT_ONCE = 8
"""Documents are read beside searches; these wait for a core, and would keep the others waiting."""
LATE_AT_ONCE = 16
"""Most computations that go on although nobody waits for them any more: Lance cannot be interrupted."""

Kind = Literal["search", "read", "picture", "state"]
"""What an answer takes: a core, tables, a worker that draws, or nearly nothing."""

Result = TypeVar("Result")


class Threads:
    """SEARCHES_A_CORE searches at once for each core, some reads beside them, one picture, and the state of the server."""

    def __init__(self, seconds: float = ANSWER_SECONDS) -> None:
        self._seconds = seconds
        n_searches = SEARCHES_A_CORE * len(os.sched_getaffinity(0))
        at_once: dict[Kind, int] = {"search": n_searches, "read": READS_AT_ONCE, "picture": 1, "state": 1}
        self._limiters = {kind: CapacityLimiter(n) for kind, n in at_once.items()}
        self._lock = threading.Lock()
        self._n_running = 0

    async def run_in_thread(self, kind: Kind, function: Callable[[], Result]) -> Result:
        """Return what `function` returns; it waits for others of its kind only.

        Raises:
            ServiceError: that takes too long, or too much that took too long is not done yet.
        """
        if self._n_running - sum(limiter.borrowed_tokens for limiter in self._limiters.values()) >= LATE_AT_ONCE:
            raise ServiceError("the server still computes answers that took too long: ask again in a minute")
        with move_on_after(self._seconds):
            return await to_thread.run_sync(self._call_and_count, function, limiter=self._limiters[kind], abandon_on_cancel=True)
        raise ServiceError(f"no answer within {self._seconds:g} s: ask for less, or ask again when fewer others ask")

    def _call_and_count(self, function: Callable[[], Result]) -> Result:
        with self._lock:
            self._n_running += 1
        try:
            return function()
        finally:
            with self._lock:
                self._n_running -= 1
