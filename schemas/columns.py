"""Columns of Python values for commands that must answer at once: `pyarrow.array` and `scalar` load pandas (.3 s)."""

from array import array
from collections.abc import Iterable

import pyarrow as pa


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
