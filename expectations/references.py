"""What must be true between the tables of a draft: each row names a document that exists, and each figure is there once.

The table has one row per element, figure or chunk: its key, document_id. Only figures need a check of their keys here: keys of
elements count up within a document, and the suite `chunks` checks the keys of chunks.
"""

from collections.abc import Iterable

import pyarrow as pa
import pyarrow.compute as pc

from expectations.expected import Expected, Tallied
from expectations.expected_types import IN_SET, UNIQUE
from expectations.suites import look
from expectations.tallies import Rows


def look_at_references(table: str, rows: Iterable[Rows], n_rows: int, key: str) -> Tallied:
    """Look at `rows` of `table`, which have the column `known`, for the suite `<table>_references`."""
    return look(f"{table}_references", rows, n_rows, references_suite(table, key), key=key)


def with_known(rows: pa.Table, documents: pa.Array) -> Rows:
    """Add the column `known`: whether a row's document is one of `documents` (ids)."""
    return Rows(rows.append_column("known", pc.is_in(rows["document_id"], value_set=documents)))


def references_suite(table: str, key: str) -> list[Expected]:
    """Return the expectations for a table with the key column `key`, over the columns that `with_known` adds."""
    unique = [Expected(UNIQUE, key)] if table == "figures" else []
    return [*unique, Expected(IN_SET, "known", {"value_set": [True]})]
