"""Retrieved: one row per result that an evaluation scored: what was found for a question at a cutoff, by rank from 1.

A span is half-open, in code points of the document's text; `score` is what the result was ranked by.
"""

import pyarrow as pa

from schemas.types import primary_key, required

RETRIEVED = pa.schema(
    [
        primary_key("run_id", pa.string()),
        primary_key("question_id", pa.string()),
        primary_key("cutoff_unit", pa.string()),
        primary_key("cutoff", pa.int32()),
        primary_key("rank", pa.int32()),
        required("document_id", pa.string()),
        required("path", pa.string()),
        required("start_char", pa.int64()),
        required("end_char", pa.int64()),
        required("pages", pa.list_(pa.int32())),
        required("score", pa.float64()),
    ],
    metadata={"key": "run_id,question_id,cutoff_unit,cutoff,rank"},
)
