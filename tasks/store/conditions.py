"""SQL conditions on the rows of tables."""

from collections.abc import Iterable


def make_in_condition(column: str, values: Iterable[str]) -> str:
    """Return the SQL condition that a column holds one of `values`.

    >>> make_in_condition("path", ["a.txt", "o'clock.txt"])
    "path IN ('a.txt', 'o''clock.txt')"
    """
    listed = ", ".join("'" + value.replace("'", "''") + "'" for value in values)
    return f"{column} IN ({listed})" if listed else "false"


def make_documents_condition(documents: Iterable[str]) -> str:
    """Return the SQL condition that a row belongs to one of `documents` (ids)."""
    return make_in_condition("document_id", documents)
