"""Words: how a question is searched for by its words, in the languages of the corpus."""

from collections.abc import Callable, Container, Sequence
from typing import Any

from tasks.language.terms import question_terms, term_languages
from tasks.store.published import OpenTables


def languages_of(tables: OpenTables) -> list[str]:
    """Return the languages in which the published documents are searched, ISO 639-1 codes, the most frequent first.

    Raises:
        CorpusError: the documents cannot be read.
    """
    column = tables.read("documents", ["language"])["language"]
    return term_languages({row["values"] or "": row["counts"] for row in column.value_counts().to_pylist()})


def word_query(question: str, columns: Container[str], languages: Callable[[], Sequence[str]]) -> Any:
    """Return Lance's query for a question; `columns` are those of the chunks. Older versions of Pagemill published no terms."""
    from lance.query import MatchQuery

    if "search_terms" not in columns:
        return MatchQuery(question, "text")
    return MatchQuery(question_terms(question, languages()), "search_terms")
