"""Worker processes that are kept from one refresh to the next: where they are started each time, they take most of the time."""

import os
from collections.abc import Hashable

from schemas.options.sections import LimitOptions
from tasks.workers.environment import make_worker_environment
from tasks.workers.pool import WorkerPool

MOST_POOLS = 2
"""Pools that are kept while nobody uses them: their processes hold models."""


class KeptWorkers:
    """Lends pools in the place of `WorkerPool`; refreshes of equal limits, environment and folder get the same one."""

    def __init__(self) -> None:
        self._pools: dict[Hashable, WorkerPool] = {}

    def __call__(self, limits: LimitOptions) -> "Lent":
        """Return a pool for one refresh."""
        kind = (limits, tuple(sorted(make_worker_environment().items())), os.getcwd())
        kept = self._pools.pop(kind) if kind in self._pools else None
        return Lent(self, kind, kept or WorkerPool(limits))

    def take_back(self, kind: Hashable, pool: WorkerPool) -> None:
        """Keep a pool for the next refresh; end the one that is kept for longest where they become too many."""
        replaced = self._pools.pop(kind, None)
        self._pools[kind] = pool
        if not replaced and len(self._pools) > MOST_POOLS:
            replaced = self._pools.pop(next(iter(self._pools)))
        if replaced:
            replaced.close()

    def close(self) -> None:
        """End all workers."""
        for pool in self._pools.values():
            pool.close()


class Lent:
    """A pool for the length of one refresh. A failed one may leave calls undone: its pool is then ended, as it always is."""

    def __init__(self, keeper: KeptWorkers, kind: Hashable, pool: WorkerPool) -> None:
        self._keeper, self._kind, self._pool = keeper, kind, pool

    def __enter__(self) -> WorkerPool:
        return self._pool

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        if error and self._pool._n_open:
            self._pool.close()
        else:
            self._keeper.take_back(self._kind, self._pool)
