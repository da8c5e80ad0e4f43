"""Arrow types that several tables share."""

import pyarrow as pa

BOX = pa.struct([pa.field(name, pa.float32(), nullable=False) for name in ("x0", "y0", "x1", "y1")])
"""A rectangle in PDF points (1/72 inch). The origin is the top left of the page as shown; y points downwards."""

PAGE_BOX = pa.struct([pa.field("page_number", pa.int32(), nullable=False), pa.field("bbox", BOX, nullable=False)])
"""A rectangle on a page; pages count from 1."""


def required(name: str, kind: pa.DataType) -> pa.Field:
    """Return a column that is never null."""
    return pa.field(name, kind, nullable=False)


def primary_key(name: str, kind: pa.DataType) -> pa.Field:
    """Return a required column that Lance knows as (part of) the unenforced primary key."""
    return pa.field(name, kind, nullable=False, metadata={"lance-schema:unenforced-primary-key": "true"})


COLUMN_TYPES: dict[str, pa.DataType] = {
    "int": pa.int64(),
    "float": pa.float64(),
    "bool": pa.bool_(),
    "string": pa.string(),
    "date": pa.date32(),
}
"""The types of declared metadata columns, by their names in `pagemill.toml`."""


def metadata_fields(columns: dict[str, str]) -> list[pa.Field]:
    """Return nullable columns for the declared metadata, in the order of their names."""
    return [pa.field(name, COLUMN_TYPES[kind]) for name, kind in sorted(columns.items())]
