"""Locks: one run at a time. In a folder a lock is a flock on a file, in an object store a lease: see `storage.Storage`."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

from schemas.corpus import Corpus
from schemas.errors import ConflictError
from tasks.store import lance
from tasks.store.files import find_storage
from tasks.store.objects import leases

PUBLISH_WAIT_SECONDS = 120
"""Publishing takes seconds: it is worth waiting for."""


def hold_lock(path: Path, wait_seconds: float, what: str) -> AbstractContextManager[None]:
    """Hold the lock at `path`, made if need be, for the length of a block; `what` tells others what holds it. Not reentrant.

    Raises:
        ConflictError: another process or thread still holds it after `wait_seconds`.
        CorpusError: the file cannot be written, its file system has no locks, or the umask withholds files from a corpus's group.
        StoreError: the store refuses, or does not answer.
    """
    return find_storage(path).lock(path, wait_seconds, what)


@contextmanager
def try_lock(path: Path, what: str) -> Iterator[bool]:
    """Hold a lock for the length of the block, unless another holds it; yield whether it is held. Raises else as `hold_lock`."""
    with ExitStack() as stack:
        try:
            stack.enter_context(hold_lock(path, 0, what))
        except ConflictError:
            yield False
            return
        yield True


def confirm_locks(corpus: Corpus) -> None:
    """Check, before something is published, that nobody has taken over the locks that this process holds of the corpus.

    Raises:
        ConflictError: another process has: this one had not answered the store for long.
    """
    for name in ("refresh", "publish"):
        leases.confirm_lease(corpus.lock(name))


@contextmanager
def hold_publish_lock(corpus: Corpus) -> Iterator[None]:
    """Hold the corpus for publishing: nobody else writes its tables meanwhile.

    Raises:
        ConflictError: somebody else goes on publishing.
        CorpusError: the corpus cannot be written.
    """
    with hold_lock(corpus.lock("publish"), PUBLISH_WAIT_SECONDS, f"publishing in {corpus}"), lance.explain_failed_writes(corpus):
        yield
