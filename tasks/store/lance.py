"""LanceDB: tables of a corpus folder, opened at versions, merged by key, indexed.

Every table lies at `<corpus>/<name>.lance`. Versions count from 1; a merge is one version.
"""

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pyarrow as pa

from schemas.corpus import Corpus
from schemas.errors import ConflictError, CorpusError
from tasks.store import files

EXACT_SEARCH_ROWS = 100_000
"""Up to so many vectors exact search is fast enough (0.24 s); above it, an IVF_PQ index is built."""

NEVER = timedelta(days=36500)
"""Handed to optimize as its clean-up age: cleaning is done apart, where tagged versions are no error."""

TABLE_REMEDY = "check its permissions; if files are lost, restore them from a backup, or build a new corpus from the documents"
"""What to do about a table that cannot be read."""

READ_LATEST = timedelta(0)


def connect(corpus: Corpus) -> Any:
    """Open the LanceDB database of a corpus; every read sees the latest version that is not checked out."""
    import lancedb

    return lancedb.connect(corpus.uri, read_consistency_interval=READ_LATEST)


def exists(corpus: Corpus, name: str) -> bool:
    """Tell whether the corpus has the table, without opening it.

    A table that was being made when the disk was full or its process was killed has no version yet, and no rows: there is none.
    """
    folder = corpus.table(name)
    return any(folder.glob("_versions/*.manifest")) or any(folder.glob("data/*"))


def reason(error: object) -> str:
    """Return what an error of Lance's says, without the place in Lance's code where it arose.

    >>> reason("Not found: c/chunks.lance, /home/lance/rust/local.rs:273:40")
    'Not found: c/chunks.lance'
    """
    return re.split(r",?\s*/\S+\.rs:\d+", str(error))[0]


@contextmanager
def writing(corpus: Corpus) -> Iterator[None]:
    """Tell what Lance or the disk refuses while the block writes to a corpus.

    Raises:
        CorpusError: something could not be written, such as for want of space or permission.
    """
    try:
        yield
    except (OSError, RuntimeError, ValueError) as error:
        if not isinstance(error, OSError) and "lance" not in str(error).lower():
            raise
        raise CorpusError(f"corpus {corpus} cannot be written: {why_unwritten(error)}; the published data is complete") from error


def why_unwritten(error: Exception) -> str:
    """Return in words why Lance, Arrow or the disk did not write, and what to do.

    >>> why_unwritten(RuntimeError("lance error: LanceError(IO): No space left on device (os error 28), /b/local.rs:1:2"))
    'no space left on its disk; free some space, then run this again'
    """
    if isinstance(error, OSError) and error.errno:
        return files.in_words(error)
    number = re.search(r"\(os error (\d+)\)|\[[Ee]rrno (\d+)\]", str(error))
    return files.in_words(OSError(int(number[1] or number[2]) if number else 0, reason(error)))


def open_table(corpus: Corpus, name: str, version: int | None = None) -> Any:
    """Open a table, at `version` or at its head.

    Raises:
        CorpusError: there is no such table or version, or it cannot be read.
    """
    try:
        table = connect(corpus).open_table(name)
        if version is not None:
            table.checkout(version)
    except (ValueError, RuntimeError, OSError) as error:
        raise CorpusError(
            f"table {name} of {corpus} cannot be opened at version {version or 'head'} ({reason(error)}): {TABLE_REMEDY}"
        ) from error
    return table


def ensure_table(corpus: Corpus, name: str, schema: pa.Schema) -> Any:
    """Open the table, made empty if it is not there.

    Raises:
        CorpusError: the table that is there has other columns.
    """
    if not exists(corpus, name):
        _make_table(corpus, name, schema)
    table = open_table(corpus, name)
    if table.schema.names != schema.names:
        raise CorpusError(
            f"table {name} of {corpus} has columns {table.schema.names}, but needs {schema.names}: "
            "its metadata columns or its format differ; build a new corpus, or restore the old columns"
        )
    return table


def _make_table(corpus: Corpus, name: str, schema: pa.Schema) -> None:
    """Make an empty table apart and move it to its place: nobody ever sees one that is half made."""
    with files.temporary_folder(corpus.private) as folder:
        connect(Corpus(str(folder))).create_table(name, schema=schema)
        if corpus.table(name).exists():  # half made by another version, see `exists`
            shutil.rmtree(corpus.table(name))
        os.replace(Corpus(str(folder)).table(name), corpus.table(name))


def one_of(column: str, values: Iterable[str]) -> str:
    """Return the SQL condition that a column holds one of `values`.

    >>> one_of("path", ["a.txt", "o'clock.txt"])
    "path IN ('a.txt', 'o''clock.txt')"
    """
    listed = ", ".join("'" + value.replace("'", "''") + "'" for value in values)
    return f"{column} IN ({listed})" if listed else "false"


def in_documents(documents: Iterable[str]) -> str:
    """Return the SQL condition that a row belongs to one of `documents` (ids)."""
    return one_of("document_id", documents)


def replace_documents(table: Any, rows: pa.RecordBatchReader, documents: Sequence[str]) -> int:
    """Replace all rows of `documents` by `rows` in one merge; return the new version.

    Raises:
        ConflictError: another writer got in between.
    """
    expected = table.version + 1
    key = (rows.schema.metadata or {})[b"key"].decode().split(",")
    merge = table.merge_insert(key).when_matched_update_all().when_not_matched_insert_all()
    if documents:
        merge = merge.when_not_matched_by_source_delete(in_documents(documents))
    result = merge.execute(rows)
    if result.version != expected:
        raise ConflictError(
            f"table {table.name} is at version {result.version} but should be at {expected}: another program wrote to it; "
            "nothing was published, run the refresh again"
        )
    return int(result.version)


def append_log(corpus: Corpus, name: str, table: pa.Table) -> None:
    """Add rows to a log table (validations, questions, metrics) by its key: the same rows twice are there once.

    Raises:
        CorpusError: the corpus cannot be written.
    """
    key = (table.schema.metadata or {})[b"key"].decode().split(",")
    with writing(corpus):
        head = ensure_table(corpus, name, table.schema)
        head.merge_insert(key).when_matched_update_all().when_not_matched_insert_all().execute(table)


def index_chunks(table: Any) -> None:
    """Make the indexes of the chunks that are missing, and let all of them cover the new rows."""
    rows = table.count_rows()
    present = {column for index in table.list_indices() for column in index.columns}
    wanted = ["text", "document_id"] + (["vector"] if rows > EXACT_SEARCH_ROWS else [])
    for column in wanted:
        if rows and column not in present:
            table.create_index(column, config=_index_config(column, table.schema))
    table.optimize(cleanup_older_than=NEVER)


def compact(table: Any) -> None:
    """Join small fragments, so that they do not grow with the number of refreshes."""
    table.optimize(cleanup_older_than=NEVER)


def rewrite(table: Any) -> None:
    """Write the files of deleted rows anew without them, and build the indexes again, so that nothing of them is left."""
    import lance

    dataset = lance.dataset(table.uri)
    dataset.optimize.compact_files(materialize_deletions=True, materialize_deletions_threshold=0.0)
    table.checkout_latest()
    for index in table.list_indices():
        column = index.columns[0]
        table.drop_index(index.name)
        if table.count_rows():
            table.create_index(column, config=_index_config(column, table.schema))


def _index_config(column: str, schema: pa.Schema) -> Any:
    from lancedb.index import FTS, BTree, IvfPq

    if column == "text":
        return FTS(with_position=False)
    if column == "vector":
        dimension = schema.field("vector").type.list_size
        return IvfPq(distance_type="cosine", num_sub_vectors=max(1, dimension // 8))
    return BTree()


def tags_of(corpus: Corpus, name: str) -> dict[str, int]:
    """Return the version that each tag of a table holds."""
    return {tag: int(held["version"]) for tag, held in open_table(corpus, name).tags.list().items()}


def set_tag(corpus: Corpus, name: str, tag: str, version: int) -> None:
    """Let a tag hold a version of a table, whatever it held before."""
    tags = open_table(corpus, name).tags
    if tag in tags.list():
        tags.update(tag, version)
    else:
        tags.create(tag, version)


def drop_tag(corpus: Corpus, name: str, tag: str) -> None:
    """Let a tag go; what it alone held is cleaned up one day."""
    open_table(corpus, name).tags.delete(tag)


def clean_up(corpus: Corpus, name: str, older_than: timedelta, unfinished: bool = False) -> None:
    """Delete the versions of a table older than `older_than` that no tag holds.

    With `unfinished`, also files of writers that died before they committed, which Lance keeps for a week else: only while
    nobody can be writing. Of tables with published versions, `tasks.publish.io.tags.delete_versions` alone may call this.
    """
    import lance

    dataset = lance.dataset(str(corpus.table(name)))
    dataset.cleanup_old_versions(older_than=older_than, error_if_tagged_old_versions=False, delete_unverified=unfinished)
