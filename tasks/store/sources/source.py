"""A source: a place that documents come from. It lists its files, and gives the bytes of each by the path of the listing."""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple, Protocol

from schemas.media_types import START_BYTES
from tasks.store.bodies import KEPT

NO_METADATA: Mapping[str, object] = {}


class ListedFile(NamedTuple):
    """A file of a source: `path` relative to it with `/`, size in bytes, modification time (ns of the epoch); why it is refused.

    Where a source tells contents by ETag or digest, `mtime_ns` is `make_content_number` of that; sizes may be 0 where none is
    told. `media_type` is for files whose names do not tell it, `metadata` what the source says of the document, as JSON values.
    """

    path: str
    size: int
    mtime_ns: int
    refused: str = ""
    media_type: str = ""
    metadata: Mapping[str, object] = NO_METADATA


class SourceListing(NamedTuple):
    """The files of a source, sorted by path; why it is not complete, if so; what the source wants to know at its next listing.

    A listing that is not complete removes nothing: documents that it lacks stay as they are.
    """

    files: list[ListedFile]
    incomplete: str = ""
    memory: bytes = b""


class Source(Protocol):
    """Where documents come from. Errors of one file are OSError; those of the whole place are InputError and StoreError.

    A source that Pagemill does not bring along needs no more than `uri`, `list_files` and `stream`.
    """

    uri: str
    """What names it: absolute, and without a password."""
    readers: int = 4
    """Files that are worth reading at once."""
    large_bytes: int = 0
    """A file of so many bytes is worth a reader of its own."""
    tells_rights: bool = False
    """Whether a listing says by itself who may read each file, as `groups` in its metadata, if that is wanted."""
    has_memory: bool = False
    """Whether a listing wants to know what the last one remembered."""

    def list_files(self, memory: bytes) -> SourceListing:
        """List the documents, but no hidden files, marks of open documents and corpora. `memory` is the last listing's.

        Raises:
            InputError: it is no place that can be read.
            StoreError: it refuses, breaks off or does not answer; nothing is removed then.
        """
        ...

    def stream(self, path: str) -> Iterator[bytes]:
        """Yield the bytes of a file in parts.

        Raises:
            FileNotFoundError: there is no such file any more.
            OSError: it cannot be read.
            StoreError: the whole place refuses, or does not answer.
        """
        ...

    def read_start(self, file: ListedFile) -> bytes:
        """Return the first bytes of a file, up to START_BYTES; raises as `stream`."""
        start = b""
        for part in self.stream(file.path):
            start += part
            if len(start) >= START_BYTES:
                break
        return start[:START_BYTES]

    def digest_file(self, path: str) -> str:
        """Return the SHA-256 of a file, 64 hex digits. While there is room, it is kept for `fetch_file`."""
        return KEPT.keep_and_digest(self.stream(path), PurePosixPath(path).suffix)

    def fetch_file(self, path: str, sha256: str) -> Path:
        """Return a file of this machine with the bytes of a document, which the caller deletes if it is a copy."""
        return KEPT.take_file(self.stream(path), sha256, PurePosixPath(path).suffix)


def make_content_number(tag: str) -> int:
    """Return a number of an ETag or digest that stands for a time: smaller than any of today, it tells changes for sure.

    >>> 0 <= make_content_number('"9a0364b9"') < 10**18
    True
    """
    return int.from_bytes(hashlib.sha256(tag.encode()).digest()[:7])
