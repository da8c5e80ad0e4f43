"""The chunks of a generation as a source for ranking, read from LanceDB."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, lru_cache, partial
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from schemas.corpus import Corpus
from schemas.errors import CorpusError
from tasks.language.terms import extract_question_terms, list_term_languages
from tasks.search.chunk_source import POSITION, SCANNED, Vector
from tasks.search.io.resident import ASKED_OFTEN, ResidentColumns, load_resident_columns
from tasks.store import conditions, lance
from tasks.store.access import OpenTables
from tasks.store.vector_indexes import COMPARED_ROWS, WITHOUT_INDEX, choose_search_parameters, drop_refinement_of_search
from tasks.workers.threads import BackgroundValue

if TYPE_CHECKING:
    from lance.query import MatchQuery


MOST_COUNTED = 32
"""Conditions of which it is remembered how many chunks they keep."""

Resident = BackgroundValue[ResidentColumns]


class Chunks:
    """The chunks of a generation that may be read, open for questions. Threads may share them. Every `where` is SQL on chunks.

    Numbers of rows are those that the methods here have found, so what is read by them may be read.

    All methods raise a CorpusError if the tables cannot be read.
    """

    def __init__(self, corpus: Corpus, tables: OpenTables, resident: "Resident | None" = None) -> None:
        """`resident` are the columns in memory that others share who search the generation; they are read by rows alone."""
        self._corpus = corpus
        self._tables, self._dataset = tables, tables.open_unrestricted("chunks")
        self.resident: Resident = resident or BackgroundValue(partial(load_resident_columns, self._dataset), ASKED_OFTEN)
        self._how = drop_refinement_of_search(choose_search_parameters(self._dataset))
        self._count_rows = lru_cache(MOST_COUNTED)(self._dataset.count_rows)
        self.n = int(self._count_rows(tables.restrict(None)))
        self.schema: pa.Schema = self._dataset.schema
        self.columns = frozenset[str](self.schema.names)

    @cached_property
    def languages(self) -> list[str]:
        """The languages in which the published documents are searched, ISO 639-1 codes, the most frequent first."""
        column = self._tables.read("documents", ["language"])["language"]
        return list_term_languages({row["values"] or "": row["counts"] for row in column.value_counts().to_pylist()})

    def count_question(self) -> None:
        """Count a question: after many, what ranking reads is kept in memory."""
        if self.n:
            self.resident.request()

    def find_words(self, question: str, depth: int, where: str | None) -> list[tuple[str, float]]:
        """Return the `depth` rows of the highest BM25, each with its BM25."""
        query = self._word_query(question)
        found = self._query_table(where, columns=["_rowid", "_score"], full_text_query=query, limit=depth)
        return list(zip(map(str, found["_rowid"].to_pylist()), found["_score"].to_pylist(), strict=True))

    def _word_query(self, question: str) -> "MatchQuery":
        """Return Lance's query for a question. Older versions of Pagemill published no terms."""
        from lance.query import MatchQuery

        if "search_terms" not in self.columns:
            return MatchQuery(question, "text")
        return MatchQuery(extract_question_terms(question, self.languages), "search_terms")

    def find_nearest(self, vector: Vector, depth: int, where: str | None) -> list[str]:
        """Return the rows of the `depth` nearest chunks, nearly in order."""
        nearest = {"column": "vector", "q": vector, "k": depth, "metric": "cosine", **self._choose_parameters(where)}
        return list(map(str, self._query_table(where, columns=["_rowid", "_distance"], nearest=nearest)["_rowid"].to_pylist()))

    def _choose_parameters(self, where: str | None) -> Mapping[str, int]:
        """Return how the nearest chunks are looked for among those that a condition keeps."""
        kept = self._tables.restrict(where)
        with self._explain_unreadable():
            few = bool(self._how) and kept is not None and self._count_rows(kept) <= COMPARED_ROWS
        return WITHOUT_INDEX if few else self._how

    def read(self, rows: Sequence[str], columns: Sequence[str]) -> pa.Table:
        """Return columns of rows, in the order of `rows`: from memory those that are there, the others from the table."""
        schema = pa.schema([self.schema.field(name) for name in columns])
        if not rows:
            return schema.empty_table()
        numbers, known = list(map(int, rows)), self.resident.ready
        kept = [name for name in columns if known and name in known.columns]
        lacking = [name for name in columns if name not in kept]
        parts = [known.take(numbers, kept)] if known else []
        if lacking:
            with self._explain_unreadable():
                parts.append(self._dataset._take_rows(numbers, columns=lacking))
        found = {name: part[name] for part in parts for name in part.column_names}
        return pa.table([found[name] for name in columns], schema=schema)

    def read_documents(self, documents: Sequence[str], where: str | None, more: Sequence[str] = ()) -> Iterator[pa.Table]:
        """Yield SCANNED and `more` columns of the chunks of each document that meet the condition, in their order."""
        if not documents:
            return
        known = self.resident.ready
        if known and known.knows_documents and not where:
            numbers = [known.list_rows_of(name) for name in sorted({*self._tables.keep_readable(documents)})]
            whole = np.concatenate([np.empty(0, np.int64), *numbers])
            rows = self.read(list(map(str, whole)), [*SCANNED[1:], *more]).add_column(0, SCANNED[0], pa.array(whole, pa.uint64()))
            for end, n in zip(accumulate(map(len, numbers)), map(len, numbers), strict=True):
                if n:
                    yield rows.slice(end - n, n)
            return
        condition = conditions.make_documents_condition(documents)
        rows = self._query_table(f"{condition} AND ({where})" if where else condition, columns=[*SCANNED, *more])
        rows = rows.sort_by([("document_id", "ascending"), ("position", "ascending")])
        whose = np.array(rows["document_id"].to_pylist())
        starts = [*np.flatnonzero(np.concatenate([[True], whose[1:] != whose[:-1]])), len(whose)] if len(whose) else []
        for start, end in pairwise(starts):
            yield rows.slice(start, end - start)

    def list_documents(self) -> pa.Table:
        """Return document_id, path, title and n_chunks of all documents."""
        return self._tables.read("documents", ["document_id", "path", "title", "n_chunks"])

    def read_beginnings(self, positions: int, documents: Sequence[str] | None) -> pa.Table:
        """Return document_id, position and text of the first chunks of each document, of all documents (None) or some."""
        first = f"position < {positions}"
        where = first if documents is None else f"{conditions.make_documents_condition(documents)} AND {first}"
        return self._query_table(where, columns=[*POSITION, "text"])

    def read_positions(self, documents: Sequence[str]) -> pa.Table:
        """Return _rowid, document_id and position of the chunks of documents."""
        return self._query_table(conditions.make_documents_condition(documents), columns=["_rowid", *POSITION])

    def read_furniture(self, documents: Sequence[str]) -> Iterable[tuple[str, int, str]]:
        """Yield document, page number and text of the running headers and footers of documents."""
        where = f"{conditions.make_documents_condition(documents)} AND kind = 'furniture'"
        columns = ["document_id", "page_number", "text"]
        read = self._tables.read("elements", columns, where)
        return zip(*(read[name].to_pylist() for name in columns), strict=True)

    def _query_table(self, where: str | None = None, **query: Any) -> pa.Table:
        kept = self._tables.restrict(where)
        chosen: dict[str, Any] = {"filter": kept, "prefilter": True} if kept is not None else {}
        with self._explain_unreadable():
            return self._dataset.to_table(**chosen, **query)

    @contextmanager
    def _explain_unreadable(self) -> Iterator[None]:
        try:
            yield
        except (ValueError, RuntimeError, OSError) as error:
            raise CorpusError(
                f"the chunks of {self._corpus} cannot be searched ({lance.explain_lance_error(error)}): {lance.TABLE_REMEDY}"
            ) from error
