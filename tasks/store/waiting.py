"""Waiting for a lock, in a folder or in a store, and the names of those who hold one: a process, a host, a start of a machine."""

import hashlib
import logging
import os
import socket
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from schemas.errors import ConflictError

Held = TypeVar("Held")

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
SIGNATURE = ("what", "pid", "host", "since")

logger = logging.getLogger(__name__)


def wait_for_lock(
    attempt: Callable[[], Held | None],
    holder: Callable[[], str],
    wait_seconds: float,
    look_seconds: float,
    may_give_up: Callable[[], bool] = lambda: True,
) -> Held:
    """Return what `attempt` gives, once that is not None, called every `look_seconds`; `holder` names who holds the lock.

    Raises:
        ConflictError: another still holds it after `wait_seconds`, and `may_give_up` agrees.
    """
    deadline, told = time.monotonic() + wait_seconds, False
    while (found := attempt()) is None:
        left = deadline - time.monotonic()
        if left <= 0 and may_give_up():
            raise ConflictError(
                f"the corpus is in use by {holder()}: wait until it ends, or set --lock-wait (publish.lock_wait_seconds)"
            )
        if not told:
            logger.warning("waiting for %s", holder())
            told = True
        time.sleep(min(look_seconds, left) if left > 0 else look_seconds)
    return found


def describe_lock_holder(what: str) -> dict[str, object]:
    """Return what a holder says of itself."""
    return {"what": what, "pid": os.getpid(), "host": socket.gethostname(), "since": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"}


def name_holder(signed: Mapping[str, object]) -> str:
    """Return who has signed, for people.

    >>> name_holder({"what": "a refresh of notes", "pid": 7, "host": "mill", "since": "2026-01-01T00:00:00Z"})
    'a refresh of notes (process 7 on mill since 2026-01-01T00:00:00Z)'
    >>> name_holder({})
    'another run'
    """
    if not signed.keys() >= {*SIGNATURE}:
        return "another run"
    return "{what} (process {pid} on {host} since {since})".format(**{part: signed[part] for part in SIGNATURE})


def make_host_id() -> str:
    """Return 8 hex digits that stand for the name of this host in names of files."""
    return hashlib.sha256(socket.gethostname().encode()).hexdigest()[:8]


def read_boot_id() -> str:
    """Return an id of this start of the machine; blank where the system has none."""
    return BOOT_ID.read_text().strip() if BOOT_ID.exists() else ""
