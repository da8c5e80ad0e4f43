"""Workers' functions that show when they are called. In a module of their own: that of the others is full."""

import time
from collections.abc import Callable
from pathlib import Path

from tests.tasks.workers.worker_functions import wait_for


def begin_and_wait(path: str, tick: Callable[[int], None]) -> str:
    """Make the file `path.begun`, and return when there is one at `path`."""
    Path(f"{path}.begun").touch()
    return wait_for(path, tick)


def moment(_: int, tick: Callable[[int], None]) -> float:
    """Return the time, of a clock that all processes share (seconds)."""
    return time.monotonic()
