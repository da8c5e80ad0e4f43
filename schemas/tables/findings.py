"""Findings of personal data, in `documents.pii_findings`: one per place of a value in a document; never the value itself."""

import pyarrow as pa

from schemas.types import BOX, required_column

FINDING = pa.struct(
    [
        required_column("page_number", pa.int32()),
        pa.field("bbox", BOX),
        pa.field("place", pa.string()),
        required_column("kind", pa.string()),
        required_column("digest", pa.string()),
    ]
)
"""`kind` is one of `schemas.options.pii.KINDS` or of `pii.patterns`. `page_number`, `bbox` and `place` are those of the element
that holds the value; page 0 stands for the file's properties. `digest` is a keyed hash of the value (HMAC-SHA-256, 32 digits):
equal values have equal ones within a corpus, and who lacks its key cannot try values."""

PII_FINDINGS = pa.list_(FINDING)

LISTED = pa.schema([required_column("document_id", pa.string()), required_column("path", pa.string()), *FINDING])
"""The findings of many documents as a table: one row per place of a value."""
