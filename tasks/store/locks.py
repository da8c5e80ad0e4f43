"""Locks: one run at a time, by flock on a file. The kernel frees a lock when its holder ends, however it ends.

In an object store, a lease stands for the file: see `tasks.store.objects.leases`.
"""

import fcntl
import json
import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import psutil

from schemas.corpus import Corpus
from schemas.errors import ConflictError, CorpusError
from tasks.store import files, lance
from tasks.store.access import sharing
from tasks.store.objects import leases
from tasks.store.objects.place import StorePath
from tasks.store.objects.waiting import name_holder, sign, wait_for

RETRY_SECONDS = 0.1


@contextmanager
def hold_lock(path: Path, wait_seconds: float, what: str) -> Iterator[None]:
    """Hold the lock file at `path`, made if need be, for the length of the block; `what` tells others what holds it.

    Not reentrant. Processes that are started meanwhile do not inherit the lock.

    Raises:
        ConflictError: another process or thread still holds it after `wait_seconds`.
        CorpusError: the file cannot be written, its file system has no locks, or the umask withholds files from a corpus's group.
    """
    if isinstance(path, StorePath):
        with leases.hold_lease(path, wait_seconds, what):
            yield
        return
    sharing.check_umask(path.parent.parent)
    handle = wait_for(lambda: _try_flock(path, what), lambda: _read_holder(path), wait_seconds, RETRY_SECONDS)
    try:
        yield
    finally:
        os.ftruncate(handle, 0)
        fcntl.flock(handle, fcntl.LOCK_UN)
        os.close(handle)


@contextmanager
def try_lock(path: Path, what: str) -> Iterator[bool]:
    """Hold a lock for the length of the block, if nobody else does; yield whether; raises as `hold_lock` otherwise."""
    with ExitStack() as stack:
        try:
            stack.enter_context(hold_lock(path, 0, what))
        except ConflictError:
            yield False
            return
        yield True


def _try_flock(path: Path, what: str) -> int | None:
    """Return the descriptor of the locked file, or None if another holds it."""
    handle = -1
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        _sign(handle, what)
    except OSError as error:
        if handle >= 0:
            os.close(handle)
        if isinstance(error, BlockingIOError):
            return None
        raise CorpusError(f"the lock file {path} cannot be locked: {files.explain_error(error)}") from error
    if _is_at(handle, path):
        return handle
    os.close(handle)
    return _try_flock(path, what)


def _sign(handle: int, what: str) -> None:
    """Replace what a former holder left in the file, who perhaps was killed."""
    os.ftruncate(handle, 0)
    os.pwrite(handle, json.dumps(sign(what)).encode(), 0)


def _is_at(handle: int, path: Path) -> bool:
    """Return whether the locked file is still the one at `path`: the corpus may have been deleted while we opened it."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(handle), path.stat())
    return False


def _read_holder(path: Path) -> str:
    """Name the holder, as far as the file tells it now: it may be silent, or speak of one who is no more."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        said = json.loads(path.read_bytes())
        if said["host"] != socket.gethostname() or psutil.pid_exists(said["pid"]):
            return name_holder(said)
    return "another run"


def confirm(corpus: Corpus) -> None:
    """Make sure, before something is published, that nobody has taken over what this process holds of the corpus.

    Raises:
        ConflictError: another process has: this one had not answered the store for long.
    """
    for name in ("refresh", "publish"):
        leases.confirm(corpus.lock(name))


PUBLISH_WAIT_SECONDS = 120
"""Publishing takes seconds: it is worth waiting for."""


@contextmanager
def publishing(corpus: Corpus) -> Iterator[None]:
    """Hold the corpus for publishing: nobody else writes its tables meanwhile.

    Raises:
        ConflictError: somebody else goes on publishing.
        CorpusError: the corpus cannot be written.
    """
    with hold_lock(corpus.lock("publish"), PUBLISH_WAIT_SECONDS, f"publishing in {corpus}"), lance.writing(corpus):
        yield
