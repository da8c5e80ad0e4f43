"""What must be true of the documents of a draft.

The table has one row per document that is planned or stays: document_id, path, planned, n_chunks, n_rejects, coverage.
`n_rejects` counts rejects of the whole document, not of single pages. `coverage` is the share of the text's characters,
without white space, that chunks cover. It is null for a rejected document and for one that stays, which was measured before.
"""

from math import floor

import pyarrow as pa
import pyarrow.compute as pc

from expectations.expected import Expected, Tallied
from expectations.expected_types import BETWEEN, IN_SET, ROWS, UNIQUE
from expectations.suites import look
from expectations.tallies import Rows
from schemas.options.sections import GateOptions

FEW_DOCUMENTS = 10


def look_at_documents(rows: pa.Table, limits: GateOptions, n_documents: int) -> Tallied:
    """Look at `rows`, which should be `n_documents`, for the suite `documents`."""
    return look("documents", [Rows(_derive(rows))], rows.num_rows, documents_suite(limits, n_documents), key="path")


def documents_suite(limits: GateOptions, n_documents: int) -> list[Expected]:
    """Return the expectations for `n_documents` documents, over the columns that `look_at_documents` adds."""
    return [
        Expected(ROWS, arguments={"value": n_documents}),
        Expected(UNIQUE, "document_id"),
        Expected(IN_SET, "accounted", {"value_set": [True]}),
        Expected(BETWEEN, "coverage", {"min_value": limits.min_coverage}),
        _few_rejects(limits, n_documents),
    ]


def _few_rejects(limits: GateOptions, n_documents: int) -> Expected:
    most = most_rejects(limits, n_documents)
    said = f"{most}" if n_documents < FEW_DOCUMENTS else f"{limits.max_reject_share * 100:.4g} %"
    share = (n_documents - most) / n_documents if n_documents else 1.0
    return Expected(IN_SET, "rejected", {"value_set": [False], "mostly": share}, meta={"rejects": said})


def most_rejects(limits: GateOptions, n_documents: int) -> int:
    """Return how many of `n_documents` may be rejected.

    With fewer than ten documents, one reject is always allowed, unless `max_reject_share` is 0.

    >>> [most_rejects(GateOptions(max_reject_share=0.3), n) for n in (0, 1, 3, 9, 10, 100)]
    [0, 1, 1, 2, 3, 30]
    """
    allowed = floor(limits.max_reject_share * n_documents + 1e-9)
    one_of_few = 0 < n_documents < FEW_DOCUMENTS and limits.max_reject_share > 0
    return max(allowed, 1) if one_of_few else allowed


def _derive(rows: pa.Table) -> pa.Table:
    """Add the columns `accounted` (the document has chunks or a reject) and `rejected`."""
    rejected = pc.greater(rows["n_rejects"], 0)
    explained = pc.or_(rejected, pc.greater(rows["n_chunks"], 0))
    accounted = pc.or_(pc.invert(rows["planned"]), explained)
    return rows.append_column("accounted", accounted).append_column("rejected", rejected)
