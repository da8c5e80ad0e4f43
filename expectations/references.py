"""What must hold between the tables of a draft: rows name documents that exist, and keys are unique.

The frame has one row per element, figure or chunk: its key, document_id.
"""

from collections.abc import Collection
from typing import TYPE_CHECKING

from expectations.suites import Finding, run_suite

if TYPE_CHECKING:
    from great_expectations.expectations import Expectation
    from pandas import DataFrame


def check_references(table: str, frame: "DataFrame", key: str, documents: Collection[str]) -> list[Finding]:
    """Return what the suite `<table>_references` finds in the draft of `table`, given the ids of all documents."""
    known = frame.assign(known=frame["document_id"].isin(list(documents)))
    return run_suite(f"{table}_references", known, references_suite(key), key=key)


def references_suite(key: str) -> "list[Expectation]":
    """Return the expectations for a table whose rows `key` names, over the columns that `check_references` adds."""
    from great_expectations import expectations as gxe

    return [
        gxe.ExpectColumnValuesToNotBeNull(column=key),
        gxe.ExpectColumnValuesToBeUnique(column=key),
        gxe.ExpectColumnValuesToBeInSet(column="known", value_set=[True]),
    ]
