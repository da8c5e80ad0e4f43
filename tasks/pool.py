"""The run's worker processes: one pool, started by the flow, used by all of its tasks."""

from collections.abc import Iterator
from contextlib import contextmanager

from schemas.errors import SchemaError
from schemas.options import LimitOptions
from tasks.adapters.workers import WorkerPool

_pools: dict[str, WorkerPool] = {}


@contextmanager
def worker_pool(run_id: str, limits: LimitOptions) -> Iterator[WorkerPool]:
    """Keep a pool of worker processes for the tasks of one run."""
    with WorkerPool(limits) as pool:
        _pools[run_id] = pool
        try:
            yield pool
        finally:
            del _pools[run_id]


def pool_of(run_id: str) -> WorkerPool:
    """Return the pool of a run.

    Raises:
        SchemaError: the flow has not started one.
    """
    if run_id not in _pools:
        raise SchemaError(f"run {run_id} has no worker processes: its flow must start them")
    return _pools[run_id]
