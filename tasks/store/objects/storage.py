"""Object storage: the storage of paths in a bucket, where an object is written at once and a lease stands for a lock."""

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast
from uuid import uuid4

import pyarrow as pa

from schemas.corpus import PRIVATE
from schemas.errors import StoreError
from tasks.store.bodies import make_process_folder
from tasks.store.objects import client
from tasks.store.objects.cache import ObjectCopies, delete_copy_if_unused
from tasks.store.objects.leases import hold_lease
from tasks.store.objects.paths import StorePath, as_object, place_in_bucket
from tasks.store.storage import FileStat, Storage

MEMORY_BYTES = 8 * 2**20
"""What is written lies in memory up to so many bytes, then in a temporary file, until it is sent."""

TAIL_BYTES = 65_536
"""What is read at first of an Arrow file: it holds the schemas of most files."""

PROBED = "store.json"
"""The marker in a corpus's private folder that its store was probed."""


class ObjectStorage(ObjectCopies, Storage):
    """The storage of StorePaths. What it puts is on disks when the store says so: there is nothing to sync or to sweep."""

    def stream(self, path: Path) -> Iterator[bytes]:
        return client.stream_object(*place_in_bucket(path))

    @contextmanager
    def open_atomically(self, path: Path, durable: bool = False) -> Iterator[BinaryIO]:
        # What is written becomes one object when the block ends well.
        with tempfile.SpooledTemporaryFile(MEMORY_BYTES, dir=str(make_process_folder())) as content:
            yield cast(BinaryIO, content)
            content.seek(0)
            client.put_object(*place_in_bucket(path), content)

    def link(self, source: Path, path: Path) -> None:
        bucket, key = place_in_bucket(source)
        client.copy_object(bucket, key, place_in_bucket(path)[1])

    def move(self, source: Path, path: Path) -> None:
        self.link(source, path)
        source.unlink()

    def delete(self, paths: Iterable[Path]) -> None:
        keys: dict[str, list[str]] = {}
        for path in paths:
            self.local_path(path).unlink(missing_ok=True)
            bucket, key = place_in_bucket(path)
            keys.setdefault(bucket, []).append(key)
        for bucket, of_bucket in keys.items():
            client.delete_objects(bucket, of_bucket)

    def delete_tree(self, folder: Path) -> None:
        self.delete(as_object(folder).below())
        shutil.rmtree(self.local_path(folder), ignore_errors=True)

    def list_below(self, folder: Path) -> Iterator[tuple[str, FileStat]]:
        for path in as_object(folder).below():
            found = path.stat()
            yield make_key_relative(path, folder), FileStat(found.st_size, found.st_mtime_ns, path.etag)

    def stat_files(self, folder: Path, paths: Iterable[str]) -> dict[str, FileStat]:
        # The folders right below that hold the files are listed: that takes fewer requests than to ask for each file.
        wanted = list(paths)
        tops = sorted({path.partition("/")[0] for path in wanted if "/" in path})
        listed = {f"{top}/{path}": found for top in tops for path, found in self.list_below(folder / top)}
        heads = {path: client.read_object_info(*place_in_bucket(folder / path)) for path in wanted if "/" not in path}
        listed |= {path: FileStat(found.size, found.mtime_ns, found.etag) for path, found in heads.items() if found}
        return {path: listed[path] for path in wanted if path in listed}

    def open_arrow(self, path: Path) -> pa.NativeFile:
        return pa.BufferReader(path.read_bytes())

    def list_arrow_files(self, folder: Path, pattern: str, key: bytes) -> Iterator[tuple[Path, bytes, int]]:
        # What was read of a file is kept, for such files never change. What is gone is forgotten, but not what is younger than
        # an hour: another process may be about to upload it.
        paths = list(as_object(folder).glob(pattern))
        with ThreadPoolExecutor(client.AT_ONCE) as threads:
            values = list(threads.map(lambda path: self._read_metadata(path, key), paths))
        yield from ((path, value, path.stat().st_size) for path, value in zip(paths, values, strict=True) if value is not None)
        there = {self.local_path(path).stem for path in paths}
        for kept in self.local_path(folder).glob(pattern.removesuffix(".arrow") + ".*"):
            if kept.stem not in there:
                delete_copy_if_unused(kept)

    def lock(self, path: Path, wait_seconds: float, what: str) -> AbstractContextManager[None]:
        return hold_lease(as_object(path), wait_seconds, what)

    @contextmanager
    def build_folder(self, path: Path, apart: Path, replace: bool = False) -> Iterator[Path]:
        # It is built in place: what makes it a table or a corpus is written last, by one request.
        yield path

    def make_corpus(self, folder: Path, private: bool) -> None:
        # A store that was probed for the corpus is not probed again.
        bucket, key = place_in_bucket(folder / PRIVATE)
        if client.read_object_info(bucket, f"{key}/{PROBED}") is None:
            _check_conditional_writes(bucket, f"{key}/probe-{uuid4().hex}")
            client.put_object(bucket, f"{key}/{PROBED}", b'{"conditional": true}')

    def share(self, path: Path) -> None:
        """Do nothing: the store's own rules say who may read."""

    def sync(self, path: Path) -> None:
        """Do nothing."""

    def sync_since(self, folder: Path, since: float) -> None:
        """Do nothing."""

    def sweep(self, folder: Path) -> None:
        """Do nothing."""

    def _read_metadata(self, path: StorePath, key: bytes) -> bytes | None:
        """Return a value of an Arrow file's metadata, from the end of the object; None if it is no such file, or cut short."""
        known = self.local_path(path).with_suffix(f".{key.decode()}")
        with suppress(FileNotFoundError):
            return known.read_bytes()
        try:
            schema = pa.ipc.open_file(pa.PythonFile(_Tail(path, path.stat().st_size), mode="r")).schema
            value: bytes = schema.metadata[key]
        except (pa.ArrowInvalid, TypeError, KeyError, FileNotFoundError):
            return None
        self.save(path.with_suffix(f".{key.decode()}"), value)
        return value


def make_key_relative(path: StorePath, folder: Path) -> str:
    """Return the key of an object relative to a folder in its bucket."""
    key = place_in_bucket(folder)[1]
    return path.key.removeprefix(f"{key}/" if key else "")


def _check_conditional_writes(bucket: str, key: str) -> None:
    """Refuse a store without conditions on writes: where two writers are told that they made one object, commits are lost.

    Raises:
        StoreError: the store accepts two objects of one name, or refuses, or does not answer.
    """
    first = client.put_object_if_unchanged(bucket, key, b"first", None)
    try:
        second = client.put_object_if_unchanged(bucket, key, b"second", None)
        stale = client.put_object_if_unchanged(bucket, key, b"third", '"0123456789abcdef0123456789abcdef"')
        kept = client.put_object_if_unchanged(bucket, key, b"fourth", first) if first else None
    finally:
        client.delete_objects(bucket, [key])
    if first is None or second is not None or stale is not None or kept is None:
        raise StoreError(
            f"s3://{bucket}: the store does not keep the conditions If-None-Match and If-Match of a write, so that two runs "
            "could overwrite each other's work: use a store that does, see docs/stores.md"
        )


class _Tail:
    """An object as a file of which only the end was fetched; what comes before it is fetched when it is read."""

    closed = False

    def __init__(self, path: StorePath, size: int) -> None:
        self._path, self._size, self._at = path, size, 0
        self._start = max(0, size - TAIL_BYTES)
        self._tail = client.get_object_range(path.bucket, path.key, self._start, size)

    def read(self, n: int = -1) -> bytes:
        end = self._size if n < 0 else min(self._size, self._at + n)
        start, self._at = self._at, end
        if start >= self._start:
            return self._tail[start - self._start : end - self._start]
        return client.get_object_range(self._path.bucket, self._path.key, start, end) if end > start else b""

    def seek(self, offset: int, whence: int = 0) -> int:
        self._at = offset + (0, self._at, self._size)[whence]
        return self._at

    def tell(self) -> int:
        return self._at

    def size(self) -> int:
        return self._size

    def close(self) -> None:
        self.closed = True

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def writable(self) -> bool:
        return False
