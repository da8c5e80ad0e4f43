"""What must hold between the tables of a draft: rows name documents that exist, and no figure is there twice.

The frame has one row per element, figure or chunk: its key, document_id. Keys of elements and chunks are not looked at here:
those of elements count up within a document, and the suite `chunks` looks at those of chunks.
"""

from collections.abc import Collection
from typing import TYPE_CHECKING

from expectations.findings import Finding
from expectations.suites import run_suite

if TYPE_CHECKING:
    from great_expectations.expectations import Expectation
    from pandas import DataFrame


def check_references(table: str, frame: "DataFrame", key: str, documents: Collection[str]) -> list[Finding]:
    """Return what the suite `<table>_references` finds in `frame`, the rows of `table`, given the ids of all documents."""
    known = frame.assign(known=frame["document_id"].isin(list(documents)))
    return run_suite(f"{table}_references", known, references_suite(table, key), key=key)


def references_suite(table: str, key: str) -> "list[Expectation]":
    """Return the expectations for a table whose rows `key` names, over the columns that `check_references` adds."""
    from great_expectations import expectations as gxe

    unique = [gxe.ExpectColumnValuesToBeUnique(column=key)] if table == "figures" else []
    return [*unique, gxe.ExpectColumnValuesToBeInSet(column="known", value_set=[True])]
