"""Generations: one row per published state of the corpus. Its row is the moment of publication."""

from typing import Any

import pyarrow as pa

from schemas.types import primary_key, required

FORMAT = 2
"""Raise it when a table changes in a way that older corpora do not have."""

VERSIONED = ("documents", "elements", "figures", "chunks", "rejects")
"""The tables that a generation versions, in the order in which they are merged."""

GENERATIONS = pa.schema(
    [
        primary_key("generation", pa.int64()),
        required("format", pa.int32()),
        required("base", pa.int64()),
        required("kind", pa.string()),
        required("run_id", pa.string()),
        required("published_at", pa.timestamp("us", tz="UTC")),
        required("recipe", pa.string()),
        required("recipe_details", pa.string()),
        required("embedder", pa.string()),
        required("columns", pa.string()),
        required("versions", pa.string()),
        required("counts", pa.string()),
        required("gate", pa.string()),
        required("profile", pa.string()),
        required("held", pa.bool_()),
        required("options", pa.string()),
    ],
    metadata={"key": "generation"},
)
"""kind is refresh, rollback, release or purge; recipe_details, columns, versions, counts, gate, profile and options (all that the
run had, wherever they were set; names of variables that hold keys, never keys) are JSON objects."""

ADDED_LATER: dict[str, Any] = {"options": "{}"}
"""Columns that corpora made before do not have, and what stands there then."""
