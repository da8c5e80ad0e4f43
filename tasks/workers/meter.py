"""Meter: holds one item of a worker to its limits of time and memory.

Time is CPU time, of the worker and of all that it started: how busy the machine is decides nothing. A worker that hangs without
computing is given up after ten times as much time by the clock.
"""

import time

from schemas.errors import LimitError
from schemas.options.sections import LimitOptions
from tasks.workers.process_tree import Usage, usage_of

WALL_FACTOR = 10
"""A machine with ten times as many busy processes as cores does not make an item fail."""
LOOK_SECONDS = 0.04


class Meter:
    """What an item may still use. It starts when the item does."""

    def __init__(self, root: int, limits: LimitOptions) -> None:
        """`root` is the process above the worker."""
        self._root, self._limits = root, limits
        self._usage, self._looked_at = usage_of(root), time.monotonic()
        self._document = self._page = (self._usage.cpu_seconds, self._looked_at)

    def page_done(self) -> None:
        """Start the time of the next page."""
        self._page = (self._usage.cpu_seconds, time.monotonic())

    def check(self) -> None:
        """See whether the item is within its limits, unless that was seen a moment ago: signs of life come by the thousand.

        Raises:
            LimitError: it is not; says which option to raise.
        """
        if time.monotonic() - self._looked_at < LOOK_SECONDS:
            return
        self._usage, self._looked_at = check_memory(self._root, self._limits), time.monotonic()
        self._check("page_seconds", "finished no page", self._page)
        self._check("document_seconds", "was not done", self._document)

    def _check(self, option: str, what: str, since: tuple[float, float]) -> None:
        limit = getattr(self._limits, option)
        if self._usage.cpu_seconds - since[0] > limit:
            raise LimitError(f"{what} within {limit:g} s of computing: raise limits.{option}")
        wall = WALL_FACTOR * limit
        if self._looked_at - since[1] > wall:
            raise LimitError(f"{what} within {wall:g} s, computing little: it hangs, or raise limits.{option}")


def check_memory(root: int, limits: LimitOptions) -> Usage:
    """Return what the processes of a worker have used.

    Raises:
        LimitError: they hold more memory than they may.
    """
    usage = usage_of(root)
    if usage.memory_mib > limits.memory_mb:
        raise LimitError(f"took more than {limits.memory_mb} MiB of memory: raise limits.memory_mb")
    return usage
