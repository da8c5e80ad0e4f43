"""Conditions that select rows: what a caller wrote on columns of chunks or documents becomes SQL on the table that is read."""

import pyarrow as pa

from schemas.tables.chunks import make_chunks_schema
from schemas.tables.documents import make_documents_schema
from tasks.search.conditions.parse import parse_condition
from tasks.store import conditions
from tasks.store.access import OpenTables

COLUMNS = {"documents": make_documents_schema({}).names, "chunks": make_chunks_schema(1, {}).names}
"""The columns of every corpus. Declared columns are added to both tables."""

OF_DOCUMENTS = {*COLUMNS["documents"]} - {*COLUMNS["chunks"]}
"""Columns that only documents have, such as author."""


def read_rows_where(tables: OpenTables, name: str, columns: list[str] | None, where: str | None) -> pa.Table:
    """Return `columns` (None: all) of documents or chunks that may be read. `where` is the caller's condition (None: all).

    Raises:
        InputError: the condition is not valid; the message says where, and what to write.
        CorpusError: the table cannot be read.
    """
    return tables.read(name, columns, translate_condition_to_sql(tables, name, where))


def translate_condition_to_sql(tables: OpenTables, name: str, where: str | None) -> str | None:
    """Return a caller's condition on a table in SQL.

    Raises:
        InputError: the condition is not valid.
        CorpusError: the table cannot be read.
    """
    if where is None:
        return None
    known = tables.schema(name)
    return parse_condition(where, get_column_types(known), f"the columns of {name} are {', '.join(known.names)}").sql


def convert_to_chunk_condition(tables: OpenTables, where: str | None) -> str | None:
    """Return a caller's condition as a condition on chunks in SQL. A condition on documents selects all their chunks.

    Raises:
        InputError: the condition is not valid. One on columns of documents cannot also use columns that only chunks have.
        CorpusError: the documents cannot be read.
    """
    if where is None:
        return None
    chunks = tables.schema("chunks")
    both = {**get_column_types(tables.schema("documents")), **get_column_types(chunks)}
    apart = f"or, by themselves, those of documents: {', '.join(sorted(OF_DOCUMENTS))}"
    found = parse_condition(where, both, f"the columns of chunks are {', '.join(chunks.names)}; {apart}")
    if found.columns <= {*chunks.names}:
        return found.sql
    documents = read_rows_where(tables, "documents", ["document_id"], where)
    return conditions.make_documents_condition(documents["document_id"].to_pylist())


def get_column_types(schema: pa.Schema) -> dict[str, pa.DataType]:
    """Return the types of columns by their names."""
    return dict(zip(schema.names, schema.types, strict=True))
