"""Parquet files in a folder, here or elsewhere by fsspec: one folder for each generation, which is whole once it is named.

`generation=12/chunks/bucket=x3f/part-0.parquet` has the chunks of the documents whose ids begin with 3f. Files are never written
twice: the next generation takes over, by a link or a copy at the place, those whose documents did not change. `_SUCCESS` is the
last file of a generation's folder, then `_delivered.json` beside the folders names it; readers never see half a generation.
"""

import os
import posixpath
import time
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import ValidationError

from schemas.corpus import is_in_store
from schemas.errors import PagemillError
from tasks.deliver.io.destination import Delivered, Delivery
from tasks.store import files, published
from tasks.store.objects.client import open_file_system
from tasks.store.objects.paths import SCHEME
from tasks.store.sources.failures import make_source_error
from tasks.store.sources.logins import Login

NAMED, SUCCESS, FILE = "_delivered.json", "_SUCCESS", "part-0.parquet"
MANY_DOCUMENTS = 10_000
"""From so many documents on, a table is cut into 256 files, before into 16."""

BUFFER_BYTES = 2**20
"""So much of a file is written at once: each column would be many writes, and over SFTP each of them is a journey."""


class Contents(Delivered):
    """What `_delivered.json` says: the digits of an id that choose the file, and by table its schema and its files' digits."""

    digits: int
    schemas: dict[str, str]
    buckets: dict[str, list[str]]


class ParquetFolder:
    """A folder of Parquet files."""

    def __init__(self, place: str, login: Login) -> None:
        """Raises InputError: a package that the place needs is missing."""
        self._place = place
        self._files, self._root = _open_place(place, login)

    def read_delivered(self) -> Contents | None:
        """Return what the folder holds; None: nothing that is whole."""
        try:
            return Contents.model_validate_json(self._files.cat_file(self._path(NAMED)))
        except (FileNotFoundError, ValidationError):
            return None
        except Exception as error:
            raise make_source_error(self._place, error) from error

    def apply(self, delivery: Delivery) -> None:
        """Write the folder of the generation, name it, and delete those that nobody reads any more."""
        try:
            self._apply(delivery)
        except PagemillError:
            raise
        except Exception as error:  # each kind of place has errors of its own
            raise make_source_error(self._place, error) from error

    def _apply(self, delivery: Delivery) -> None:
        began, before, number = time.time(), self.read_delivered(), delivery.generation.generation
        folder, since = f"generation={number}", delivery.changes.since
        if before and before.generation == number:
            self._files.rm_file(self._path(NAMED))
        self._delete(folder)
        n_documents = delivery.generation.counts["n_documents"]
        digits = before.digits if before and since else 1 if n_documents < MANY_DOCUMENTS else 2
        contents = Contents(**delivery.said.model_dump(), digits=digits, schemas={}, buckets={})
        for name in delivery.changes.tables:
            contents.schemas[name], contents.buckets[name] = self._write_table(delivery, name, digits, before if since else None)
        self._write(f"{folder}/{SUCCESS}", b"")
        if not is_in_store(self._place):
            files.LOCAL.sync_since(Path(self._root), began)
        self._write(NAMED, contents.model_dump_json().encode())
        kept = {folder, f"generation={since}"} if not delivery.changes.purged else {folder}
        self._files.invalidate_cache()
        for path in self._files.ls(self._root, detail=False):
            name = posixpath.basename(path.rstrip("/"))
            if name.startswith("generation=") and name not in kept:
                self._delete(name)

    def _write_table(self, delivery: Delivery, name: str, digits: int, before: Contents | None) -> tuple[str, list[str]]:
        """Write the files of a table; return its schema, as a text, and which files there are."""
        dataset = published.open_published(delivery.corpus, delivery.generation, name)
        schema = dataset.schema.to_string(show_field_metadata=False, show_schema_metadata=False)
        known = before.buckets.get(name, []) if before and before.schemas.get(name) == schema else None
        if before is None or known is None:
            known, changed = [], {f"{number:0{digits}x}" for number in range(16**digits)}
        else:
            rows = (batch["document_id"].to_pylist() for batch in delivery.changes.tables[name])
            changed = {document[:digits] for batch in rows for document in batch}
        here = f"generation={delivery.generation.generation}/{name}"
        self._files.makedirs(self._path(here), exist_ok=True)
        kept = [bucket for bucket in known if bucket not in changed]
        for bucket in kept:
            self._take_over(
                f"generation={delivery.changes.since}/{name}/bucket=x{bucket}/{FILE}", f"{here}/bucket=x{bucket}/{FILE}"
            )
        written = [
            bucket
            for bucket in sorted(changed)
            if self._write_rows(
                f"{here}/bucket=x{bucket}/{FILE}",
                published.read_batches(
                    delivery.corpus,
                    delivery.generation,
                    name,
                    dataset.schema.names,
                    f"document_id >= '{bucket}' AND document_id < '{bucket}g'",
                ),
            )
        ]
        return schema, sorted(kept + written)

    def _write_rows(self, path: str, parts: Iterable[pa.Table]) -> bool:
        """Write rows to a file; return whether there were any. Without, there is no file."""
        found = (part for part in parts if part.num_rows)
        first = next(found, None)
        if first is None:
            return False
        self._files.makedirs(posixpath.dirname(self._path(path)), exist_ok=True)
        schema = pa.schema([field.with_type(_allow_nulls(field.type)) for field in first.schema])
        with self._files.open(self._path(path), "wb") as file, pa.BufferedOutputStream(pa.PythonFile(file), BUFFER_BYTES) as sink:
            with pq.ParquetWriter(sink, schema, compression="zstd") as writer:
                for part in chain([first], found):
                    writer.write_table(part.cast(schema))
        return True

    def _take_over(self, old: str, new: str) -> None:
        """Give a file to another generation too."""
        self._files.makedirs(posixpath.dirname(self._path(new)), exist_ok=True)
        if not is_in_store(self._place):
            files.LOCAL.link(Path(self._path(old)), Path(self._path(new)))
            return
        try:
            self._files.cp_file(self._path(old), self._path(new))
        except Exception:  # it cannot copy, which each kind of place says in its own way; SFTP needs a shell to
            self._files.pipe_file(self._path(new), self._files.cat_file(self._path(old)))

    def _write(self, path: str, content: bytes) -> None:
        if is_in_store(self._place):
            self._files.pipe_file(self._path(path), content)
        else:
            files.write_atomically(Path(self._path(path)), content)

    def _delete(self, folder: str) -> None:
        self._files.invalidate_cache()
        if self._files.exists(self._path(folder)):
            self._files.rm(self._path(folder), recursive=True)

    def _path(self, path: str) -> str:
        return posixpath.join(self._root, path)


def _allow_nulls(kind: pa.DataType) -> pa.DataType:
    """Return a type whose parts may be null: those of a struct that is null are, and Parquet takes their declaration at its word.

    >>> box = pa.struct([pa.field("x0", pa.float64(), nullable=False)])
    >>> _allow_nulls(pa.list_(box)).value_type.field("x0").nullable
    True
    """
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(_allow_nulls(field.type)).with_nullable(True) for field in kind])
    if pa.types.is_list(kind):
        return pa.list_(kind.value_field.with_type(_allow_nulls(kind.value_type)).with_nullable(True))
    return kind


def _open_place(place: str, login: Login) -> tuple[Any, str]:
    """Return the file system of a place, and the folder's path in it."""
    if not is_in_store(place):
        from fsspec.implementations.local import LocalFileSystem

        os.makedirs(place, exist_ok=True)
        return LocalFileSystem(), place
    if place.startswith(f"{SCHEME}://"):
        return open_file_system(), place.removeprefix(f"{SCHEME}://")
    from tasks.store.sources.remote_files import RemoteFiles

    return RemoteFiles(place, login).open_to_write()
