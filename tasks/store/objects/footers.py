"""Footers: the schema of an Arrow file in a store, read from the end of the file instead of all of it."""

import pyarrow as pa

from tasks.store.objects import client
from tasks.store.objects.place import StorePath

TAIL_BYTES = 65_536
"""What is read at first: it holds the schemas of most files."""


class _Tail:
    """A file of which only the end is at hand; what comes before it is fetched when it is read."""

    closed = False

    def __init__(self, path: StorePath, size: int) -> None:
        self._path, self._size, self._at = path, size, 0
        self._start = max(0, size - TAIL_BYTES)
        self._tail = client.get_range(path.bucket, path.key, self._start, size)

    def read(self, n: int = -1) -> bytes:
        end = self._size if n < 0 else min(self._size, self._at + n)
        start, self._at = self._at, end
        if start >= self._start:
            return self._tail[start - self._start : end - self._start]
        return client.get_range(self._path.bucket, self._path.key, start, end) if end > start else b""

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


def read_schema(path: StorePath, size: int) -> pa.Schema:
    """Return the schema of an Arrow file of `size` bytes.

    Raises:
        FileNotFoundError: there is no such object.
        ArrowInvalid: it is not an Arrow file.
        StoreError: the store refuses, or does not answer.
    """
    return pa.ipc.open_file(pa.PythonFile(_Tail(path, size), mode="r")).schema
