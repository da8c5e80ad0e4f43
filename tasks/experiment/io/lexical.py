"""Lexical search: LanceDB's full-text search over chunks that are in no corpus."""

import tempfile
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from tasks.store.loading import lancedb_library


def full_text(texts: Sequence[str], questions: Sequence[str], depth: int) -> list[dict[int, float]]:
    """Return for each question the BM25 of the `depth` best of `texts` by their numbers, best first."""
    from lancedb.index import FTS
    from lancedb.query import MatchQuery

    with tempfile.TemporaryDirectory(prefix="pagemill-lexical-") as folder:
        rows = pa.table({"chunk": range(len(texts)), "text": pa.array(texts, pa.string())})
        table = lancedb_library().connect(folder).create_table("chunks", rows)
        table.create_index("text", config=FTS(with_position=False))
        found = [table.search(MatchQuery(question, "text"), query_type="fts").limit(depth).to_arrow() for question in questions]
    return [_scores(one) for one in found]


def _scores(found: Any) -> dict[int, float]:
    return dict(zip(found["chunk"].to_pylist(), found["_score"].to_pylist(), strict=True))
