"""Files and folders, wherever they lie: the storage of a path, and what is done alike in a folder and in an object store."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from schemas.errors import InputError, SchemaError, WriteError
from tasks.store.local import LocalStorage, explain_os_error
from tasks.store.objects.paths import StorePath
from tasks.store.objects.storage import ObjectStorage
from tasks.store.storage import Storage

LOCAL, OBJECTS = LocalStorage(), ObjectStorage()


def find_storage(path: Path) -> Storage:
    """Return the storage that a path lies in."""
    return OBJECTS if isinstance(path, StorePath) else LOCAL


def find_local_path(path: Path) -> Path:
    """Return where this machine keeps its own of a path, such as copies and drafts; a path in a folder is its own."""
    return find_storage(path).local_path(path)


def write_atomically(path: Path, content: bytes) -> None:
    """Write `content` to `path` at once: readers see nothing or all of it. Folders are made.

    Raises:
        WriteError: it cannot be written.
    """
    with explain_write_errors(path), find_storage(path).open_atomically(path) as sink:
        sink.write(content)


@contextmanager
def explain_write_errors(path: Path) -> Iterator[None]:
    """Name `path` when the block cannot write it, not the temporary file beside it.

    Raises:
        WriteError: it cannot be written.
    """
    try:
        yield
    except OSError as error:
        raise WriteError(error.errno, explain_os_error(error), str(path)) from error


def delete_files(paths: Iterable[Path]) -> None:
    """Delete files, which need not be there any more.

    Raises:
        StoreError: the store refuses, or does not answer.
    """
    by_storage: dict[Storage, list[Path]] = {}
    for path in paths:
        by_storage.setdefault(find_storage(path), []).append(path)
    for storage, of_storage in by_storage.items():
        storage.delete(of_storage)


def delete_tree(folder: Path) -> None:
    """Delete a folder with all below, which need not be there.

    Raises:
        StoreError: the store refuses, or does not answer.
    """
    find_storage(folder).delete_tree(folder)


def check_folder_writable(path: Path, make: bool = True) -> None:
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


def write_table_atomically(path: Path, table: pa.Table) -> None:
    """Write `table` to `path` as one Arrow IPC file, at once.

    Raises:
        WriteError: it cannot be written.
    """
    with (
        explain_write_errors(path),
        find_storage(path).open_atomically(path) as sink,
        pa.ipc.new_file(sink, table.schema) as writer,
    ):
        writer.write_table(table)


def read_table(path: Path) -> pa.Table:
    """Return the table of an Arrow IPC file, mapped into memory; in a store, it is read.

    Raises:
        FileNotFoundError: there is no such file.
        SchemaError: the file is not an Arrow file.
    """
    try:
        with find_storage(path).open_arrow(path) as source:
            return pa.ipc.open_file(source).read_all()
    except pa.ArrowInvalid as error:
        raise SchemaError(f"{path} is not an Arrow file: delete it; the next refresh computes it again") from error


def compute_sha256(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, as 64 hex digits.

    Raises:
        OSError: it cannot be read.
    """
    made = hashlib.sha256()
    for part in find_storage(path).stream(path):
        made.update(part)
    return made.hexdigest()
