"""What the tests of the pool share: limits, outcomes of calls, and the processes that are alive."""

import time
from collections.abc import Callable
from typing import Any

import psutil

from schemas.options.sections import LimitOptions
from tasks.workers.pool import WorkerPool

AMPLE = LimitOptions(workers=2)
BRIEF = LimitOptions(workers=2, page_seconds=0.2)
SMALL = LimitOptions(workers=2, memory_mb=256)


def outcomes(pool: WorkerPool, function: Callable[..., Any], items: list[tuple[Any, ...]], **more: Any) -> list[Any]:
    found = dict(pool.map(function, items, **more))
    return [found[index] for index in range(len(items))]


def outcome(pool: WorkerPool, function: Callable[..., Any], *args: Any, **more: Any) -> Any:
    return outcomes(pool, function, [args], **more)[0]


def gone(pid: int) -> bool:
    """Return whether a process ends within ample time."""
    try:
        process = psutil.Process(pid)
        return process.status() == psutil.STATUS_ZOMBIE or process.wait(30) is None
    except psutil.NoSuchProcess:
        return True


def workers() -> list[psutil.Process]:
    """Return the worker processes that this process has started."""
    return [child for child in psutil.Process().children() if "tasks.workers.main" in child.cmdline()]


def wait_until(holds: Callable[[], bool]) -> None:
    """Return once `holds` is true, at the latest in half a minute."""
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)
