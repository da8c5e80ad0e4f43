"""Scores: one row per question, metric and cutoff of one evaluation. What the question is stands in `questions`.

`lost` says why the results lack gold at this cutoff, see `tasks/evaluate/losses.py`; null where nothing is missing.
"""

import pyarrow as pa

from schemas.types import primary_key, required

SCORES = pa.schema(
    [
        primary_key("run_id", pa.string()),
        primary_key("question_id", pa.string()),
        primary_key("metric", pa.string()),
        primary_key("cutoff_unit", pa.string()),
        primary_key("cutoff", pa.int32()),
        required("split", pa.string()),
        required("domain", pa.string()),
        required("value", pa.float64()),
        pa.field("lost", pa.string()),
        required("evaluated_at", pa.timestamp("us", tz="UTC")),
    ],
    metadata={"key": "run_id,question_id,metric,cutoff_unit,cutoff"},
)
