"""Documents: one row per document in the corpus.

`text` is assembled once, from the elements in reading order; for .txt and .md it is the decoded file, unchanged. `language` is
what a metadata file says, otherwise the ISO 639-1 code that the text tells, otherwise what the file says; null if nothing does.
"""

import pyarrow as pa

from schemas.types import metadata_fields, primary_key, required

CURRENT, STALE = "current", "stale"
"""A document is stale if its file has changed and could not be read: its last good rows are kept."""

PROPERTY_NAMES = ("title", "author", "created", "modified", "language")
"""Metadata that every document can have, from the file itself or from a metadata file beside it, which takes precedence."""


def documents_schema(columns: dict[str, str]) -> pa.Schema:
    """Return the schema with the declared metadata `columns` (name to type name)."""
    return pa.schema(
        [
            primary_key("document_id", pa.string()),
            required("source_name", pa.string()),
            required("path", pa.string()),
            required("sha256", pa.string()),
            required("media_type", pa.string()),
            required("recipe", pa.string()),
            required("metadata_hash", pa.string()),
            required("state", pa.string()),
            required("title", pa.string()),
            pa.field("author", pa.string()),
            pa.field("created", pa.string()),
            pa.field("modified", pa.string()),
            pa.field("language", pa.string()),
            required("metadata", pa.string()),
            *metadata_fields(columns),
            required("run_id", pa.string()),
            required("n_pages", pa.int32()),
            required("n_chars", pa.int64()),
            required("n_elements", pa.int32()),
            required("n_chunks", pa.int32()),
            required("text", pa.large_string()),
        ],
        metadata={"key": "document_id"},
    )
