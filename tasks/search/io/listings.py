"""Lists of the documents of a generation."""

import json
from typing import Any

from schemas.corpus import Corpus
from schemas.tables.documents import documents_schema
from tasks.search.io.filters import sql_where
from tasks.store import published
from tasks.store.published import Generation, OpenTables


def document_rows(corpus: Corpus, where: str | None = None) -> list[dict[str, Any]]:
    """Return the documents of the live generation, sorted by source and path. `where` is a condition on their columns.

    Raises:
        CorpusError: nothing is published.
        InputError: the condition is not valid.
    """
    return documents_of(corpus, published.live(corpus), where)[1]


def documents_of(
    corpus: Corpus, live: Generation, where: str | None, offset: int = 0, limit: int | None = None
) -> tuple[int, list[dict[str, Any]]]:
    """Return how many documents of a generation fit, and at most `limit` of them from `offset` on, by source and path.

    Raises:
        InputError: the condition is not valid.
        CorpusError: the table cannot be read.
    """
    columns = [name for name in documents_schema(live.columns).names if name != "text"]
    tables = OpenTables(corpus, live)
    n, rows = tables.read_part(
        "documents", columns, sql_where(tables, "documents", where), ("source_name", "path"), offset, limit
    )
    return n, [{**row, "metadata": json.loads(row["metadata"])} for row in rows.to_pylist()]
