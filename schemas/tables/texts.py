"""Texts: one row per document of an experiment, whose results show it without a corpus."""

import pyarrow as pa

from schemas.types import primary_key, required

TEXTS = pa.schema(
    [primary_key("document_id", pa.string()), required("path", pa.string()), required("text", pa.large_string())],
    metadata={"key": "document_id"},
)
