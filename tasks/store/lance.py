"""LanceDB: tables of a corpus folder, opened at versions, merged by key.

Every table lies at `<corpus>/<name>.lance`. Versions count from 1; each commit is one.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from schemas.corpus import Corpus
from schemas.errors import ConflictError, CorpusError, StoreError
from tasks.store import files, local
from tasks.store.conditions import make_documents_condition
from tasks.store.loading import import_lance, import_lancedb
from tasks.store.objects.client import explain_store_refusal, is_store_error

if TYPE_CHECKING:
    from lance import LanceDataset
    from lancedb.db import LanceDBConnection
    from lancedb.table import LanceTable

TABLE_REMEDY = "check its permissions; if files are lost, see pagemill verify, and pagemill repair"
"""What to do about a table that cannot be read."""

AGAIN = "nothing was published; run the refresh again, and if this comes back, pagemill verify --deep"
"""What to do when a table has not the rows that it should have."""

READ_LATEST = timedelta(0)

FEW_DOCUMENTS = 1000
"""So many ids are looked up one by one in an index; of more, the column is scanned."""


def connect_to_lancedb(corpus: Corpus) -> "LanceDBConnection":
    """Open the LanceDB database of a corpus; every read sees the latest version that is not checked out."""
    database: LanceDBConnection = import_lancedb().connect(str(corpus.folder), read_consistency_interval=READ_LATEST)
    return database


def does_table_exist(corpus: Corpus, name: str) -> bool:
    """Return whether the corpus has the table, without opening it.

    A table without a version and without rows does not count: the disk was full, or its process was killed, while it was made.
    """
    folder = corpus.table(name)
    return any(folder.glob("_versions/*.manifest")) or any(folder.glob("data/*"))


def explain_lance_error(error: object) -> str:
    """Return what an error of Lance's says, without the place in Lance's code where it arose.

    >>> explain_lance_error("Not found: c/chunks.lance, /home/lance/rust/local.rs:273:40")
    'Not found: c/chunks.lance'
    """
    said = str(error)
    return explain_store_refusal(said) if is_store_error(said) else re.split(r",?\s*/\S+\.rs:\d+", said)[0]


@contextmanager
def explain_failed_writes(corpus: Corpus) -> Iterator[None]:
    """Explain what Lance or the disk refuses while the block writes to a corpus.

    Raises:
        CorpusError: something could not be written, such as for want of space or permission.
    """
    try:
        yield
    except (OSError, RuntimeError, ValueError) as error:
        if not isinstance(error, OSError) and "lance" not in str(error).lower():
            raise
        raise CorpusError(
            f"corpus {corpus} cannot be written: {explain_write_error(error)}; the published data is complete"
        ) from error


def explain_write_error(error: Exception) -> str:
    """Return in words why Lance, Arrow or the disk did not write, and what to do.

    >>> explain_write_error(RuntimeError("lance error: LanceError(IO): No space left on device (os error 28), /b/local.rs:1:2"))
    'no space left on its disk; free some space, then run this again'
    """
    if isinstance(error, OSError) and (error.errno or isinstance(error, StoreError)):
        return local.explain_os_error(error)
    if is_store_error(str(error)):
        return explain_store_refusal(str(error))
    number = re.search(r"\(os error (\d+)\)|\[[Ee]rrno (\d+)\]", str(error))
    return local.explain_os_error(OSError(int(number[1] or number[2]) if number else 0, explain_lance_error(error)))


def open_table(corpus: Corpus, name: str, version: int | None = None) -> "LanceTable":
    """Open a table, at `version` or at its head.

    Raises:
        CorpusError: there is no such table or version, or it cannot be read.
    """
    try:
        table = connect_to_lancedb(corpus).open_table(name)
        if version is not None:
            table.checkout(version)
    except Exception as error:  # where a file is cut short, LanceDB raises a panic of Rust, which has no name to catch it by
        why = explain_lance_error(error)
        raise CorpusError(
            f"table {name} of {corpus} cannot be opened at version {version or 'head'} ({why}): {TABLE_REMEDY}"
        ) from error
    return table


def restore_table_version(corpus: Corpus, name: str, version: int) -> int:
    """Make the rows, columns and indexes of a version those of the table's head; return the version of the head.

    Raises:
        CorpusError: there is no such table, or it cannot be read.
    """
    table = open_table(corpus, name)
    if table.version != version:
        table.restore(version)
    return int(table.version)


def overwrite_table(corpus: Corpus, name: str, batches: pa.RecordBatchReader) -> "LanceTable":
    """Write a new version of a table with other rows, and perhaps other columns; older versions stay as they are. Return it.

    The new version has no index. A table that is not there is made.
    """
    import_lance().write_dataset(batches, str(corpus.table(name)), mode="overwrite")
    return open_table(corpus, name)


def ensure_table(corpus: Corpus, name: str, schema: pa.Schema, later: Collection[str] = ()) -> "LanceTable":
    """Open the table, made empty if it is not there. One of an older corpus may lack the columns `later`.

    Raises:
        CorpusError: the table that is there has other columns.
    """
    if not does_table_exist(corpus, name):
        _make_table(corpus, name, schema)
    table = open_table(corpus, name)
    if {*table.schema.names, *later} != {*schema.names, *later}:
        raise CorpusError(
            f"table {name} of {corpus} has columns {table.schema.names}, but needs {schema.names}: "
            "its metadata columns or its format differ; build a new corpus, or restore the old columns"
        )
    return table


def _make_table(corpus: Corpus, name: str, schema: pa.Schema) -> None:
    """Make an empty table apart and move it to its place: nobody ever sees one that is half made.

    In a store it is made by one write, which fails if another process was faster.
    """
    path = corpus.table(name)
    # `replace`: a process that was killed, or another version of Pagemill, may have left it half made: see `does_table_exist`
    with files.find_storage(path).build_folder(path, corpus.private, replace=True) as apart:
        connect_to_lancedb(Corpus(str(apart.parent))).create_table(name, schema=schema)


def replace_documents(table: "LanceTable", rows: pa.RecordBatchReader | None, documents: Sequence[str]) -> None:
    """Replace all rows of `documents` by `rows`: theirs are marked deleted, then the new ones added; nothing else is written.

    Either may be missing. Between the two commits rows are missing, so the version that is published must be one after both.
    How many rows the table has is counted after each, because a merge may match none in silence.

    Raises:
        ConflictError: another writer got in between.
        CorpusError: rows were not deleted, or not added.
    """
    dataset, head = import_lance().dataset(table.uri), table.version
    if documents:
        gone, n = pa.table({"document_id": pa.array(documents, pa.string())}), dataset.count_rows()
        deleted = dataset.merge_insert("document_id").when_matched_delete().execute(gone)["num_deleted_rows"]
        head = _check_table_version(table, dataset, head + 1)
        if not deleted and has_rows_of(table, documents):
            raise CorpusError(f"table {table.name}: a merge matched none of {len(documents)} documents that it has: {AGAIN}")
        _check_row_count(table, dataset, n - deleted)
    if rows is not None:
        n, counted = dataset.count_rows(), _RowCounter(rows)
        dataset = import_lance().write_dataset(counted.reader, dataset, mode="append")
        _check_table_version(table, dataset, head + 1)
        _check_row_count(table, dataset, n + counted.n)
    table.checkout_latest()


class _RowCounter:
    """Rows on their way, counted as they are read."""

    def __init__(self, rows: pa.RecordBatchReader) -> None:
        self.n = 0
        self.reader = pa.RecordBatchReader.from_batches(rows.schema, self._read(rows))

    def _read(self, rows: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
        for batch in rows:
            self.n += batch.num_rows
            yield batch


def _check_row_count(table: "LanceTable", dataset: "LanceDataset", wanted: int) -> None:
    if (n := dataset.count_rows()) != wanted:
        raise CorpusError(f"table {table.name} has {n} rows after a merge and should have {wanted}: {AGAIN}")


def _check_table_version(table: "LanceTable", dataset: "LanceDataset", version: int) -> int:
    if dataset.version != version:
        raise ConflictError(
            f"table {table.name} is at version {dataset.version} but should be at {version}: another program wrote to it; "
            "nothing was published, run the refresh again"
        )
    return version


def has_rows_of(table: "LanceTable", documents: Collection[str]) -> bool:
    """Return whether a table has rows of any of `documents`; many of them are looked up in one scan of their ids."""
    if len(documents) <= FEW_DOCUMENTS:
        return bool(documents) and table.count_rows(make_documents_condition(documents)) > 0
    wanted = pa.array(documents, pa.string())
    ids = import_lance().dataset(table.uri).to_batches(columns=["document_id"])
    return any(pc.any(pc.is_in(batch["document_id"], value_set=wanted)).as_py() for batch in ids)


def append_to_log(corpus: Corpus, name: str, table: pa.Table) -> None:
    """Add rows to a log table (validations, questions, metrics) by its key: the same rows twice are there once.

    Columns that the log of an older corpus lacks are added to it, null in its rows, if the schema allows nulls there.

    Raises:
        CorpusError: the corpus cannot be written.
    """
    key = (table.schema.metadata or {})[b"key"].decode().split(",")
    with explain_failed_writes(corpus):
        if does_table_exist(corpus, name):
            _add_missing_columns(open_table(corpus, name), table.schema)
        head = ensure_table(corpus, name, table.schema)
        head.merge_insert(key).when_matched_update_all().when_not_matched_insert_all().execute(table)


def _add_missing_columns(table: "LanceTable", schema: pa.Schema) -> None:
    missing = [field for field in schema if field.name not in table.schema.names and field.nullable]
    if missing:
        import_lance().dataset(table.uri).add_columns(pa.schema(missing))


def list_tags(corpus: Corpus, name: str) -> dict[str, int]:
    """Return the version of each tag of a table."""
    return {tag: int(held["version"]) for tag, held in open_table(corpus, name).tags.list().items()}


def set_tag(corpus: Corpus, name: str, tag: str, version: int) -> None:
    """Set a tag on a version of a table. It moves if it is on another version."""
    tags = open_table(corpus, name).tags
    if tag in tags.list():
        tags.update(tag, version)
    else:
        tags.create(tag, version)


def delete_tag(corpus: Corpus, name: str, tag: str) -> None:
    """Delete a tag. The version that it alone held may then be deleted."""
    open_table(corpus, name).tags.delete(tag)


def delete_old_versions(corpus: Corpus, name: str, older_than: timedelta, unfinished: bool = False) -> None:
    """Delete the versions of a table older than `older_than` that no tag holds.

    With `unfinished`, also files of writers that died before they committed, which Lance keeps for a week else: only while
    nobody can be writing. Of tables with published versions, `tasks.publish.io.tags.delete_untagged_versions` alone calls this.
    """
    dataset = import_lance().dataset(str(corpus.table(name)))
    dataset.cleanup_old_versions(older_than=older_than, error_if_tagged_old_versions=False, delete_unverified=unfinished)
