"""Storage: what a corpus needs of the place where it lies. A folder and an object store do it each in their own way.

`tasks.store.files.find_storage` gives the storage of a path: it alone asks which kind of path that is.
"""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol

import pyarrow as pa


class FileStat(NamedTuple):
    """A file as a listing shows it: size in bytes, modification time (ns of the epoch), and the ETag of an object, else blank."""

    size: int
    mtime_ns: int
    etag: str = ""


class Storage(Protocol):
    """Bytes under paths. All paths that are given to a storage lie in it, but for those that a docstring calls local.

    Errors of a folder are OSError; those of an object store are FileNotFoundError and StoreError, which is an OSError too.
    """

    def stream(self, path: Path) -> Iterator[bytes]:
        """Yield the bytes of a file in parts."""

    def open_atomically(self, path: Path, durable: bool = False) -> AbstractContextManager[BinaryIO]:
        """Open a file to write. When the block ends well, it is at `path`, and on the disk if `durable`; else it is nowhere."""

    def link(self, source: Path, path: Path) -> None:
        """Give a file that never changes another name, or copy it where files have one name only. A file at `path` stays."""

    def move(self, source: Path, path: Path) -> None:
        """Give a file another name."""

    def delete(self, paths: Iterable[Path]) -> None:
        """Delete files, and the local copies of them. They need not be there."""

    def delete_tree(self, folder: Path) -> None:
        """Delete a folder with all below, and the local copies of it. It need not be there."""

    def list_below(self, folder: Path) -> Iterator[tuple[str, FileStat]]:
        """Yield the files below a folder, by their paths relative to it. Other processes may delete some meanwhile."""

    def stat_files(self, folder: Path, paths: Iterable[str]) -> dict[str, FileStat]:
        """Return those of some files below a folder that are there, by their paths relative to it.

        Raises:
            CorpusError: this user may not enter a folder on the way.
        """

    def open_arrow(self, path: Path) -> pa.NativeFile:
        """Open an Arrow file to read it: mapped into memory, or read whole from an object store."""

    def list_arrow_files(self, folder: Path, pattern: str, key: bytes) -> Iterator[tuple[Path, bytes, int]]:
        """Yield whole Arrow files below `folder` that fit a pattern, with the value of `key` in their metadata and their size."""

    def lock(self, path: Path, wait_seconds: float, what: str) -> AbstractContextManager[None]:
        """Hold a lock for the length of a block; see `tasks.store.locks.hold_lock`."""

    def build_folder(self, path: Path, apart: Path, replace: bool = False) -> AbstractContextManager[Path]:
        """Give a folder to fill. It is at `path` when the block ends well; in a local folder, nobody sees it before.

        It is made below `apart`, on the same disk. With `replace`, a folder that is at `path` is deleted first.
        """

    def make_corpus(self, folder: Path, private: bool) -> None:
        """Make the folders of a corpus, for this user alone if `private`; in an object store, check what commits rely on.

        Raises:
            CorpusError: the umask withholds files from the group that shares the folder.
            StoreError: the store refuses, does not answer, or will not do.
        """

    def share(self, path: Path) -> None:
        """Let those read a file who can read its folder."""

    def sync(self, path: Path) -> None:
        """Bring a file, or the names in a folder, to the disk."""

    def sync_since(self, folder: Path, since: float) -> None:
        """Bring to the disk what was modified in a folder at `since` (seconds of the epoch) or later."""

    def sweep(self, folder: Path) -> None:
        """Delete the temporary files and folders below `folder` whose process is no more: it was killed while it wrote."""

    def local_path(self, path: Path) -> Path:
        """Return where this machine keeps its own of a path; a path in a folder is its own."""

    def upload(self, path: Path) -> None:
        """Bring the file at `local_path(path)` to `path`."""

    def fetch(self, path: Path) -> Path:
        """Return a local file with the bytes of one that never changes; a copy of an object is kept."""

    def download(self, path: Path) -> AbstractContextManager[Path]:
        """Give a local file with the bytes of a file for the length of a block."""

    def start_epoch(self, private: Path) -> None:
        """Have every machine drop its copies of a corpus, given by its private folder; this machine does it now."""

    def drop_outdated_copies(self, private: Path) -> None:
        """Drop this machine's copies of a corpus if a document was purged from it since they were made."""
