"""Local storage: folders of this machine, with atomic writes, syncs, links and locks by flock.

The kernel frees a lock when its holder ends, however it ends.
"""

import errno
import fcntl
import json
import os
import shutil
import socket
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import psutil
import pyarrow as pa

from schemas.corpus import PRIVATE
from schemas.errors import CorpusError, StoreError
from tasks.store import permissions
from tasks.store.permissions import OWN_FILE, choose_file_mode, choose_folder_mode
from tasks.store.storage import FileStat, Storage
from tasks.store.waiting import describe_lock_holder, make_host_id, name_holder, wait_for_lock

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

PART_BYTES = 2**20
LOCK_RETRY_SECONDS = 0.1


class LocalStorage(Storage):
    """The storage of paths that are files and folders of this machine."""

    def stream(self, path: Path) -> Iterator[bytes]:
        with path.open("rb") as opened:
            while part := opened.read(PART_BYTES):
                yield part

    @contextmanager
    def open_atomically(self, path: Path, durable: bool = False) -> Iterator[BinaryIO]:
        # What is written lies in a temporary file beside `path` until it takes the name.
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=_make_temporary_prefix())
        try:
            if (mode := choose_file_mode(path)) != OWN_FILE:
                os.fchmod(handle, mode)
            with os.fdopen(handle, "wb") as sink:
                yield sink
                if durable:
                    sink.flush()
                    os.fsync(sink.fileno())
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def link(self, source: Path, path: Path) -> None:
        try:
            os.link(source, path)
        except FileExistsError:
            return
        except OSError as error:
            if error.errno not in NO_LINKS:
                raise
            with source.open("rb") as given, self.open_atomically(path) as sink:
                shutil.copyfileobj(given, sink)

    def move(self, source: Path, path: Path) -> None:
        os.replace(source, path)

    def delete(self, paths: Iterable[Path]) -> None:
        for path in paths:
            path.unlink(missing_ok=True)

    def delete_tree(self, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)

    def list_below(self, folder: Path) -> Iterator[tuple[str, FileStat]]:
        for at, _, names in os.walk(folder):
            prefix = os.path.relpath(at, folder)
            for name in names:
                with suppress(FileNotFoundError):  # another process has deleted it meanwhile
                    found = os.stat(os.path.join(at, name), follow_symlinks=False)
                    yield name if prefix == "." else f"{prefix}/{name}", FileStat(found.st_size, found.st_mtime_ns)

    def stat_files(self, folder: Path, paths: Iterable[str]) -> dict[str, FileStat]:
        there: dict[str, FileStat] = {}
        for path in paths:
            try:
                found = os.stat(os.path.join(folder, path))
            except PermissionError as error:
                raise CorpusError(f"{folder}/{path} cannot be reached: give this user permission for its folders") from error
            except OSError:
                continue
            there[path] = FileStat(found.st_size, found.st_mtime_ns)
        return there

    def open_arrow(self, path: Path) -> pa.NativeFile:
        return pa.memory_map(str(path))

    def list_arrow_files(self, folder: Path, pattern: str, key: bytes) -> Iterator[tuple[Path, bytes, int]]:
        for path in sorted(folder.glob(pattern)):
            try:
                with pa.OSFile(str(path)) as source:
                    value = pa.ipc.open_file(source).schema.metadata[key]
            except (pa.ArrowInvalid, TypeError, KeyError, OSError):  # cut short by a loss of power
                continue
            yield path, value, path.stat().st_size

    @contextmanager
    def lock(self, path: Path, wait_seconds: float, what: str) -> Iterator[None]:
        # Processes that are started meanwhile do not inherit the lock.
        permissions.check_umask(path.parent.parent)
        handle = wait_for_lock(lambda: _try_flock(path, what), lambda: _read_lock_holder(path), wait_seconds, LOCK_RETRY_SECONDS)
        try:
            yield
        finally:
            os.ftruncate(handle, 0)
            fcntl.flock(handle, fcntl.LOCK_UN)
            os.close(handle)

    @contextmanager
    def build_folder(self, path: Path, apart: Path, replace: bool = False) -> Iterator[Path]:
        with make_temporary_folder(apart) as folder:
            yield folder / path.name
            if replace and path.exists():
                shutil.rmtree(path)
            os.replace(folder / path.name, path)

    def make_corpus(self, folder: Path, private: bool) -> None:
        # A folder that is there keeps its mode and its sharing.
        folder.parent.mkdir(parents=True, exist_ok=True)
        permissions.check_umask(folder)
        for made in (folder, folder / PRIVATE):
            made.mkdir(mode=0o700 if private and not permissions.is_shared(folder) else 0o777, exist_ok=True)

    def share(self, path: Path) -> None:
        path.chmod(path.parent.stat().st_mode & 0o666)

    def sync(self, path: Path) -> None:
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def sync_since(self, folder: Path, since: float) -> None:
        # Files come first, then the folders, whose names of new and deleted files are to last too.
        for path in sorted((folder, *_walk_folder(folder)), key=Path.is_dir):
            with suppress(FileNotFoundError):  # what is gone meanwhile needs no disk
                if path.stat().st_mtime >= since:
                    self.sync(path)

    def sweep(self, folder: Path) -> None:
        for path in _walk_folder(folder):
            if path.name.startswith(TEMPORARY) and _is_abandoned(path):
                with suppress(FileNotFoundError):  # another process sweeps too
                    shutil.rmtree(path) if path.is_dir() else path.unlink()

    def local_path(self, path: Path) -> Path:
        return path

    def upload(self, path: Path) -> None:
        """Do nothing: it is there."""

    def fetch(self, path: Path) -> Path:
        return path

    @contextmanager
    def download(self, path: Path) -> Iterator[Path]:
        yield path

    def start_epoch(self, private: Path) -> None:
        """Do nothing: there are no copies."""

    def drop_outdated_copies(self, private: Path) -> None:
        """Do nothing: there are no copies."""


def explain_os_error(error: OSError) -> str:
    """Return why something could not be written, and what to do.

    >>> explain_os_error(OSError(errno.ENOSPC, "No space left on device"))
    'no space left on its disk; free some space, then run this again'
    """
    if isinstance(error, StoreError):
        return str(error)
    said = f"{error.strerror or error}; check its permissions and the free disk space, then run this again"
    return REASONS.get(error.errno or 0, said)


@contextmanager
def make_temporary_folder(parent: Path) -> Iterator[Path]:
    """Make a folder below `parent` for the length of the block; `sweep` deletes it if the process is killed meanwhile."""
    parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=parent, prefix=_make_temporary_prefix()))
    folder.chmod(choose_folder_mode(folder))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _make_temporary_prefix() -> str:
    return f"{TEMPORARY}{make_host_id()}-{os.getpid()}-"


def _is_abandoned(path: Path) -> bool:
    """Return whether the process of a temporary file is no more, as far as its name or its age tells."""
    host, _, rest = path.name.removeprefix(TEMPORARY).partition("-")
    pid = rest.partition("-")[0]
    if host == make_host_id() and pid.isdecimal():
        return not psutil.pid_exists(int(pid))
    try:
        return time.time() - path.stat().st_mtime > FOREIGN_AGE_SECONDS
    except FileNotFoundError:
        return False


def _walk_folder(folder: Path) -> Iterator[Path]:
    """Yield the files and folders below `folder`. Other processes may delete some meanwhile."""
    for at, folders, names in os.walk(folder):
        yield from (Path(at, name) for name in (*folders, *names))


def _try_flock(path: Path, what: str) -> int | None:
    """Return the descriptor of the locked file, or None if another holds it."""
    handle = -1
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.ftruncate(handle, 0)  # a former holder perhaps was killed
        os.pwrite(handle, json.dumps(describe_lock_holder(what)).encode(), 0)
    except OSError as error:
        if handle >= 0:
            os.close(handle)
        if isinstance(error, BlockingIOError):
            return None
        raise CorpusError(f"the lock file {path} cannot be locked: {explain_os_error(error)}") from error
    if _is_lock_file_at(handle, path):
        return handle
    os.close(handle)
    return _try_flock(path, what)


def _is_lock_file_at(handle: int, path: Path) -> bool:
    """Return whether the locked file is still the one at `path`: the corpus may have been deleted while we opened it."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(handle), path.stat())
    return False


def _read_lock_holder(path: Path) -> str:
    """Return who holds a lock, as far as the file says it now: it may be empty, or name a process that is no more."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        said = json.loads(path.read_bytes())
        if said["host"] != socket.gethostname() or psutil.pid_exists(said["pid"]):
            return name_holder(said)
    return "another run"
