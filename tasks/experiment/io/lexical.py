"""Lexical search: LanceDB's full-text search over chunks that are in no corpus."""

import tempfile
from collections.abc import Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from tasks.language.terms import question_terms
from tasks.store.indexes import FULL_TEXT
from tasks.store.loading import import_lancedb


class Terms(NamedTuple):
    """The terms of texts, and the languages that they are in, the most frequent first."""

    texts: Sequence[str]
    languages: Sequence[str]


def full_text(terms: Terms, questions: Sequence[str], depth: int) -> list[dict[int, float]]:
    """Return for each question the BM25 of the `depth` best texts by their numbers, best first."""
    from lancedb.index import FTS
    from lancedb.query import MatchQuery

    with tempfile.TemporaryDirectory(prefix="pagemill-lexical-") as folder:
        rows = pa.table({"chunk": range(len(terms.texts)), "search_terms": pa.array(terms.texts, pa.string())})
        table = import_lancedb().connect(folder).create_table("chunks", rows)
        table.create_index("search_terms", config=FTS(**FULL_TEXT))
        asked = [MatchQuery(question_terms(question, terms.languages), "search_terms") for question in questions]
        found = [table.search(query, query_type="fts").limit(depth).to_arrow() for query in asked]
    return [_scores(one) for one in found]


def _scores(found: Any) -> dict[int, float]:
    return dict(zip(found["chunk"].to_pylist(), found["_score"].to_pylist(), strict=True))
