"""Meter: enforces the limits of time and memory on one item of a worker.

Time is CPU time of the worker and of all processes that it started, so that a busy machine makes no difference. A worker that
hangs without computing is ended after ten times as much wall-clock time.
"""

import time

from schemas.errors import LimitError
from schemas.options.sections import LimitOptions
from tasks.workers.process_tree import Usage, usage_of

WALL_FACTOR = 10
"""Wall-clock time per CPU time. An item does not fail on a machine with ten busy processes per core."""
LOOK_SECONDS = 0.04


class Meter:
    """What one item may still use, counted from now."""

    def __init__(self, root: int, limits: LimitOptions) -> None:
        """`root` is the process above the worker."""
        self._root, self._limits = root, limits
        self._usage, self._looked_at = usage_of(root), time.monotonic()
        self._document = self._page = (self._usage.cpu_seconds, self._looked_at)

    def page_done(self) -> None:
        """Restart the time limit for the next page."""
        self._page = (self._usage.cpu_seconds, time.monotonic())

    def check(self) -> None:
        """Check that the item is within its limits, at most once every LOOK_SECONDS because this is called very often.

        Raises:
            LimitError: it is not. The message says which option to raise.
        """
        if time.monotonic() - self._looked_at < LOOK_SECONDS:
            return
        self._usage, self._looked_at = check_memory(self._root, self._limits), time.monotonic()
        self._check("page_seconds", "no page was finished", self._page)
        self._check("document_seconds", "the document was not finished", self._document)

    def _check(self, option: str, what: str, since: tuple[float, float]) -> None:
        limit = getattr(self._limits, option)
        if self._usage.cpu_seconds - since[0] > limit:
            raise LimitError(f"{what} within {limit:g} s of CPU time: raise limits.{option}")
        wall = WALL_FACTOR * limit
        if self._looked_at - since[1] > wall:
            raise LimitError(f"{what} within {wall:g} s with little CPU time used: raise limits.{option}, or exclude what hangs")


def check_memory(root: int, limits: LimitOptions) -> Usage:
    """Return what the processes of a worker have used.

    Raises:
        LimitError: they have more memory than allowed.
    """
    usage = usage_of(root)
    if usage.memory_mib > limits.memory_mb:
        raise LimitError(f"took more than {limits.memory_mb} MiB of memory: raise limits.memory_mb")
    return usage
