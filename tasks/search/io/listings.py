"""Listings of what the live generation holds: documents and rejects."""

import json
from typing import Any

import pyarrow as pa

from schemas.corpus import Corpus
from schemas.tables.documents import documents_schema
from schemas.tables.rejects import REJECTS
from tasks.search.io.filters import read_where
from tasks.store import published

REJECT_COLUMNS = ["path", "page_number", "step", "error", "message", "remedy", "final", "attempts", "run_id"]


def reject_table(corpus: Corpus) -> pa.Table:
    """Return the live generation's rejects, by path and page; without rows if nothing is published."""
    live = published.newest(corpus)
    if live is None:
        return REJECTS.empty_table().select(REJECT_COLUMNS)
    rows = published.read_columns(corpus, live, "rejects", REJECT_COLUMNS)
    return rows.sort_by([("path", "ascending"), ("page_number", "ascending")])


def reject_rows(corpus: Corpus) -> list[dict[str, Any]]:
    """Return the live generation's rejects, by path and page."""
    listed: list[dict[str, Any]] = reject_table(corpus).to_pylist()
    return listed


def document_rows(corpus: Corpus, where: str | None = None) -> list[dict[str, Any]]:
    """Return the live generation's documents, those that a condition on their columns keeps, by source and path.

    Raises:
        CorpusError: nothing is published there.
        InputError: the condition does not fit.
    """
    live = published.live(corpus)
    columns = [name for name in documents_schema(live.columns).names if name != "text"]
    rows = read_where(corpus, live, "documents", columns, where)
    listed: list[dict[str, Any]] = rows.sort_by([("source_name", "ascending"), ("path", "ascending")]).to_pylist()
    return [{**row, "metadata": json.loads(row["metadata"])} for row in listed]
