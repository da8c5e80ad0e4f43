"""Chunks: one row per contiguous span of a document. Offsets are half-open, in code points of `documents.text`.

`text == documents.text[start_char:end_char]`. `embedding_text` is what the embedder saw; `n_tokens` counts it with the
embedder's special tokens. A parent is a span too, not a row. `search_terms` are the words that full-text search compares,
stemmed by the document's language; null in rows that an older version wrote. `sentence_ends` are the offsets in `text` at
which its sentences end, by the document's language, without the end of the text; list markers stand apart. They are null where
text is not cut into sentences, as in tables, and in rows of older versions. `places` are the places of the elements, where these
have some (`Sheet2!B4:F40`), of a table only those of the rows that the chunk has; null in rows of older versions.
"""

import pyarrow as pa

from schemas.types import PAGE_BOX, make_metadata_fields, primary_key_column, required_column

SPANS = [
    required_column("start_char", pa.int64()),
    required_column("end_char", pa.int64()),
    required_column("text", pa.string()),
    required_column("embedding_text", pa.string()),
    required_column("n_tokens", pa.int32()),
    required_column("kind", pa.string()),
    required_column("section", pa.list_(pa.string())),
    required_column("pages", pa.list_(pa.int32())),
    required_column("boxes", pa.list_(PAGE_BOX)),
    required_column("element_positions", pa.list_(pa.int32())),
    pa.field("parent_start_char", pa.int64()),
    pa.field("parent_end_char", pa.int64()),
    pa.field("sentence_ends", pa.list_(pa.int32())),
    pa.field("places", pa.list_(pa.string())),
]
"""The columns that a chunker yields, in order of start_char. kind is text, table, figure or code."""

ADDED_LATER = ("search_terms", "sentence_ends", "places")
"""Columns that older corpora do not have."""


def make_chunks_schema(dimension: int, columns: dict[str, str]) -> pa.Schema:
    """Return the schema for vectors of `dimension` and the declared metadata `columns` (name to type name)."""
    return pa.schema(
        [
            primary_key_column("chunk_id", pa.string()),
            required_column("document_id", pa.string()),
            required_column("source_name", pa.string()),
            required_column("path", pa.string()),
            required_column("title", pa.string()),
            required_column("recipe", pa.string()),
            required_column("position", pa.int32()),
            *SPANS,
            *make_metadata_fields(columns),
            pa.field("search_terms", pa.string()),
            required_column("vector", pa.list_(pa.float32(), dimension)),
        ],
        metadata={"key": "chunk_id"},
    )
