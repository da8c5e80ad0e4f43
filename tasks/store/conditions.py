"""SQL conditions on the rows of tables."""

from collections.abc import Iterable


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
