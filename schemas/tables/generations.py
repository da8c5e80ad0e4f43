"""Generations: one row per published state of the corpus. Writing the row publishes the state."""

from typing import Any

import pyarrow as pa

from schemas.types import primary_key, required

FORMAT = 2
"""Raise this number when a table changes so that older corpora no longer fit."""

VERSIONED = ("documents", "elements", "figures", "chunks", "rejects")
"""The tables that have a version in each generation, in the order of their merges."""

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
"""kind is refresh, rollback, release, switch, purge or repair. recipe_details, columns, versions, counts, gate, profile and
options are JSON objects. options holds all options of the run, wherever they were set, but no API keys: only the names of their
variables."""

ADDED_LATER: dict[str, Any] = {"options": "{}"}
"""Columns that older corpora do not have, with the values to use for them."""
