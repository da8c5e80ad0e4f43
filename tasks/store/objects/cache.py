"""Copies: what one machine keeps of a store for itself, in the user's cache folder: packs, drafts, documents, texts of pictures.

Nothing published depends on it. When a document is purged, the corpus's epoch changes, and every machine drops what it kept of
the corpus before it refreshes it again.
"""

import atexit
import hashlib
import os
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

import psutil

from tasks.store.objects import client
from tasks.store.objects.paths import place_in_bucket
from tasks.store.user_cache import find_user_cache
from tasks.store.waiting import make_host_id

EPOCH = "epoch"
"""The object that changes with each purge of a corpus, and the file that says which of them this machine has seen."""

MOST_BYTES, UNUSED_SECONDS, IN_USE_SECONDS = 8 * 2**30, 14 * 86_400, 3_600
"""Copies of packs: so many bytes are kept, none longer than so many seconds after its last use, all so many after it."""

COPIES = "copies"

MOST_DOCUMENT_BYTES = 2 * 2**30
"""Documents whose digests were just made are kept for the parser, up to so many bytes together; others are fetched once more."""


class ObjectCopies:
    """The part of an object storage that keeps copies on this machine."""

    def __init__(self) -> None:
        self._kept_sizes: dict[str, int] = {}
        self._changing = threading.Lock()

    def local_path(self, path: Path) -> Path:
        find_stores_cache().mkdir(mode=0o700, parents=True, exist_ok=True)
        bucket, _ = place_in_bucket(path)
        store = hashlib.sha256(f"{client.find_store_endpoint()}\0{bucket}".encode()).hexdigest()[:16]
        return find_stores_cache().joinpath(store, *path.parts[2:])

    def upload(self, path: Path) -> None:
        client.put_object(*place_in_bucket(path), self.local_path(path).read_bytes())

    def fetch(self, path: Path) -> Path:
        kept = self.local_path(path)
        if not kept.exists():
            self.save(path, path.read_bytes())
        with suppress(FileNotFoundError):
            os.utime(kept)
        return kept

    def save(self, path: Path, content: bytes) -> None:
        """Keep a local copy of an object that never changes."""
        kept = self.local_path(path)
        kept.parent.mkdir(parents=True, exist_ok=True)
        part = kept.with_name(f".{uuid4().hex}.part")
        try:
            part.write_bytes(content)
            part.replace(kept)
        finally:
            part.unlink(missing_ok=True)

    @contextmanager
    def download(self, path: Path) -> Iterator[Path]:
        made, _, _ = _download_object(path)
        try:
            yield made
        finally:
            made.unlink(missing_ok=True)

    def digest_document(self, path: Path) -> str:
        made, size, sha256 = _download_object(path)
        with self._changing:
            keeps = sha256 not in self._kept_sizes and sum(self._kept_sizes.values()) + size <= MOST_DOCUMENT_BYTES
            if keeps:
                self._kept_sizes[sha256] = size
        if keeps:
            made.replace(_place_document_copy(sha256, path))
        else:
            made.unlink()
        return sha256

    def fetch_document(self, path: Path, sha256: str) -> Path:
        copy = _place_document_copy(sha256, path)
        with self._changing:
            self._kept_sizes.pop(sha256, None)
        if not copy.exists():
            _download_object(path)[0].replace(copy)
        return copy

    def start_epoch(self, private: Path) -> None:
        client.put_object(*place_in_bucket(private / EPOCH), uuid4().hex.encode())
        self.drop_outdated_copies(private)

    def drop_outdated_copies(self, private: Path) -> None:
        try:
            now = (private / EPOCH).read_text()
        except FileNotFoundError:
            now = ""
        seen = self.local_path(private) / EPOCH
        if not seen.exists() or seen.read_text() != now:
            shutil.rmtree(self.local_path(private), ignore_errors=True)
            seen.parent.mkdir(parents=True, exist_ok=True)
            seen.write_text(now)


def _place_document_copy(sha256: str, path: Path) -> Path:
    return make_process_folder() / f"{sha256}{path.suffix}"


def _download_object(path: Path) -> tuple[Path, int, str]:
    """Return a new local file with the bytes of an object, their number and their digest."""
    made, sha256, size = make_process_folder() / f"{uuid4().hex}.part", hashlib.sha256(), 0
    try:
        with made.open("wb") as sink:
            for part in client.stream_object(*place_in_bucket(path)):
                sha256.update(part)
                size += sink.write(part)
    except BaseException:
        made.unlink(missing_ok=True)
        raise
    return made, size, sha256.hexdigest()


def find_stores_cache() -> Path:
    """Return the folder for all stores."""
    return find_user_cache() / "stores"


def delete_copy_if_unused(kept: Path) -> None:
    """Delete a local copy that no process has used for an hour."""
    with suppress(FileNotFoundError):
        if time.time() - kept.stat().st_mtime > IN_USE_SECONDS:
            kept.unlink()


def clean_up_local_copies() -> None:
    """Delete copies that were not used for long, and the longest unused ones beyond the bytes that are kept."""
    now, total = time.time(), 0
    for stamp, size, path in sorted(_list_copies(find_stores_cache()), key=lambda one: -one[0]):
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


def make_process_folder() -> Path:
    """Return this process's folder for copies of documents, which it deletes when it ends; those of dead processes go now."""
    host = make_host_id()
    mine = find_stores_cache() / COPIES / f"{host}-{os.getpid()}"
    if not mine.exists():
        find_stores_cache().mkdir(mode=0o700, parents=True, exist_ok=True)
        mine.parent.mkdir(exist_ok=True)
        for other in mine.parent.glob(f"{host}-*"):
            if not psutil.pid_exists(int(other.name.removeprefix(f"{host}-"))):
                shutil.rmtree(other, ignore_errors=True)
        mine.mkdir(exist_ok=True)
        atexit.register(shutil.rmtree, mine, ignore_errors=True)
    return mine
