"""Running: what the tasks of a run share in its process: worker processes, progress, staged rows, whether it was given up."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import NamedTuple

from schemas.errors import SchemaError
from schemas.options.sections import LimitOptions
from tasks.embed.remembered import Memory
from tasks.store.packs import close_packs
from tasks.store.staging import Staging
from tasks.workers.pool import WorkerPool, n_workers
from tasks.workers.progress import Progress


class Running(NamedTuple):
    """A run under way in this process. Once `given_up` is set, nobody waits for its work any more.

    The process of `judges` sees no document: what a document does to its worker does not reach the checks. `earlier` gives the
    name of the content that a changed document had before, by that of its new one.
    """

    pool: WorkerPool
    judges: WorkerPool
    vectors: Memory
    progress: Progress
    given_up: threading.Event
    staging: Staging
    earlier: Mapping[str, str]
    n_workers: int


_running: dict[str, Running] = {}


@contextmanager
def running(
    run_id: str,
    limits: LimitOptions,
    progress: Progress,
    staging: Staging,
    judges: WorkerPool,
    earlier: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Running]:
    """Keep what the tasks of one run share; worker processes are started when they are needed, and end with the block."""
    with WorkerPool(limits) as pool:
        _running[run_id] = Running(pool, judges, Memory(), progress, threading.Event(), staging, earlier, n_workers(limits))
        try:
            yield _running[run_id]
        finally:
            del _running[run_id]
            close_packs()


def running_of(run_id: str) -> Running:
    """Return what the tasks of a run share.

    Raises:
        SchemaError: the run is not under way in this process.
    """
    if run_id not in _running:
        raise SchemaError(f"run {run_id} is not under way in this process: its flow must start it")
    return _running[run_id]
