"""Compare the rows of two Arrow tables, whatever the types of their columns."""

from collections.abc import Iterator

import pyarrow as pa


def find_differing_rows(before: pa.Table, after: pa.Table) -> list[int]:
    """Return the positions of the rows that differ between two tables of as many rows, ascending.

    A column that one of them lacks counts as null there; with other types of a column, all rows differ.

    >>> find_differing_rows(pa.table({"a": [1, 2, 3]}), pa.table({"a": [1, 5, 3], "b": [None, None, "x"]}))
    [1, 2]
    """
    types = {field.name: field.type for table in (before, after) for field in table.schema}
    return [*_search_halves(_complete(before, types), _complete(after, types), 0)]


def _search_halves(before: pa.Table, after: pa.Table, start: int) -> Iterator[int]:
    """Yield the positions, from `start` on, of rows that differ: equal halves are not looked into."""
    if before.equals(after):
        return
    if after.num_rows == 1:
        yield start
        return
    half = after.num_rows // 2
    yield from _search_halves(before.slice(0, half), after.slice(0, half), start)
    yield from _search_halves(before.slice(half), after.slice(half), start + half)


def _complete(table: pa.Table, types: dict[str, pa.DataType]) -> pa.Table:
    """Return the table with all columns of `types`, in their order; those that it lacks are null."""
    columns = [table[name] if name in table.schema.names else pa.nulls(table.num_rows, types[name]) for name in types]
    return pa.table(columns, names=[*types])
