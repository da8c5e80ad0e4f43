"""The logs of evaluations and experiments: what was asked, searched, found and scored; each table says what a row is."""

import pyarrow as pa

from schemas.types import primary_key_column, required_column

METRICS = pa.schema(
    [
        primary_key_column("run_id", pa.string()),
        primary_key_column("recipe", pa.string()),
        primary_key_column("split", pa.string()),
        primary_key_column("domain", pa.string()),
        primary_key_column("metric", pa.string()),
        primary_key_column("cutoff_unit", pa.string()),
        primary_key_column("cutoff", pa.int32()),
        required_column("evaluated_at", pa.timestamp("us", tz="UTC")),
        required_column("generation", pa.int64()),
        required_column("value", pa.float64()),
        required_column("low", pa.float64()),
        required_column("high", pa.float64()),
        required_column("n", pa.int32()),
    ],
    metadata={"key": "run_id,recipe,split,domain,metric,cutoff_unit,cutoff"},
)
"""One row per metric of one evaluation. value is a mean; low and high are its interval.

A value lies in [0, 1], but for `tokens` and `characters`, which count what results hold.
"""


SCORES = pa.schema(
    [
        primary_key_column("run_id", pa.string()),
        primary_key_column("question_id", pa.string()),
        primary_key_column("metric", pa.string()),
        primary_key_column("cutoff_unit", pa.string()),
        primary_key_column("cutoff", pa.int32()),
        required_column("split", pa.string()),
        required_column("domain", pa.string()),
        required_column("value", pa.float64()),
        pa.field("lost", pa.string()),
        required_column("evaluated_at", pa.timestamp("us", tz="UTC")),
    ],
    metadata={"key": "run_id,question_id,metric,cutoff_unit,cutoff"},
)
"""One row per question, metric and cutoff of one evaluation. What the question is stands in `questions`.

`lost` says why the results lack gold at this cutoff, see `tasks/evaluate/losses.py`; null where nothing is missing.
"""


RETRIEVED = pa.schema(
    [
        primary_key_column("run_id", pa.string()),
        primary_key_column("question_id", pa.string()),
        primary_key_column("cutoff_unit", pa.string()),
        primary_key_column("cutoff", pa.int32()),
        primary_key_column("rank", pa.int32()),
        required_column("document_id", pa.string()),
        required_column("path", pa.string()),
        required_column("start_char", pa.int64()),
        required_column("end_char", pa.int64()),
        required_column("pages", pa.list_(pa.int32())),
        required_column("score", pa.float64()),
    ],
    metadata={"key": "run_id,question_id,cutoff_unit,cutoff,rank"},
)
"""One row per result that an evaluation scored: what was found for a question at a cutoff, by rank from 1.

A span is half-open, in code points of the document's text; `score` is what the result was ranked by.
"""


GOLD = pa.struct(
    [
        required_column("document", pa.string()),
        pa.field("start", pa.int64()),
        pa.field("end", pa.int64()),
        pa.field("quote", pa.string()),
        pa.field("page", pa.int32()),
    ]
)
"""A place that holds the answer: a span of a document's text with its quote, or a page."""

QUESTIONS = pa.schema(
    [
        primary_key_column("run_id", pa.string()),
        primary_key_column("question_id", pa.string()),
        required_column("question", pa.string()),
        required_column("documents", pa.list_(pa.string())),
        required_column("gold", pa.list_(GOLD)),
        pa.field("answer", pa.string()),
        required_column("domain", pa.string()),
        required_column("split", pa.string()),
        pa.field("origin", pa.string()),
    ],
    metadata={"key": "run_id,question_id"},
)
"""One row per evaluation question."""


LENGTH_STEP = 16
"""Tokens by which two neighbours in `lengths` differ."""

RECIPES = pa.schema(
    [
        primary_key_column("run_id", pa.string()),
        required_column("name", pa.string()),
        required_column("recipe", pa.string()),
        required_column("options", pa.string()),
        required_column("evaluated_at", pa.timestamp("us", tz="UTC")),
        required_column("n_documents", pa.int64()),
        required_column("n_chunks", pa.int64()),
        required_column("index_bytes", pa.int64()),
        required_column("lengths", pa.list_(pa.int64())),
        pa.field("chunking_seconds", pa.float64()),
        pa.field("embedding_seconds", pa.float64()),
        pa.field("search_p50_ms", pa.float64()),
        pa.field("search_p95_ms", pa.float64()),
    ],
    metadata={"key": "run_id"},
)
"""One row per evaluation: what was searched, how it was made, and what it cost.

`options` is JSON with the options of chunking, embedding and evaluation. `lengths` counts chunks by their length: the first
number is how many have 0 to 15 tokens, the next 16 to 31, and so on. Seconds are null where nothing was computed or measured.
"""


TEXTS = pa.schema(
    [
        primary_key_column("document_id", pa.string()),
        required_column("path", pa.string()),
        required_column("text", pa.large_string()),
    ],
    metadata={"key": "document_id"},
)
"""One row per document of an experiment, whose results show it without a corpus."""
