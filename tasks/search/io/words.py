"""Words: how a question is searched for by its words, in the languages of the corpus."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from tasks.language.detection import code_of
from tasks.language.terms import question_terms
from tasks.store.open_tables import OpenTables


def languages_of(tables: OpenTables) -> list[str]:
    """Return the languages of the published documents, ISO 639-1 codes, the most frequent first.

    Raises:
        CorpusError: the documents cannot be read.
    """
    column = tables.read("documents", ["language"])["language"]
    found: Counter[str] = Counter()
    for row in column.value_counts().to_pylist():
        found[code_of(row["values"] or "")] += row["counts"]
    return [language for language, _ in found.most_common() if language]


def word_query(question: str, columns: Sequence[str], languages: Callable[[], Sequence[str]]) -> Any:
    """Return Lance's query for a question; `columns` are those of the chunks. Older versions of Pagemill published no terms."""
    from lance.query import MatchQuery

    if "search_terms" not in columns:
        return MatchQuery(question, "text")
    return MatchQuery(question_terms(question, languages()), "search_terms")
