"""SQL conditions on the rows of tables."""

from collections.abc import Iterable
from datetime import date


def make_in_condition(column: str, values: Iterable[str | float | date]) -> str:
    """Return the SQL condition that a column holds one of `values`.

    >>> make_in_condition("path", ["a.txt", "o'clock.txt"]), make_in_condition("day", [date(2024, 5, 31)])
    ("path IN ('a.txt', 'o''clock.txt')", "day IN (date '2024-05-31')")
    """
    listed = ", ".join(map(_write_value, values))
    return f"{column} IN ({listed})" if listed else "false"


def make_any_condition(column: str, values: Iterable[str]) -> str:
    """Return the SQL condition that a list has one of `values`; no row without a list meets it.

    >>> make_any_condition("groups", ["everyone", "finance"])
    "array_has_any(groups, ['everyone', 'finance'])"
    """
    return f"array_has_any({column}, [{', '.join(map(_write_value, values))}])"


def _write_value(value: str | float | date) -> str:
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return f"date '{value}'" if isinstance(value, date) else repr(value)


def make_documents_condition(documents: Iterable[str]) -> str:
    """Return the SQL condition that a row belongs to one of `documents` (ids)."""
    return make_in_condition("document_id", documents)
