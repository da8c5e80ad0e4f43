"""Lists of the documents of the live generation."""

import json
from typing import Any

from schemas.corpus import Corpus
from schemas.tables.documents import documents_schema
from tasks.search.io.filters import read_where
from tasks.store import published


def document_rows(corpus: Corpus, where: str | None = None) -> list[dict[str, Any]]:
    """Return the documents of the live generation, sorted by source and path. `where` is a condition on their columns.

    Raises:
        CorpusError: nothing is published.
        InputError: the condition is not valid.
    """
    live = published.live(corpus)
    columns = [name for name in documents_schema(live.columns).names if name != "text"]
    rows = read_where(corpus, live, "documents", columns, where)
    listed: list[dict[str, Any]] = rows.sort_by([("source_name", "ascending"), ("path", "ascending")]).to_pylist()
    return [{**row, "metadata": json.loads(row["metadata"])} for row in listed]
