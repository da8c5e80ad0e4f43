"""Check at the end of a step that a table follows its schema."""

from collections.abc import Iterable, Mapping

import pyarrow as pa

from schemas.errors import SchemaError


def conform_to_schema(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return `table` with exactly the columns, order and types of `schema`.

    Raises:
        SchemaError: a column is missing or unknown, a value does not fit its type, or a required value is null.
    """
    missing = [name for name in schema.names if name not in table.column_names]
    unknown = [name for name in table.column_names if name not in schema.names]
    if missing or unknown:
        raise SchemaError(f"columns missing: {missing or 'none'}; columns unknown: {unknown or 'none'}")
    for field in schema:
        if not field.nullable and table[field.name].null_count:
            raise SchemaError(f"column {field.name} holds {table[field.name].null_count} nulls and must hold none")
    try:
        return table.select(schema.names).cast(schema)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError) as error:
        raise SchemaError(f"a value does not fit its column: {error}") from error


def make_table_from_rows(rows: Iterable[Mapping[str, object]], schema: pa.Schema) -> pa.Table:
    """Build a table of `schema` from dicts.

    Raises:
        SchemaError: a key is unknown, a value does not fit, or a required value is missing.
    """
    listed = list(rows)
    unknown = {key for row in listed for key in row} - set(schema.names)
    if unknown:
        raise SchemaError(f"columns unknown: {sorted(unknown)}")
    try:
        table = pa.Table.from_pylist([dict(row) for row in listed], schema=schema)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError) as error:
        raise SchemaError(f"a value does not fit its column: {error}") from error
    return conform_to_schema(table, schema)
