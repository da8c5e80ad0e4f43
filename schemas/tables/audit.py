"""Audit: one row per answer that someone was given, or refused, by a corpus that says who may read it.

Rows are kept for `access.audit_days`. `asker` is `owner`, or the name of a token or of a `Principal`, blank without one;
`groups` are theirs, null for the owner and for who did not say. `kind` is what was asked for: `search`, `figures`, `documents`,
`chunks`, `read`, `picture`, `duplicates`, `changes`, `dataset` or `table`. `documents` are the ids of the first 1,000 documents
that the answer told of, `n_documents` counts all. `question`, for `read` and `picture` the document that was asked for, and
`condition`, the SQL that came along, are null unless `access.audit_questions` is on. `error` is the name of the error by which
who asks was refused.
"""

import pyarrow as pa

from schemas.types import required_column

AUDIT = pa.schema(
    [
        required_column("asked_at", pa.timestamp("us", tz="UTC")),
        required_column("kind", pa.string()),
        required_column("asker", pa.string()),
        pa.field("groups", pa.list_(pa.string())),
        required_column("documents", pa.list_(pa.string())),
        required_column("n_documents", pa.int64()),
        pa.field("question", pa.string()),
        pa.field("condition", pa.string()),
        pa.field("error", pa.string()),
    ]
)
