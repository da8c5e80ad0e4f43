"""Generations: one row per published state of the corpus. Writing the row publishes the state."""

from typing import Any

import pyarrow as pa

from schemas.types import primary_key_column, required_column

FORMAT = 2
"""Raise this number when a table changes so that older corpora no longer fit."""

VERSIONED = ("documents", "elements", "figures", "chunks", "rejects")
"""The tables that have a version in each generation, in the order of their merges."""

GENERATIONS = pa.schema(
    [
        primary_key_column("generation", pa.int64()),
        required_column("format", pa.int32()),
        required_column("base", pa.int64()),
        required_column("kind", pa.string()),
        required_column("run_id", pa.string()),
        required_column("published_at", pa.timestamp("us", tz="UTC")),
        required_column("recipe", pa.string()),
        required_column("recipe_details", pa.string()),
        required_column("embedder", pa.string()),
        required_column("columns", pa.string()),
        required_column("versions", pa.string()),
        required_column("counts", pa.string()),
        required_column("gate", pa.string()),
        required_column("profile", pa.string()),
        required_column("held", pa.bool_()),
        required_column("options", pa.string()),
        required_column("purged", pa.string()),
    ],
    metadata={"key": "generation"},
)
"""kind is refresh, rollback, release, switch, purge or repair. recipe_details, columns, versions, counts, gate, profile, options
and purged are JSON objects. options holds all options of the run, wherever they were set, but no API keys: only the names of
their variables. purged is what a purge leaves of its documents: their ids, and the generations that had them."""

ADDED_LATER: dict[str, Any] = {"options": "{}", "purged": "{}"}
"""Columns that older corpora do not have, with the values to use for them."""
