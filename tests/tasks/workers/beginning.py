"""A worker's function that shows when it begins. In a module of its own: that of the others is full."""

from collections.abc import Callable
from pathlib import Path

from tests.tasks.workers.worker_functions import wait_for


def begin_and_wait(path: str, tick: Callable[[int], None]) -> str:
    """Make the file `path.begun`, and return when there is one at `path`."""
    Path(f"{path}.begun").touch()
    return wait_for(path, tick)
