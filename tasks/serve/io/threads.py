"""Where answers are computed: so many of each kind at once, none waited for longer than ANSWER_SECONDS."""

import os
import threading
from collections.abc import Callable
from typing import TypeVar

from anyio import CapacityLimiter, move_on_after, to_thread

from schemas.errors import ServiceError

ANSWER_SECONDS = 30
"""Longest time from a request to its answer, waiting for a core included."""
READS_AT_ONCE = 8
"""Documents are read beside searches; these wait for a core, and would keep the others waiting."""
LATE_AT_ONCE = 16
"""Most computations that go on although nobody waits for them any more: Lance cannot be interrupted."""

Result = TypeVar("Result")


class Threads:
    """As many searches at once as there are cores, some reads beside them, one picture, and the state of the server."""

    def __init__(self, seconds: float = ANSWER_SECONDS) -> None:
        self._seconds = seconds
        self._searches = CapacityLimiter(len(os.sched_getaffinity(0)))
        self._reads = CapacityLimiter(READS_AT_ONCE)
        self._pictures = CapacityLimiter(1)
        self._states = CapacityLimiter(1)
        self._lock = threading.Lock()
        self._n_running = 0

    async def search(self, function: Callable[[], Result]) -> Result:
        """Return what `function` returns, computed as soon as a core is free.

        Raises:
            ServiceError: that takes too long, or too much that took too long is not done yet.
        """
        return await self._compute(function, self._searches)

    async def read(self, function: Callable[[], Result]) -> Result:
        """Return what `function` returns.

        Raises:
            ServiceError: as `search`.
        """
        return await self._compute(function, self._reads)

    async def picture(self, function: Callable[[], Result]) -> Result:
        """Return what `function` returns; pictures wait for each other, and nothing else waits for them.

        Raises:
            ServiceError: as `search`.
        """
        return await self._compute(function, self._pictures)

    async def state(self, function: Callable[[], Result]) -> Result:
        """Return what `function` returns, which is quickly told, whatever else is computed.

        Raises:
            ServiceError: as `search`.
        """
        return await self._compute(function, self._states)

    async def _compute(self, function: Callable[[], Result], limiter: CapacityLimiter) -> Result:
        kinds = (self._searches, self._reads, self._pictures, self._states)
        if self._n_running - sum(kind.borrowed_tokens for kind in kinds) >= LATE_AT_ONCE:
            raise ServiceError("the server still computes answers that took too long: ask again in a minute")
        with move_on_after(self._seconds):
            return await to_thread.run_sync(self._count, function, limiter=limiter, abandon_on_cancel=True)
        raise ServiceError(f"no answer within {self._seconds:g} s: ask for less, or ask again when fewer others ask")

    def _count(self, function: Callable[[], Result]) -> Result:
        with self._lock:
            self._n_running += 1
        try:
            return function()
        finally:
            with self._lock:
                self._n_running -= 1
