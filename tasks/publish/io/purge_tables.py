"""Versions of a table made anew without some documents: each file and each index once, however many versions share it.

A file with rows of the documents is written anew with those rows blank. All other rows keep their places, by which indexes and
lists of deleted rows know them, so that one new file serves every version that had the old one. The blank rows are then deleted.

Indexes are built over the newest version, with the rows that it has deleted and older ones still have. Each version takes the
indexes that cover most of its rows, and extends them by the rest. Lance looks at no entry of a row that a version does not have.
"""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from schemas.corpus import Corpus
from schemas.errors import CorpusError
from schemas.types import strings
from tasks.store import indexes, lance, vector_indexes
from tasks.store.loading import import_lance

if TYPE_CHECKING:
    from lance import LanceDataset
    from lance.dataset import Index
    from lance.fragment import DataFile, FragmentMetadata, LanceFragment

HEAD = "duplicate_of"
"""The column by which documents name another document."""
BLANK = "document_id = ''"
TOMBSTONE = -2
"""The number that a file of Lance's gives a field which a younger file holds."""
READ = {"batch_size": 2_048, "batch_size_bytes": 1 << 24, "batch_readahead": 2}
"""How much is read of a file at once: so many rows, or so many bytes."""
FEW_ROWS = 256
"""If the documents have more rows, the centres of the lists of vectors are found anew, which takes ten times as long; else the
lists of the old index are filled anew. A centre is the average of as many vectors, of which so few rows are hardly one."""

StoredColumns = dict[int, set[tuple[str, int]]]
"""By fragment, the files and fields in them that hold a column."""


class BuiltIndex(NamedTuple):
    """A piece of an index without the documents, and the files of the version that it was built for."""

    column: str
    piece: "Index"
    files: StoredColumns

    def covers_most_of(self, files: StoredColumns, rows: dict[int, int]) -> bool:
        """Return whether a version, with so many `rows` in its files, has at least half of them in files that this covers.

        A file that has the same number and another column than the one that was indexed makes it useless.
        """
        shared = self.files.keys() & files.keys()
        alike = all(self.files[number] == files[number] for number in shared)
        return alike and 2 * sum(rows[number] for number in shared) >= sum(rows.values())


def rewrite_versions_without(corpus: Corpus, name: str, versions: Iterable[int], documents: Sequence[str]) -> dict[int, int]:
    """Make a new version of a table for each of `versions`, without the rows of `documents` (ids); return its number by theirs.

    Documents that name one of them as the head of their cluster name no document's id instead: the next refresh judges them anew.
    Rows that are already deleted count too, since files may still have them.
    """
    rewriting = Rewriting(corpus, name, documents)
    ordered = sorted({*versions})
    for version in ordered:
        rewriting.replace_files(version)
    for version in reversed(ordered):
        rewriting.build_missing_indexes(version)
    return {version: rewriting.make_version(version) for version in ordered}


class Rewriting:
    """What is written of a table without the documents: its files, by the names of the old ones, and its indexes."""

    def __init__(self, corpus: Corpus, name: str, documents: Sequence[str]) -> None:
        self._corpus, self._name = corpus, name
        self._documents = strings(documents)
        self._new_heads = strings(secrets.token_hex(16) for _ in documents)
        self._written: dict[str, DataFile] = {}
        self._named: dict[tuple[str, ...], bool] = {}
        self._built: list[BuiltIndex] = []
        self._n_blank = 0

    def replace_files(self, version: int) -> "list[FragmentMetadata]":
        """Return the fragments of a version that have rows to rewrite, with new files, which are written if they are not yet."""
        dataset = self._open(version)
        return [
            replace(fragment.metadata, files=[*self._replace_files_of(dataset, fragment)])
            for fragment in dataset.get_fragments()
            if self._names_documents(dataset, fragment)
        ]

    def build_missing_indexes(self, version: int) -> None:
        """Build the indexes of a version that none which was built can stand for."""
        missing = [column for column, built in self._choose_indexes(version).items() if built is None]
        if not missing:
            return
        from lance import LanceOperation

        old = self._open(version)
        held = _list_stored_columns(old)
        refilled = self._n_blank <= FEW_ROWS and not vector_indexes.is_outgrown(old)
        dataset = self._restore(version, kept=vector_indexes.VECTORS if refilled else None)
        living = [replace(of.metadata, deletion_file=None) for of in dataset.get_fragments()]
        dataset = _put_fragments(dataset, living, vector_indexes.COLUMN if refilled else None)
        before, table = dataset.version, lance.open_table(self._corpus, self._name)
        for column in missing:
            if refilled and column == vector_indexes.COLUMN:
                self._open().optimize.optimize_indices(index_names=[vector_indexes.VECTORS], num_indices_to_merge=0)
                table.checkout_latest()
            else:
                indexes.build_index(table, column)
        dataset = self._open()
        columns = {index.name: index.field_names[0] for index in dataset.describe_indices()}
        for number in range(before + 1, dataset.version + 1):
            made = dataset.read_transaction(number)
            if made and isinstance(made.operation, LanceOperation.CreateIndex):
                for piece in made.operation.new_indices:
                    files = {fragment: held[columns[piece.name]][fragment] for fragment in piece.fragment_ids}
                    self._built.append(BuiltIndex(columns[piece.name], piece, files))

    def make_version(self, version: int) -> int:
        """Return the number of a new version: the same as `version`, but without the documents."""
        taken = [built.piece for built in self._choose_indexes(version).values() if built]
        dataset = self._restore(version)
        if taken:
            from lance import LanceOperation

            taking = LanceOperation.CreateIndex(new_indices=taken, removed_indices=[])
            import_lance().LanceDataset.commit(dataset, taking, read_version=dataset.version)
        table = lance.open_table(self._corpus, self._name)
        indexes.extend_indexes(table)
        return int(table.version)

    def _open(self, version: int | None = None) -> "LanceDataset":
        found: LanceDataset = import_lance().dataset(str(self._corpus.table(self._name)), version=version)
        return found

    def _restore(self, version: int, kept: str | None = None) -> "LanceDataset":
        """Make the rows of a version, without the documents and without indexes but the one `kept`, those of the head."""
        lance.open_table(self._corpus, self._name).restore(version)
        dataset = self._open()
        for index in dataset.describe_indices():
            if index.name != kept:
                dataset.drop_index(index.name)
        return _put_fragments(dataset, self.replace_files(version))

    def _choose_indexes(self, version: int) -> dict[str, BuiltIndex | None]:
        """Return, for each column that a version has an index of, what was built and covers most of its rows."""
        dataset = self._open(version)
        rows = {number: piece.n_live_rows for number, piece in indexes.list_fragments(dataset).items()}
        held = _list_stored_columns(dataset)
        columns = [index.field_names[0] for index in dataset.describe_indices()] if sum(rows.values()) else []
        return {
            column: next((of for of in self._built if of.column == column and of.covers_most_of(held[column], rows)), None)
            for column in columns
        }

    def _names_documents(self, dataset: "LanceDataset", fragment: "LanceFragment") -> bool:
        """Return whether a row of a fragment, even a deleted one, is of the documents or names one as its head."""
        files = tuple(file.path for file in fragment.metadata.files)
        if files not in self._named:
            columns = [column for column in ("document_id", HEAD) if column in dataset.schema.names]
            read = indexes.scan_even_deleted(dataset, [fragment], columns).to_batches()
            self._named[files] = any(pc.any(self._is_of_documents(batch[column])).as_py() for batch in read for column in columns)
        return self._named[files]

    def _is_of_documents(self, ids: pa.Array) -> pa.BooleanArray:
        return pc.is_in(ids, value_set=self._documents)

    def _replace_files_of(self, dataset: "LanceDataset", fragment: "LanceFragment") -> "Iterator[DataFile]":
        """Yield what stands for the files of a fragment; a file of which all columns were superseded is left out."""
        from lance.fragment import DataFile

        known = {number for field in dataset.lance_schema.fields() for number in indexes.list_field_ids(field)}
        for file in fragment.metadata.files:
            fields = known & {*file.fields}
            if not fields:
                continue
            if file.path not in self._written or not fields <= {*self._written[file.path].fields}:
                self._written[file.path] = self._write_file(dataset, fragment, fields)
            new = self._written[file.path]
            held = [field if field in fields else TOMBSTONE for field in new.fields]
            version = (new.file_major_version, new.file_minor_version)
            yield DataFile(new.path, held, new.column_indices, *version, new.file_size_bytes)

    def _write_file(self, dataset: "LanceDataset", fragment: "LanceFragment", fields: set[int]) -> "DataFile":
        """Write the columns of some `fields` of a fragment into a new file, with blank rows in the places of the documents'.

        Raises:
            CorpusError: Lance did not read all of the rows.
        """
        from lance.file import LanceFileWriter
        from lance.fragment import DataFile

        columns = [of.name() for of in dataset.lance_schema.fields() if fields & {*indexes.list_field_ids(of)}]
        place, n = f"{uuid4().hex}.lance", 0
        schema = pa.schema([dataset.schema.field(column) for column in columns])
        read = indexes.scan_even_deleted(dataset, [fragment], [*{*columns, "document_id"}], **READ)
        with LanceFileWriter(f"{dataset.uri}/data/{place}", schema, version=dataset.data_storage_version) as writer:
            for batch in read.to_batches():
                writer.write_batch(self._blank_rows(batch, schema))
                n += batch.num_rows
        if n != fragment.physical_rows:
            raise CorpusError(
                f"table {self._name} of {self._corpus}: {n} of {fragment.physical_rows} rows were read: {lance.AGAIN}"
            )
        return DataFile.create(dataset, place)

    def _blank_rows(self, batch: pa.RecordBatch, schema: pa.Schema) -> pa.Table:
        """Return the columns of `schema` of a batch. Rows are taken, because a value that is masked as null is still there."""
        rows = pa.table(batch.select(schema.names).columns, schema=schema)
        if HEAD in schema.names:
            new = self._new_heads.take(pc.index_in(batch[HEAD], value_set=self._documents))
            rows = rows.set_column(schema.get_field_index(HEAD), schema.field(HEAD), pc.coalesce(new, batch[HEAD]))
        gone = self._is_of_documents(batch["document_id"]).to_numpy(zero_copy_only=False)
        if not gone.any():
            return rows
        blank = pa.table([pa.array([make_blank(field)], field.type) for field in schema], schema=schema)
        self._n_blank += int(gone.sum())
        return pa.concat_tables([rows, blank]).take(np.where(gone, len(gone), np.arange(len(gone))))


def make_blank(field: pa.Field) -> object:
    """Return what stands for a value of a column that is gone: null, or the nothing of its type where it may not be null.

    >>> make_blank(pa.field("n", pa.int32(), nullable=False)), make_blank(pa.field("text", pa.string()))
    (0, None)
    """
    kind = field.type
    if field.nullable:
        return None
    if pa.types.is_fixed_size_list(kind):
        return [0.0] * kind.list_size
    if pa.types.is_list(kind):
        return []
    if pa.types.is_boolean(kind):
        return False
    return "" if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_binary(kind) else 0


def _put_fragments(dataset: "LanceDataset", fragments: "list[FragmentMetadata]", written: str | None = None) -> "LanceDataset":
    """Put fragments in the places of those of their numbers, and delete the blank rows in them; return the new head.

    An index of the column `written` covers none of them any more.
    """
    if not fragments:
        return dataset
    from lance import LanceOperation

    fields = [number for of in dataset.lance_schema.fields() if of.name() == written for number in indexes.list_field_ids(of)]
    put = LanceOperation.Update(updated_fragments=fragments, fields_modified=fields)
    head: LanceDataset = import_lance().LanceDataset.commit(dataset, put, read_version=dataset.version)
    head.delete(BLANK)
    return head


def _list_stored_columns(dataset: "LanceDataset") -> dict[str, StoredColumns]:
    """Return, for each column and fragment of a version, the files and fields in them that hold it."""
    stored = {of.fragment_id: indexes.find_stored_columns(dataset, of) for of in dataset.get_fragments()}
    return {column: {number: of.get(column, set()) for number, of in stored.items()} for column in dataset.schema.names}
