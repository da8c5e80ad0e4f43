"""Recipes: one row per evaluation: what was searched, how it was made, and what it cost.

`options` is JSON with the options of chunking, embedding and evaluation. `lengths` counts chunks by their length: the first
number is how many have 0 to 15 tokens, the next 16 to 31, and so on. Seconds are null where nothing was computed or measured.
"""

import pyarrow as pa

from schemas.types import primary_key, required

LENGTH_STEP = 16
"""Tokens by which two neighbours in `lengths` differ."""

RECIPES = pa.schema(
    [
        primary_key("run_id", pa.string()),
        required("name", pa.string()),
        required("recipe", pa.string()),
        required("options", pa.string()),
        required("evaluated_at", pa.timestamp("us", tz="UTC")),
        required("n_documents", pa.int64()),
        required("n_chunks", pa.int64()),
        required("index_bytes", pa.int64()),
        required("lengths", pa.list_(pa.int64())),
        pa.field("chunking_seconds", pa.float64()),
        pa.field("embedding_seconds", pa.float64()),
        pa.field("search_p50_ms", pa.float64()),
        pa.field("search_p95_ms", pa.float64()),
    ],
    metadata={"key": "run_id"},
)
