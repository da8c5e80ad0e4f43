"""Files: atomic writes, digests and Arrow files in a folder."""

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from schemas.errors import InputError, SchemaError


def put(path: Path, content: bytes) -> None:
    """Write `content` to `path` at once: readers see nothing or all of it. Folders are made."""
    with replacing(path) as sink:
        sink.write(content)


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a temporary file beside `path`; it takes the name when the block ends well, and goes when it does not."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".tmp-")
    try:
        with os.fdopen(handle, "wb") as sink:
            yield sink
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def check_folder(path: Path, make: bool = True) -> None:
    """Make the folder `path` unless `make` is False, and check that it can be written to.

    Raises:
        InputError: it cannot.
    """
    try:
        if make:
            path.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise InputError(f"{path} cannot be a folder, since a file stands in its place: name another folder") from error
    except OSError as error:
        raise InputError(f"the folder {path} cannot be made: {error.strerror}: name another one") from error
    if not path.is_dir():
        raise InputError(f"the folder {path} does not exist: make it, or name another one")
    if not os.access(path, os.W_OK | os.X_OK):
        raise InputError(f"the folder {path} cannot be written to: allow it for this user, or name another one")


def put_table(path: Path, table: pa.Table) -> None:
    """Write `table` to `path` as one Arrow IPC file, at once."""
    with replacing(path) as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)


def read_table(path: Path) -> pa.Table:
    """Return the table of an Arrow IPC file, mapped into memory.

    Raises:
        FileNotFoundError: there is no such file.
        SchemaError: the file is not an Arrow file.
    """
    try:
        with pa.memory_map(str(path)) as source:
            return pa.ipc.open_file(source).read_all()
    except pa.ArrowInvalid as error:
        raise SchemaError(f"{path} is not an Arrow file: delete it, it is computed again") from error


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, as 64 hex digits."""
    with path.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()
