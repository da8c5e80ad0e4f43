"""Bodies: files of stores and other places as files of this machine, for as long as one process needs them.

They lie in a folder of the process's own among the user's caches, which it deletes when it ends; those of dead processes go
when the next one begins, with each clean-up and with each purge.
"""

import atexit
import hashlib
import os
import shutil
import threading
from collections.abc import Iterable
from pathlib import Path
from uuid import uuid4

import psutil

from tasks.store.user_cache import find_user_cache
from tasks.store.waiting import make_host_id

COPIES = "copies"

MOST_KEPT_BYTES = 2 * 2**30
"""Bodies whose digests were just made are kept for the parser, up to so many bytes together; others are fetched once more."""


def find_stores_cache() -> Path:
    """Return the folder for all that this machine keeps of stores and other places."""
    return find_user_cache() / "stores"


def make_process_folder() -> Path:
    """Return this process's folder for bodies, which it deletes when it ends; those of dead processes go now."""
    mine = find_stores_cache() / COPIES / f"{make_host_id()}-{os.getpid()}"
    if not mine.exists():
        find_stores_cache().mkdir(mode=0o700, parents=True, exist_ok=True)
        mine.parent.mkdir(exist_ok=True)
        delete_bodies_of_dead_processes()
        mine.mkdir(exist_ok=True)
        atexit.register(shutil.rmtree, mine, ignore_errors=True)
    return mine


def delete_bodies_of_dead_processes() -> None:
    """Delete what processes of this machine have left that were killed."""
    host = make_host_id()
    for other in (find_stores_cache() / COPIES).glob(f"{host}-*"):
        if not psutil.pid_exists(int(other.name.removeprefix(f"{host}-"))):
            shutil.rmtree(other, ignore_errors=True)


def download_body(parts: Iterable[bytes]) -> tuple[Path, int, str]:
    """Return a new file of the process's folder with the bytes of `parts`, their number and their digest."""
    made, sha256, size = make_process_folder() / f"{uuid4().hex}.part", hashlib.sha256(), 0
    try:
        with made.open("wb") as sink:
            for part in parts:
                sha256.update(part)
                size += sink.write(part)
    except BaseException:
        made.unlink(missing_ok=True)
        raise
    return made, size, sha256.hexdigest()


class KeptBodies:
    """Bodies that were fetched for their digests and are kept for the parser, by digest and suffix. Threads may share it."""

    def __init__(self) -> None:
        self._sizes: dict[str, int] = {}
        self._changing = threading.Lock()

    def keep_and_digest(self, parts: Iterable[bytes], suffix: str) -> str:
        """Return the digest of the bytes of `parts`. While there is room, they are kept for `take_file`."""
        made, size, sha256 = download_body(parts)
        kept = _place_body(sha256, suffix)
        with self._changing:
            keeps = not kept.exists() and sum(self._sizes.values()) + size <= MOST_KEPT_BYTES
            if keeps:
                self._sizes[sha256] = size
        made.replace(kept) if keeps else made.unlink()
        return sha256

    def take_file(self, parts: Iterable[bytes], sha256: str, suffix: str) -> Path:
        """Return a file that the caller deletes: the one kept with this digest, or else one with the bytes of `parts`."""
        copy = _place_body(sha256, suffix)
        with self._changing:
            self._sizes.pop(sha256, None)
        if not copy.exists():
            download_body(parts)[0].replace(copy)
        return copy


def _place_body(sha256: str, suffix: str) -> Path:
    return make_process_folder() / f"{sha256}{suffix}"


KEPT = KeptBodies()
"""What this process keeps."""
