"""Documents: one row per document in the corpus.

`text` is assembled once, from the elements in reading order; for .txt and .md it is the decoded file, unchanged. `language` is
what a metadata file says, otherwise the ISO 639-1 code that the text tells, otherwise what the file says; null if nothing does.

`duplicate_of` is the id of the newer document that says nearly the same and is shown for this one; null if it is shown itself.
`similarity` is the Jaccard similarity to it, from 0.8 to 1. `signature` tells which documents may be alike.

`pii_findings` are the places of personal data, see `schemas.tables.findings`; null where nothing was looked for.
"""

import pyarrow as pa

from schemas.tables.findings import PII_FINDINGS
from schemas.types import make_metadata_fields, primary_key_column, required_column

CURRENT, STALE = "current", "stale"
"""A document is stale if its file has changed and could not be read: its last good rows are kept."""

PROPERTY_NAMES = ("title", "author", "created", "modified", "language")
"""Metadata that every document can have, from the file itself or from a metadata file beside it, which takes precedence."""

BANDS = 20
"""Numbers of a signature: see `tasks.publish.signatures`."""

ADDED_LATER = ("signature", "duplicate_of", "similarity", "pii_findings")
"""Columns that older corpora do not have."""


def make_documents_schema(columns: dict[str, str]) -> pa.Schema:
    """Return the schema with the declared metadata `columns` (name to type name)."""
    return pa.schema(
        [
            primary_key_column("document_id", pa.string()),
            required_column("source_name", pa.string()),
            required_column("path", pa.string()),
            required_column("sha256", pa.string()),
            required_column("media_type", pa.string()),
            required_column("recipe", pa.string()),
            required_column("metadata_hash", pa.string()),
            required_column("state", pa.string()),
            required_column("title", pa.string()),
            pa.field("author", pa.string()),
            pa.field("created", pa.string()),
            pa.field("modified", pa.string()),
            pa.field("language", pa.string()),
            required_column("metadata", pa.string()),
            *make_metadata_fields(columns),
            required_column("run_id", pa.string()),
            required_column("n_pages", pa.int32()),
            required_column("n_chars", pa.int64()),
            required_column("n_elements", pa.int32()),
            required_column("n_chunks", pa.int32()),
            required_column("text", pa.large_string()),
            pa.field("signature", pa.list_(pa.uint32(), BANDS)),
            pa.field("duplicate_of", pa.string()),
            pa.field("similarity", pa.float32()),
            pa.field("pii_findings", PII_FINDINGS),
        ],
        metadata={"key": "document_id"},
    )
