"""Clock: how long the phases of a run take, and how much of the cores they leave unused."""

import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from schemas.phases import Phase
from tasks.workers.process_tree import measure_process_tree_usage

logger = logging.getLogger(__name__)


class Clock:
    """Measures the phases of a run of this process and of all processes that it starts."""

    def __init__(self) -> None:
        self.phases: dict[str, Phase] = {}

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Measure the block."""
        began, cpu = time.monotonic(), measure_process_tree_usage(os.getpid()).cpu_seconds
        yield
        seconds, used = time.monotonic() - began, measure_process_tree_usage(os.getpid()).cpu_seconds - cpu
        idle = max(0.0, seconds * len(os.sched_getaffinity(0)) - used)
        self.phases[name] = Phase(round(seconds, 2), round(idle, 2))
        logger.info("%s: %.1f s, %.1f core seconds idle", name, seconds, idle)
