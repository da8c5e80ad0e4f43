"""Arrow types that several tables share, and columns of Python values."""

from array import array
from collections.abc import Iterable

import pyarrow as pa

BOX = pa.struct([pa.field(name, pa.float32(), nullable=False) for name in ("x0", "y0", "x1", "y1")])
"""A rectangle in PDF points (1/72 inch). The origin is the top left of the page as shown; y points downwards."""

PAGE_BOX = pa.struct([pa.field("page_number", pa.int32(), nullable=False), pa.field("bbox", BOX, nullable=False)])
"""A rectangle on a page; pages count from 1."""


def required_column(name: str, kind: pa.DataType) -> pa.Field:
    """Return a column that is never null."""
    return pa.field(name, kind, nullable=False)


def primary_key_column(name: str, kind: pa.DataType) -> pa.Field:
    """Return a required column that Lance knows as (part of) the unenforced primary key."""
    return pa.field(name, kind, nullable=False, metadata={"lance-schema:unenforced-primary-key": "true"})


COLUMN_TYPES: dict[str, pa.DataType] = {
    "int": pa.int64(),
    "float": pa.float64(),
    "bool": pa.bool_(),
    "string": pa.string(),
    "date": pa.date32(),
    "list<string>": pa.list_(pa.string()),
}
"""The types of declared metadata columns, by their names in `pagemill.toml`."""


def make_metadata_fields(columns: dict[str, str]) -> list[pa.Field]:
    """Return nullable columns for the declared metadata, in the order of their names."""
    return [pa.field(name, COLUMN_TYPES[kind]) for name, kind in sorted(columns.items())]


def strings(values: Iterable[str | None]) -> pa.Array:
    """Return a column of texts.

    >>> strings(["a", None]).to_pylist()
    ['a', None]
    """
    builder = pa.lib.StringBuilder()
    builder.append_values(values)
    return builder.finish()


def integers(values: Iterable[int]) -> pa.Array:
    """Return a column of numbers of 64 bits.

    >>> integers([1, -2]).to_pylist()
    [1, -2]
    """
    whole = array("q", values)
    return pa.Array.from_buffers(pa.int64(), len(whole), [None, pa.py_buffer(whole)])


def scalar(value: int | str) -> pa.Scalar:
    """Return a number of 64 bits or a text as one value beside columns.

    >>> scalar("a"), scalar(3)
    (<pyarrow.StringScalar: 'a'>, <pyarrow.Int64Scalar: 3>)
    """
    return strings([value])[0] if isinstance(value, str) else integers([value])[0]
