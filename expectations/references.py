"""What must be true between the tables of a draft: each row names a document that exists, and each figure is there once.

The table has one row per element, figure or chunk: its key, document_id. Only figures need a check of their keys here: keys of
elements count up within a document, and the suite `chunks` checks the keys of chunks.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from expectations.findings import Finding
from expectations.suites import run_suite
from expectations.tallies import Rows

if TYPE_CHECKING:
    from great_expectations.expectations import Expectation


def check_references(table: str, rows: Iterable[Rows], n_rows: int, key: str) -> list[Finding]:
    """Return what the suite `<table>_references` finds in `rows` of `table`, which have the column `known`."""
    return run_suite(f"{table}_references", rows, n_rows, references_suite(table, key), key=key)


def with_known(rows: pa.Table, documents: pa.Array) -> Rows:
    """Add the column `known`: whether a row's document is one of `documents` (ids)."""
    return Rows(rows.append_column("known", pc.is_in(rows["document_id"], value_set=documents)))


def references_suite(table: str, key: str) -> "list[Expectation]":
    """Return the expectations for a table with the key column `key`, over the columns that `with_known` adds."""
    from great_expectations import expectations as gxe

    unique = [gxe.ExpectColumnValuesToBeUnique(column=key)] if table == "figures" else []
    return [*unique, gxe.ExpectColumnValuesToBeInSet(column="known", value_set=[True])]
