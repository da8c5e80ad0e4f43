"""Leases: one run at a time in an object store, by an object that only its holder may replace.

The holder renews the object; whoever watches it unchanged for LEASE_SECONDS of its own clock takes it over, so that no two clocks
are compared. A free lease stays as an object, so that its fence counts every holder there ever was.
"""

import json
import logging
import os
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import psutil

from schemas.errors import ConflictError, StoreError
from tasks.store.objects import client
from tasks.store.objects.paths import StorePath
from tasks.store.waiting import describe_lock_holder, name_holder, read_boot_id, wait_for_lock

LEASE_SECONDS, BEAT_SECONDS, LOOK_SECONDS = 20.0, 4.0, 0.5
"""A lease expires LEASE_SECONDS after it was last renewed. Its holder renews it every BEAT_SECONDS; who waits for it looks at it
every LOOK_SECONDS."""

logger = logging.getLogger(__name__)


class Lease:
    """A lease that this process holds, renewed by a thread of its own until `release`."""

    def __init__(self, path: StorePath, what: str, fence: int) -> None:
        self.path, self.etag, self.lost = path, "", ""
        started = psutil.Process().create_time()
        own = {"holder": uuid4().hex, "fence": fence, "beat": 0, "started": started, "machine": _read_machine_id()}
        self._state: dict[str, Any] = own | describe_lock_holder(what)
        self._renewed, self._unanswered = time.monotonic(), False
        self._changing = threading.Lock()
        self._ended = threading.Event()

    def take(self, etag: str | None) -> bool:
        """Try to take the lease from the state with this ETag (None: it was never held); renew it from now on."""
        if not self._write_state(etag):
            return False
        threading.Thread(target=self._renew_until_released, name="pagemill-lease", daemon=True).start()
        return True

    def confirm(self) -> None:
        """Renew the lease now.

        Raises:
            ConflictError: another process has taken it over.
        """
        with self._changing:
            if not self.lost and not self._write_state(self.etag):
                self.lost = "another process has taken the corpus over, because this one had not answered for long"
        if self.lost:
            raise ConflictError(
                f"{self.path.name} of {self.path.parent.parent}: {self.lost}; nothing was published, run this again"
            )

    def release(self) -> None:
        """Release the lease, so that others can take it."""
        self._ended.set()
        with self._changing, suppress(StoreError):
            if not self.lost and not self._unanswered:  # else it runs out by itself
                self._state = {"free": True, "fence": self._state["fence"], "holder": self._state["holder"]}
                self._write_state(self.etag)

    def _write_state(self, etag: str | None) -> bool:
        """Replace the state that has this ETag by ours; return whether it is ours. If an answer is lost, the state is read."""
        self._state["beat"] = self._state.get("beat", 0) + 1
        content = json.dumps(self._state).encode()
        try:
            new = client.put_object_if_unchanged(self.path.bucket, self.path.key, content, etag)
        except StoreError:
            new, self._unanswered = None, True
            if not self._is_ours(content):
                raise
        if new is None and not self._is_ours(content):
            return False
        self.etag, self._unanswered = new or self.etag, False
        self._renewed = time.monotonic()
        return True

    def _is_ours(self, content: bytes) -> bool:
        try:
            there, found = client.get_object_with_info(self.path.bucket, self.path.key)
        except FileNotFoundError:
            return False
        self.etag = found.etag if there == content else self.etag
        return there == content

    def _renew_until_released(self) -> None:
        while not self._ended.wait(BEAT_SECONDS):
            try:
                self.confirm()
            except ConflictError as error:
                logger.warning("%s", error)
                return
            except StoreError as error:
                if time.monotonic() - self._renewed > LEASE_SECONDS:
                    logger.warning("%s cannot be renewed: %s", self.path, error)


class LeaseWatch:
    """Looks at a lease again and again, until it is free."""

    def __init__(self, path: StorePath, what: str) -> None:
        self._path, self._what = path, what
        self._state: dict[str, Any] = {}
        self._seen: str | None = None
        self._changed, self._beats = time.monotonic(), False

    def take(self) -> Lease | None:
        """Take the lease if it is free, or if its holder has died or was silent for LEASE_SECONDS; else return None."""
        self._state, etag = _read_lease(self._path)
        now = time.monotonic()
        self._beats = self._seen not in (None, etag)
        if etag != self._seen:
            self._changed, self._seen = now, etag
        if self._state.get("free", not self._state) or _has_holder_died(self._state) or now - self._changed > LEASE_SECONDS:
            lease = Lease(self._path, self._what, self._state.get("fence", 0) + 1)
            return lease if lease.take(etag or None) else None
        return None

    def is_alive(self) -> bool:
        """Return whether the holder is known to live: it has just renewed the lease, or is a process of this machine."""
        return self._beats or _is_holder_alive(self._state)

    def name_holder(self) -> str:
        """Return who holds the lease."""
        return name_holder(self._state)


_leases: dict[str, Lease] = {}


@contextmanager
def hold_lease(path: StorePath, wait_seconds: float, what: str) -> Iterator[None]:
    """Hold a lease for the length of the block; `what` tells others what holds it.

    A holder on another machine is believed to be dead when its lease was not renewed for LEASE_SECONDS, even if that is more than
    `wait_seconds`.

    Raises:
        ConflictError: another process or thread still holds it.
        StoreError: the store refuses, or does not answer.
    """
    watch = LeaseWatch(path, what)
    lease = wait_for_lock(watch.take, watch.name_holder, wait_seconds, LOOK_SECONDS, watch.is_alive)
    _leases[str(path)] = lease
    try:
        yield
    finally:
        del _leases[str(path)]
        lease.release()


def confirm_lease(path: Path) -> None:
    """Check that a lease that this process holds is still its own. A lease that it does not hold is not checked.

    Raises:
        ConflictError: another process has taken it over.
    """
    lease = _leases.get(str(path))
    if lease:
        lease.confirm()


def _read_lease(path: StorePath) -> tuple[dict[str, Any], str]:
    try:
        content, found = client.get_object_with_info(path.bucket, path.key)
    except FileNotFoundError:
        return {}, ""
    try:
        state = json.loads(content)
    except ValueError:
        state = {}
    return (state if isinstance(state, dict) else {}), found.etag


def _read_machine_id() -> str:
    """Return an id of this start of the machine and of its process namespace; blank where the system has none."""
    try:
        return f"{read_boot_id()} {os.readlink('/proc/self/ns/pid')}" if read_boot_id() else ""
    except OSError:
        return ""


def _is_on_this_machine(state: Mapping[str, object]) -> bool:
    return bool(state.get("machine")) and (state.get("machine"), state.get("host")) == (_read_machine_id(), socket.gethostname())


def _is_holder_alive(state: dict[str, Any]) -> bool:
    """Return whether the holder is a living process of this machine."""
    try:
        return _is_on_this_machine(state) and psutil.Process(state["pid"]).create_time() == state["started"]
    except (psutil.Error, KeyError, TypeError, ValueError):
        return False


def _has_holder_died(state: dict[str, Any]) -> bool:
    return _is_on_this_machine(state) and not _is_holder_alive(state)
