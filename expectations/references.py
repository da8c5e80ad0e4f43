"""What must be true between the tables of a draft: each row names a document that exists, and each figure is there once.

The frame has one row per element, figure or chunk: its key, document_id. Only figures need a check of their keys here: keys of
elements count up within a document, and the suite `chunks` checks the keys of chunks.
"""

from collections.abc import Collection
from typing import TYPE_CHECKING

from expectations.findings import Finding
from expectations.suites import run_suite

if TYPE_CHECKING:
    from great_expectations.expectations import Expectation
    from pandas import DataFrame


def check_references(table: str, frame: "DataFrame", key: str, documents: Collection[str]) -> list[Finding]:
    """Return what the suite `<table>_references` finds in `frame`, the rows of `table`. `documents` holds all document ids."""
    known = frame.assign(known=frame["document_id"].isin(list(documents)))
    return run_suite(f"{table}_references", known, references_suite(table, key), key=key)


def references_suite(table: str, key: str) -> "list[Expectation]":
    """Return the expectations for a table with the key column `key`, over the columns that `check_references` adds."""
    from great_expectations import expectations as gxe

    unique = [gxe.ExpectColumnValuesToBeUnique(column=key)] if table == "figures" else []
    return [*unique, gxe.ExpectColumnValuesToBeInSet(column="known", value_set=[True])]
