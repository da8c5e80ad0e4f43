"""Validations: one row per expectation's result in one run. An append-only log, written even when the gate fails."""

import pyarrow as pa

from schemas.types import primary_key_column, required_column

VALIDATIONS = pa.schema(
    [
        primary_key_column("run_id", pa.string()),
        primary_key_column("suite", pa.string()),
        primary_key_column("position", pa.int32()),
        required_column("validated_at", pa.timestamp("us", tz="UTC")),
        required_column("expectation", pa.string()),
        required_column("column", pa.string()),
        required_column("severity", pa.string()),
        required_column("success", pa.bool_()),
        required_column("observed", pa.string()),
        required_column("allowed", pa.string()),
    ],
    metadata={"key": "run_id,suite,position"},
)
