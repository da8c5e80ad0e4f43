"""Files: atomic writes, digests and Arrow files, in a folder or in an object store."""

import errno
import hashlib
import io
import os
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import psutil
import pyarrow as pa

from schemas.errors import InputError, SchemaError, StoreError, WriteError
from tasks.store.access.sharing import OWN_FILE, choose_file_mode, choose_folder_mode
from tasks.store.objects import client
from tasks.store.objects.place import StorePath

REASONS = {
    errno.ENOSPC: "no space left on its disk; free some space, then run this again",
    errno.EDQUOT: "this user's disk quota is used up; free some space, then run this again",
    errno.EROFS: "its file system is read-only; make it writable, or choose another folder",
    errno.EACCES: "this user has no permission; grant it, or choose another folder",
    errno.EPERM: "this user has no permission; grant it, or choose another folder",
    errno.EFBIG: "the file would be larger than the limit; raise that limit (ulimit -f), then run this again",
    errno.EMFILE: "too many files are open; raise that limit (ulimit -n), then run this again",
}
"""Why something cannot be written, and what to do."""

NO_LINKS = (errno.EPERM, errno.EXDEV, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)
"""Errors of file systems that give a file one name only."""

TEMPORARY = ".tmp-"
FOREIGN_AGE_SECONDS = 86_400
"""A temporary file of another machine's process goes after a day: nobody can tell here whether that process lives."""
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def put(path: Path, content: bytes) -> None:
    """Write `content` to `path` at once: readers see nothing or all of it. Folders are made.

    Raises:
        WriteError: it cannot be written.
    """
    with explain_errors(path), open_atomically(path) as sink:
        sink.write(content)


def explain_error(error: OSError) -> str:
    """Return why something could not be written, and what to do.

    >>> explain_error(OSError(errno.ENOSPC, "No space left on device"))
    'no space left on its disk; free some space, then run this again'
    """
    if isinstance(error, StoreError):
        return str(error)
    said = f"{error.strerror or error}; check its permissions and the free disk space, then run this again"
    return REASONS.get(error.errno or 0, said)


@contextmanager
def explain_errors(path: Path) -> Iterator[None]:
    """Name `path` when the block cannot write it, not the temporary file beside it.

    Raises:
        WriteError: it cannot be written.
    """
    try:
        yield
    except OSError as error:
        raise WriteError(error.errno, explain_error(error), str(path)) from error


@contextmanager
def open_atomically(path: Path) -> Iterator[BinaryIO]:
    """Open a temporary file beside `path`; it takes the name when the block ends well, and goes when it does not.

    In a store, what is written becomes one object when the block ends well: that is atomic by itself.
    """
    if isinstance(path, StorePath):
        content = io.BytesIO()
        yield content
        client.put(path.bucket, path.key, content.getvalue())
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f"{TEMPORARY}{_host_id()}-{os.getpid()}-")
    try:
        if (mode := choose_file_mode(path)) != OWN_FILE:
            os.fchmod(handle, mode)
        with os.fdopen(handle, "wb") as sink:
            yield sink
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def link(source: Path, path: Path) -> None:
    """Let `path` be another name of a file that never changes, or a copy of it where the file system has no such names.

    A file that has the name already stays.

    Raises:
        FileNotFoundError: there is no such file.
    """
    if isinstance(source, StorePath) and isinstance(path, StorePath):
        client.copy(source.bucket, source.key, path.key)
        return
    try:
        os.link(source, path)
    except FileExistsError:
        return
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        with source.open("rb") as given, open_atomically(path) as sink:
            shutil.copyfileobj(given, sink)


def _host_id() -> str:
    return hashlib.sha256(socket.gethostname().encode()).hexdigest()[:8]


@contextmanager
def temporary_folder(parent: Path) -> Iterator[Path]:
    """Make a folder below `parent` for the length of the block; `sweep` deletes it if the process is killed meanwhile."""
    parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=parent, prefix=f"{TEMPORARY}{_host_id()}-{os.getpid()}-"))
    folder.chmod(choose_folder_mode(folder))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def sweep(folder: Path) -> None:
    """Delete the temporary files and folders below `folder` whose process is no more: it was killed while it wrote.

    Nothing in a store is temporary.
    """
    if isinstance(folder, StorePath):
        return
    for path in _walk(folder):
        if not path.name.startswith(TEMPORARY):
            continue
        host, _, rest = path.name.removeprefix(TEMPORARY).partition("-")
        pid = rest.partition("-")[0]
        ours = host == _host_id() and pid.isdecimal()
        if (not psutil.pid_exists(int(pid))) if ours else _is_older(path, FOREIGN_AGE_SECONDS):
            with suppress(FileNotFoundError):  # another process sweeps too
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def _walk(folder: Path) -> Iterator[Path]:
    """Yield the files and folders below `folder`. Other processes may delete some meanwhile."""
    for at, folders, names in os.walk(folder):
        yield from (Path(at, name) for name in (*folders, *names))


def _is_older(path: Path, seconds: float) -> bool:
    try:
        return time.time() - path.stat().st_mtime > seconds
    except FileNotFoundError:
        return False


def boot_id() -> str:
    """Return what tells this start of the machine from others; blank where the system does not say."""
    return BOOT_ID.read_text().strip() if BOOT_ID.exists() else ""


def sync_since(folder: Path, since: float) -> None:
    """Bring to the disk what was modified in `folder` at `since` (seconds of the epoch) or later.

    First the files, then the folders, which have the names of new files and have no more those of deleted ones. What a store has
    accepted needs nothing of this.
    """
    if isinstance(folder, StorePath):
        return
    for path in sorted((folder, *_walk(folder)), key=Path.is_dir):
        with suppress(FileNotFoundError):  # what is gone meanwhile needs no disk
            if path.stat().st_mtime >= since:
                sync(path)


def sync(path: Path) -> None:
    """Bring a file, or the names in a folder, to the disk."""
    if isinstance(path, StorePath):
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def check_folder(path: Path, make: bool = True) -> None:
    """Make the folder `path` unless `make` is False, and check that it can be written to.

    Raises:
        InputError: it cannot.
    """
    try:
        if make:
            path.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise InputError(f"{path} cannot be a folder, because a file has that name: choose another folder") from error
    except OSError as error:
        raise InputError(f"the folder {path} cannot be created: {error.strerror}: choose another folder") from error
    if not path.is_dir():
        raise InputError(f"the folder {path} does not exist: create it, or choose another folder")
    if not os.access(path, os.W_OK | os.X_OK):
        raise InputError(f"the folder {path} cannot be written to: give this user permission, or choose another folder")


def put_table(path: Path, table: pa.Table) -> None:
    """Write `table` to `path` as one Arrow IPC file, at once.

    Raises:
        WriteError: it cannot be written.
    """
    with explain_errors(path), open_atomically(path) as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)


def read_table(path: Path) -> pa.Table:
    """Return the table of an Arrow IPC file, mapped into memory; in a store, it is read.

    Raises:
        FileNotFoundError: there is no such file.
        SchemaError: the file is not an Arrow file.
    """
    try:
        with pa.BufferReader(path.read_bytes()) if isinstance(path, StorePath) else pa.memory_map(str(path)) as source:
            return pa.ipc.open_file(source).read_all()
    except pa.ArrowInvalid as error:
        raise SchemaError(f"{path} is not an Arrow file: delete it; the next refresh computes it again") from error


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, as 64 hex digits."""
    with path.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()
