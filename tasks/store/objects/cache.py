"""Copies: what one machine keeps of a store for itself, in the user's cache folder: packs, drafts, texts of pictures.

Nothing published depends on it. When a document is purged, the corpus's epoch changes, and every machine drops what it kept of
the corpus before it refreshes it again.
"""

import hashlib
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from tasks.store.bodies import COPIES, delete_bodies_of_dead_processes, download_body, find_stores_cache
from tasks.store.objects import client
from tasks.store.objects.paths import place_in_bucket

EPOCH = "epoch"
"""The object that changes with each purge of a corpus, and the file that says which of them this machine has seen."""

MOST_BYTES, UNUSED_SECONDS, IN_USE_SECONDS = 8 * 2**30, 14 * 86_400, 3_600
"""Copies of packs: so many bytes are kept, none longer than so many seconds after its last use, all so many after it."""


class ObjectCopies:
    """The part of an object storage that keeps copies on this machine."""

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
        made, _, _ = download_body(client.stream_object(*place_in_bucket(path)))
        try:
            yield made
        finally:
            made.unlink(missing_ok=True)

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


def delete_copy_if_unused(kept: Path) -> None:
    """Delete a local copy that no process has used for an hour."""
    with suppress(FileNotFoundError):
        if time.time() - kept.stat().st_mtime > IN_USE_SECONDS:
            kept.unlink()


def clean_up_local_copies() -> None:
    """Delete copies that were not used for long, the longest unused ones beyond the bytes that are kept, and bodies left over."""
    delete_bodies_of_dead_processes()
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
