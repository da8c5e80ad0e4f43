"""Validations: one row per expectation's result in one run. An append-only log, written even when the gate fails."""

import pyarrow as pa

from schemas.types import primary_key, required

VALIDATIONS = pa.schema(
    [
        primary_key("run_id", pa.string()),
        primary_key("suite", pa.string()),
        primary_key("position", pa.int32()),
        required("validated_at", pa.timestamp("us", tz="UTC")),
        required("expectation", pa.string()),
        required("column", pa.string()),
        required("severity", pa.string()),
        required("success", pa.bool_()),
        required("observed", pa.string()),
        required("allowed", pa.string()),
    ],
    metadata={"key": "run_id,suite,position"},
)
