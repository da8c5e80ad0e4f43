"""What must be true of the documents of a draft, and of the rows that name them."""

from collections.abc import Iterable
from math import floor

import pyarrow as pa
import pyarrow.compute as pc

from expectations.expected import BETWEEN, IN_SET, ROWS, UNIQUE, ExpectationSpec, TalliedSuite
from expectations.tallies import Rows, tally_suite
from schemas.options.sections import GateOptions

FEW_DOCUMENTS = 10


def tally_documents(rows: pa.Table, limits: GateOptions, n_documents: int) -> TalliedSuite:
    """Look at `rows`, which should be `n_documents`, for the suite `documents`."""
    return tally_suite(
        "documents", [Rows(_add_derived_columns(rows))], rows.num_rows, make_documents_suite(limits, n_documents), key="path"
    )


def make_documents_suite(limits: GateOptions, n_documents: int) -> list[ExpectationSpec]:
    """Return the expectations for `n_documents` documents, over the columns that `tally_documents` adds."""
    return [
        ExpectationSpec(ROWS, arguments={"value": n_documents}),
        ExpectationSpec(UNIQUE, "document_id"),
        ExpectationSpec(IN_SET, "accounted", {"value_set": [True]}),
        ExpectationSpec(BETWEEN, "coverage", {"min_value": limits.min_coverage}),
        _expect_few_rejects(limits, n_documents),
    ]


def tally_copies(new: pa.Table, staying: pa.ChunkedArray, limits: GateOptions) -> TalliedSuite:
    """Look at `new` documents (path, sha256) for the suite `copies`; `staying` are the sha256 of those that were there before."""
    rows = new.append_column("copied", pc.is_in(new["sha256"], value_set=staying))
    return tally_suite("copies", [Rows(rows)], rows.num_rows, make_copies_suite(limits, rows.num_rows), key="path")


def make_copies_suite(limits: GateOptions, n_new: int) -> list[ExpectationSpec]:
    """Return the expectation that few of `n_new` documents are copies; of fewer than ten, all may be."""
    share = 1 - limits.max_copy_share if n_new >= FEW_DOCUMENTS else 0.0
    copies = f"{limits.max_copy_share * 100:.4g} %" if n_new >= FEW_DOCUMENTS else "any number"
    return [ExpectationSpec(IN_SET, "copied", {"value_set": [False], "mostly": share}, meta={"copies": copies})]


def _expect_few_rejects(limits: GateOptions, n_documents: int) -> ExpectationSpec:
    most = max_rejects_for(limits, n_documents)
    said = f"{most}" if n_documents < FEW_DOCUMENTS else f"{limits.max_reject_share * 100:.4g} %"
    share = (n_documents - most) / n_documents if n_documents else 1.0
    return ExpectationSpec(IN_SET, "rejected", {"value_set": [False], "mostly": share}, meta={"rejects": said})


def max_rejects_for(limits: GateOptions, n_documents: int) -> int:
    """Return how many of `n_documents` may be rejected.

    With fewer than ten documents, one reject is always allowed, unless `max_reject_share` is 0.

    >>> [max_rejects_for(GateOptions(max_reject_share=0.3), n) for n in (0, 1, 3, 9, 10, 100)]
    [0, 1, 1, 2, 3, 30]
    """
    allowed = floor(limits.max_reject_share * n_documents + 1e-9)
    one_of_few = 0 < n_documents < FEW_DOCUMENTS and limits.max_reject_share > 0
    return max(allowed, 1) if one_of_few else allowed


def _add_derived_columns(rows: pa.Table) -> pa.Table:
    """Add the columns `accounted` (the document has chunks or a reject) and `rejected`."""
    rejected = pc.greater(rows["n_rejects"], 0)
    explained = pc.or_(rejected, pc.greater(rows["n_chunks"], 0))
    accounted = pc.or_(pc.invert(rows["planned"]), explained)
    return rows.append_column("accounted", accounted).append_column("rejected", rejected)


def tally_references(table: str, rows: Iterable[Rows], n_rows: int, key: str) -> TalliedSuite:
    """Look at `rows` of `table`, which have the column `known`, for the suite `<table>_references`."""
    return tally_suite(f"{table}_references", rows, n_rows, make_references_suite(table, key), key=key)


def add_known_column(rows: pa.Table, documents: pa.Array) -> Rows:
    """Add the column `known`: whether a row's document is one of `documents` (ids)."""
    return Rows(rows.append_column("known", pc.is_in(rows["document_id"], value_set=documents)))


def make_references_suite(table: str, key: str) -> list[ExpectationSpec]:
    """Return the expectations for a table with the key column `key`, over the columns that `add_known_column` adds."""
    unique = [ExpectationSpec(UNIQUE, key)] if table == "figures" else []
    return [*unique, ExpectationSpec(IN_SET, "known", {"value_set": [True]})]
