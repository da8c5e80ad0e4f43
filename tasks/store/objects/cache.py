"""What one machine keeps of a store for itself, in the user's cache folder: copies of packs, drafts, texts read in pictures.

Nothing published depends on it. When a document is purged, the corpus's epoch changes, and every machine drops what it kept of
the corpus before it refreshes it again.
"""

import atexit
import hashlib
import os
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import psutil

from tasks.store.objects import client
from tasks.store.objects.paths import StorePath
from tasks.store.user_cache import user_cache

EPOCH = "epoch"
"""The object that changes with each purge of a corpus, and the file that says which of them this machine has seen."""

MOST_BYTES, UNUSED_SECONDS, IN_USE_SECONDS = 8 * 2**30, 14 * 86_400, 3_600
"""Copies of packs: so many bytes are kept, none longer than so many seconds after its last use, all so many after it."""

COPIES = "copies"


def stores_cache() -> Path:
    """Return the folder for all stores."""
    return user_cache() / "stores"


def local_path(path: StorePath) -> Path:
    """Return where this machine keeps its own of a place in a store."""
    stores_cache().mkdir(mode=0o700, parents=True, exist_ok=True)
    store = hashlib.sha256(f"{client.endpoint()}\0{path.bucket}".encode()).hexdigest()[:16]
    return stores_cache().joinpath(store, *path.parts[2:])


def fetch_copy(path: StorePath) -> Path:
    """Return a local copy of an object that never changes, fetched if it is not there.

    Raises:
        FileNotFoundError: there is no such object.
        StoreError: the store refuses, or does not answer.
    """
    kept = local_path(path)
    if not kept.exists():
        save_copy(path, path.read_bytes())
    with suppress(FileNotFoundError):
        os.utime(kept)
    return kept


def save_copy(path: StorePath, content: bytes) -> None:
    """Keep a local copy of an object that never changes."""
    kept = local_path(path)
    kept.parent.mkdir(parents=True, exist_ok=True)
    part = kept.with_name(f".{uuid4().hex}.part")
    try:
        part.write_bytes(content)
        part.replace(kept)
    finally:
        part.unlink(missing_ok=True)


def delete_if_unused(kept: Path) -> None:
    """Delete a local copy that no process has used for an hour."""
    with suppress(FileNotFoundError):
        if time.time() - kept.stat().st_mtime > IN_USE_SECONDS:
            kept.unlink()


def clean_up_copies() -> None:
    """Delete copies that were not used for long, and the longest unused ones beyond the bytes that are kept."""
    now, total = time.time(), 0
    for stamp, size, path in sorted(_list_copies(stores_cache()), key=lambda one: -one[0]):
        total += size
        age = now - stamp
        if age > UNUSED_SECONDS or (total > MOST_BYTES and age > IN_USE_SECONDS):
            path.unlink(missing_ok=True)


def _list_copies(folder: Path) -> Iterator[tuple[float, int, Path]]:
    for at, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != COPIES]
        for name in names:
            if name == EPOCH:
                continue
            with suppress(FileNotFoundError):
                found = Path(at, name).stat()
                yield found.st_mtime, found.st_size, Path(at, name)


def start_epoch(private: StorePath) -> None:
    """Have every machine drop what it keeps of a corpus, given by its private folder; this one does it now."""
    client.put(private.bucket, (private / EPOCH).key, uuid4().hex.encode())
    drop_outdated_copies(private)


def drop_outdated_copies(private: StorePath) -> None:
    """Drop what this machine keeps of a corpus if a document was purged from it since."""
    try:
        now = (private / EPOCH).read_text()
    except FileNotFoundError:
        now = ""
    seen = local_path(private) / EPOCH
    if not seen.exists() or seen.read_text() != now:
        shutil.rmtree(local_path(private), ignore_errors=True)
        seen.parent.mkdir(parents=True, exist_ok=True)
        seen.write_text(now)


def process_copies() -> Path:
    """Return this process's folder for copies of documents, which it deletes when it ends; those of dead processes go now."""
    host = hashlib.sha256(socket.gethostname().encode()).hexdigest()[:8]
    mine = stores_cache() / COPIES / f"{host}-{os.getpid()}"
    if not mine.exists():
        stores_cache().mkdir(mode=0o700, parents=True, exist_ok=True)
        mine.parent.mkdir(exist_ok=True)
        for other in mine.parent.glob(f"{host}-*"):
            if not psutil.pid_exists(int(other.name.removeprefix(f"{host}-"))):
                shutil.rmtree(other, ignore_errors=True)
        mine.mkdir(exist_ok=True)
        atexit.register(shutil.rmtree, mine, ignore_errors=True)
    return mine
