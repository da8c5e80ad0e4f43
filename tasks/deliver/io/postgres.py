"""Tables in a PostgreSQL database with pgvector: one transaction for each generation, with the row that says which it is.

Texts and numbers are columns of their kind, lists of texts arrays, vectors of pgvector's type with an HNSW index by cosine, all
else is JSON. A table that is brought whole is made beside the one that is there, and takes its place with the commit.
"""

import json
import logging
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from schemas.errors import InputError
from tasks.deliver.io.changes import CHANGE, KEYS, read_changes
from tasks.deliver.io.destination import Delivered, Delivery
from tasks.store import published
from tasks.store.sources.failures import make_source_error
from tasks.store.sources.logins import Login

if TYPE_CHECKING:
    from psycopg import Connection, Cursor

logger = logging.getLogger(__name__)

STATE = "delivered"
MOST_DIMENSIONS = 2000
"""Longer vectors pgvector does not index."""
BUILD_MEMORY = "512MB"
"""Room for building the index of vectors: without, that of 100,000 vectors is built on the disk, which takes minutes."""


class Contents(Delivered):
    """What the row says: by table, also its columns."""

    schemas: dict[str, str]


class Column(NamedTuple):
    """A column in the database: its type, the type that it is sent as, and what makes its values from a column of Arrow."""

    type: str
    sent_as: str
    convert: Callable[[pa.ChunkedArray], Sequence[Any]]


class PostgresTables:
    """A schema of a PostgreSQL database."""

    def __init__(self, url: str, login: Login, schema: str) -> None:
        """Raises InputError: the driver is missing."""
        try:
            import psycopg
        except ImportError as error:
            raise InputError("postgresql:// needs the package psycopg: pip install 'pagemill[postgres]'") from error
        self._psycopg, self._url, self._schema = psycopg, url, schema
        self._login = {name: value for name, value in login._asdict().items() if value}

    def read_delivered(self) -> Contents | None:
        """Return what the schema holds."""
        with self._connect() as connection:
            there = connection.execute("SELECT to_regclass(%s)", [self._name(STATE)]).fetchone()
            found = connection.execute(f"SELECT said FROM {self._name(STATE)}").fetchone() if there and there[0] else None
        return Contents.model_validate(found[0]) if found else None

    def apply(self, delivery: Delivery) -> None:
        """Bring the tables to the generation, all at once."""
        before, schemas = self.read_delivered() if delivery.changes.since else None, dict[str, str]()
        with self._connect() as connection, connection.cursor() as cursor:
            cursor.execute(f'CREATE SCHEMA IF NOT EXISTS "{self._schema}"')
            for name in delivery.said.tables:
                schema = published.open_published(delivery.corpus, delivery.generation, name).schema
                schemas[name] = schema.to_string(show_field_metadata=False, show_schema_metadata=False)
                if before and before.schemas.get(name) == schemas[name]:
                    self._change_table(cursor, name, delivery.changes.tables[name])
                else:
                    self._make_table(cursor, name, schema, delivery)
            said = Contents(**delivery.said.model_dump(), schemas=schemas)
            cursor.execute(f"CREATE TABLE IF NOT EXISTS {self._name(STATE)} (generation bigint, at timestamptz, said jsonb)")
            cursor.execute(f"DELETE FROM {self._name(STATE)}")
            cursor.execute(f"INSERT INTO {self._name(STATE)} VALUES (%s, now(), %s)", [said.generation, said.model_dump_json()])

    def _make_table(self, cursor: "Cursor[Any]", name: str, schema: pa.Schema, delivery: Delivery) -> None:
        """Make a table anew, with all rows of the generation."""
        columns = {field.name: choose_column(field.type) for field in schema}
        new = self._name(f"{name}_new")
        if any(column.type.startswith("vector") for column in columns.values()):
            cursor.execute("CREATE EXTENSION IF NOT EXISTS vector")
        lines = [f'"{column}" {of.type}' for column, of in columns.items()]
        key = ", ".join(f'"{column}"' for column in KEYS[name])
        cursor.execute(f"DROP TABLE IF EXISTS {new}")
        cursor.execute(f"CREATE TABLE {new} ({', '.join(lines)})")
        for batch in read_changes(delivery.corpus, 0, delivery.generation.generation, rows=True, names=[name]).tables[name]:
            self._copy_rows(cursor, new, batch)
        cursor.execute(f"ALTER TABLE {new} ADD PRIMARY KEY ({key})")
        if "document_id" not in KEYS[name]:
            cursor.execute(f"CREATE INDEX ON {new} (document_id)")
        cursor.execute(f"SET LOCAL maintenance_work_mem = '{BUILD_MEMORY}'")
        for column, of in columns.items():
            if of.type.startswith("vector"):
                self._index_vectors(cursor, new, column, schema.field(column).type.list_size)
        cursor.execute(f"DROP TABLE IF EXISTS {self._name(name)}")
        cursor.execute(f'ALTER TABLE {new} RENAME TO "{name}"')

    def _index_vectors(self, cursor: "Cursor[Any]", table: str, column: str, dimension: int) -> None:
        if dimension > MOST_DIMENSIONS:
            logger.warning("%s has no index of vectors: pgvector takes %d dimensions at most", table, MOST_DIMENSIONS)
            return
        cursor.execute(f'CREATE INDEX ON {table} USING hnsw ("{column}" vector_cosine_ops)')

    def _change_table(self, cursor: "Cursor[Any]", name: str, changes: pa.RecordBatchReader) -> None:
        """Apply changes to a table that is there."""
        table, keys = self._name(name), KEYS[name]
        for batch in changes:
            [change] = batch[CHANGE].unique().to_pylist()
            if change != "added":
                known = [*zip(*(batch[key].to_pylist() for key in keys), strict=True)]
                of_key = " AND ".join(f'"{key}" = %s' for key in keys)
                cursor.executemany(f"DELETE FROM {table} WHERE {of_key}", [row for row in known if None not in row])
                purged = [
                    of
                    for of, row in zip(batch["document_id"].to_pylist(), known, strict=True)
                    if change == "removed" and None in row
                ]
                cursor.execute(f"DELETE FROM {table} WHERE document_id = ANY(%s)", [purged])
            if change != "removed":
                self._copy_rows(cursor, table, batch)

    def _copy_rows(self, cursor: "Cursor[Any]", table: str, batch: pa.RecordBatch) -> None:
        rows = pa.Table.from_batches([batch]).select([name for name in batch.schema.names if not name.startswith("_")])
        columns = [choose_column(field.type) for field in rows.schema]
        values = [column.convert(rows[name]) for column, name in zip(columns, rows.schema.names, strict=True)]
        names = ", ".join(f'"{name}"' for name in rows.schema.names)
        with cursor.copy(f"COPY {table} ({names}) FROM STDIN (FORMAT BINARY)") as copy:
            copy.set_types([column.sent_as for column in columns])
            for row in zip(*values, strict=True):
                copy.write_row(row)

    @contextmanager
    def _connect(self) -> "Iterator[Connection[Any]]":
        """Give a connection, whose transaction is committed when the block ends well."""
        try:
            with self._psycopg.connect(self._url, **self._login) as connection:
                yield connection
        except self._psycopg.Error as error:
            raise make_source_error(self._url, error) from error

    def _name(self, table: str) -> str:
        return f'"{self._schema}"."{table}"'


def choose_column(kind: pa.DataType) -> Column:
    """Return the column for values of a type of Arrow's.

    >>> choose_column(pa.list_(pa.float32(), 384)).type, choose_column(pa.list_(pa.string())).type, choose_column(pa.int32()).type
    ('vector(384)', 'text[]', 'bigint')
    """
    if pa.types.is_fixed_size_list(kind) and pa.types.is_floating(kind.value_type):
        return Column(f"vector({kind.list_size})", "bytea", _encode_vectors)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return Column("text", "text", lambda column: [_clean(text) for text in column.to_pylist()])
    if pa.types.is_list(kind) and pa.types.is_string(kind.value_type):
        return Column(
            "text[]", "text[]", lambda column: [texts and [_clean(text) for text in texts] for texts in column.to_pylist()]
        )
    for fits, name, sent_as in (
        (pa.types.is_boolean, "boolean", "bool"),
        (pa.types.is_integer, "bigint", "int8"),
        (pa.types.is_floating, "double precision", "float8"),
        (pa.types.is_date, "date", "date"),
        (pa.types.is_binary, "bytea", "bytea"),
    ):
        if fits(kind):
            return Column(name, sent_as, lambda column: column.to_pylist())
    return Column("jsonb", "jsonb", lambda column: [_make_json(value) for value in column.to_pylist()])


def _encode_vectors(column: pa.ChunkedArray) -> list[bytes | None]:
    """Return vectors as pgvector sends them: the dimension, two bytes of zero, numbers of four bytes, the highest first."""
    dimension = column.type.list_size
    head = struct.pack(">HH", dimension, 0)
    values = np.asarray(column.combine_chunks().flatten(), ">f4").reshape(-1, dimension)
    vectors = iter(values)
    return [head + next(vectors).tobytes() if there else None for there in column.is_valid().to_pylist()]


def _clean(text: str | None) -> str | None:
    """Return a text as PostgreSQL takes it: NUL, which it refuses, becomes the character for what cannot be shown."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}") if text and "\0" in text else text


def _make_json(value: object) -> object:
    from psycopg.types.json import Jsonb

    return None if value is None else Jsonb(value, dumps=lambda given: json.dumps(given).replace("\\u0000", "\\ufffd"))
