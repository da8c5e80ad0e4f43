"""Connection: reach a Dask scheduler, and refuse one that has another Pagemill."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from typing import Any

from schemas.errors import InputError, ServiceError
from tasks.refresh.io.dask.cluster import Cluster
from tasks.refresh.io.dask.versions import NAME, here, version_problem

CONNECT_SECONDS = 10
WORKERS_SECONDS = 15.0
"""Longest waits for a scheduler that is down, and for the first worker."""

logger = logging.getLogger(__name__)


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """Connect to a Dask scheduler; check that it has this Pagemill, and workers.

    Raises:
        InputError: Dask is not installed here, or Pagemill is another one there.
        ServiceError: the scheduler does not answer, or has no worker.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError("run.task_runner is dask, but Dask is not installed: pip install 'pagemill[dask]'") from error
    if not address.startswith(("tls://", "wss://")):
        logger.warning("%s is not encrypted: whoever reaches it runs programs on its workers; see docs/scale.md", address)
    try:
        asyncio.run(_reach(address))
    except Exception as error:
        said = str(error).split("\n")[0]
        raise ServiceError(
            f"the Dask scheduler at {address} does not answer ({said}): start it, or correct the address"
        ) from error
    with Client(address, timeout=CONNECT_SECONDS, set_as_default=False) as client:
        try:
            client.wait_for_workers(1, timeout=WORKERS_SECONDS)
        except TimeoutError as error:
            raise ServiceError(f"the Dask scheduler at {address} has no worker: start some (dask worker {address})") from error
        check_scheduler(client, address)
        yield Cluster(client, address)


async def _reach(address: str) -> None:
    """Connect once and no more: a client that cannot connect goes on trying in a thread of its own."""
    from distributed.comm import connect
    from distributed.security import Security

    connection = await connect(address, timeout=CONNECT_SECONDS, **Security().get_connection_args("client"))
    await connection.close()


def check_scheduler(client: Any, address: str) -> None:
    """Check that the scheduler has this Pagemill. Only a function of Python's own is sent to find out.

    Raises:
        InputError: it has another version, or none; names both.
    """
    try:
        found = client.run_on_scheduler(metadata.version, NAME)
    except metadata.PackageNotFoundError as error:
        found = error
    problem = version_problem(here(), found, f"the Dask scheduler at {address}")
    if problem:
        raise InputError(problem)
