"""Metrics: one row per metric of one evaluation. value is a mean; low and high are its interval.

A value lies in [0, 1], but for `tokens` and `characters`, which count what results hold.
"""

import pyarrow as pa

from schemas.types import primary_key, required

METRICS = pa.schema(
    [
        primary_key("run_id", pa.string()),
        primary_key("recipe", pa.string()),
        primary_key("split", pa.string()),
        primary_key("domain", pa.string()),
        primary_key("metric", pa.string()),
        primary_key("cutoff_unit", pa.string()),
        primary_key("cutoff", pa.int32()),
        required("evaluated_at", pa.timestamp("us", tz="UTC")),
        required("generation", pa.int64()),
        required("value", pa.float64()),
        required("low", pa.float64()),
        required("high", pa.float64()),
        required("n", pa.int32()),
    ],
    metadata={"key": "run_id,recipe,split,domain,metric,cutoff_unit,cutoff"},
)
