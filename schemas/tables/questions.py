"""Questions: one row per evaluation question."""

import pyarrow as pa

from schemas.types import primary_key, required

GOLD = pa.struct(
    [
        required("document", pa.string()),
        pa.field("start", pa.int64()),
        pa.field("end", pa.int64()),
        pa.field("quote", pa.string()),
        pa.field("page", pa.int32()),
    ]
)
"""A place that holds the answer: a span of a document's text with its quote, or a page."""

QUESTIONS = pa.schema(
    [
        primary_key("run_id", pa.string()),
        primary_key("question_id", pa.string()),
        required("question", pa.string()),
        required("documents", pa.list_(pa.string())),
        required("gold", pa.list_(GOLD)),
        pa.field("answer", pa.string()),
        required("domain", pa.string()),
        required("split", pa.string()),
        pa.field("origin", pa.string()),
    ],
    metadata={"key": "run_id,question_id"},
)
