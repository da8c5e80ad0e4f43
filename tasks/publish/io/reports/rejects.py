"""The rejects of the live generation."""

from typing import Any

import pyarrow as pa

from schemas.corpus import Corpus
from schemas.tables.rejects import REJECTS
from tasks.store import published

REJECT_COLUMNS = ["path", "page_number", "step", "error", "message", "remedy", "final", "attempts", "run_id"]


def read_rejects(corpus: Corpus) -> pa.Table:
    """Return the rejects of the live generation, sorted by path and page; no rows if nothing is published."""
    live = published.newest(corpus)
    if live is None:
        return REJECTS.empty_table().select(REJECT_COLUMNS)
    rows = published.read_columns(corpus, live, "rejects", REJECT_COLUMNS)
    return rows.sort_by([("path", "ascending"), ("page_number", "ascending")])


def list_rejects(corpus: Corpus) -> list[dict[str, Any]]:
    """Return the rejects of the live generation, sorted by path and page."""
    listed: list[dict[str, Any]] = read_rejects(corpus).to_pylist()
    return listed
