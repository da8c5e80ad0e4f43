"""Candidates: the chunks that are nearest to a question, and those that share most words with it, with what ranking needs."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from schemas.corpus import Corpus
from schemas.errors import CorpusError
from schemas.options.search import Mode
from tasks.embed.remembered import Vectors
from tasks.search.io.filters import bare, read_where
from tasks.search.io.words import languages_of, word_query
from tasks.search.ranking import Place
from tasks.store import conditions, lance
from tasks.store.open_tables import OpenTables
from tasks.store.published import Generation
from tasks.store.vector_indexes import how_to_search

READ_AT_ONCE = 256
"""Rows that are read together by their numbers."""
PLACED = ("_rowid", "document_id", "position")
WHOLE = [*PLACED, "section", "text", "vector"]
"""What ranking needs of the chunks of a document that a question means."""


class Found(NamedTuple):
    """The chunks that a question finds, by the numbers of their rows as text.

    `places` has all of them, `sections` the paths of their sections if the search is hybrid. `cosines` has those that a vector
    was compared with, the nearest first, then those that only words found; `lexical` has the BM25 of those that share words, best
    first. `nearest` are the cosines of the nearest chunks alone.
    """

    places: Mapping[str, Place]
    cosines: Mapping[str, float]
    lexical: Mapping[str, float]
    nearest: Sequence[float]
    sections: Mapping[str, Sequence[str]]


class Ranking(NamedTuple):
    """Chunks that one way of searching finds, by the numbers of their rows as text, best first: their scores and places."""

    scores: dict[str, float]
    places: dict[str, Place]
    sections: dict[str, Sequence[str]]


NOTHING = Ranking({}, {}, {})


class Chunks:
    """The chunks of a generation, open for questions. Threads may share them."""

    def __init__(self, corpus: Corpus, live: Generation, tables: OpenTables) -> None:
        self._corpus, self._live = corpus, live
        self._tables, self._dataset = tables, tables.table("chunks")
        self._how = how_to_search(self._dataset)
        self.n = int(self._dataset.count_rows())

    @cached_property
    def languages(self) -> list[str]:
        """The languages of the documents, ISO 639-1 codes, the most frequent first."""
        return languages_of(self._tables)

    def find(self, question: str, vector: Vectors | None, depth: int, mode: Mode, where: str | None) -> Found:
        """Return the chunks that take part in ranking: `depth` by cosine, and as many by words.

        Raises:
            InputError: the condition is not valid.
            CorpusError: the chunks cannot be read.
        """
        near, lexical = [NOTHING] * 2
        seen = [*PLACED, "section"] if mode == "hybrid" else list(PLACED)
        if mode != "fts" and vector is not None and self.n:
            near = self._nearest(vector, depth, where, seen)
        if mode != "dense" and self.n:
            lexical = self._matching(question, depth, where, seen)
        apart = self._cosines([row for row in lexical.scores if row not in near.scores], vector) if near.scores else {}
        nearest = list(near.scores.values())
        sections = lexical.sections | near.sections
        return Found(lexical.places | near.places, near.scores | apart, lexical.scores, nearest, sections)

    def of_documents(self, documents: Sequence[str], where: str | None) -> Iterator[pa.Table]:
        """Yield WHOLE of the chunks of each document that meet the condition, in their order.

        Raises:
            InputError: the condition is not valid.
            CorpusError: the chunks cannot be read.
        """
        if not documents:
            return
        condition = conditions.in_documents(documents)
        rows = self._run(f"{condition} AND ({where})" if where else condition, columns=WHOLE)
        rows = rows.sort_by([("document_id", "ascending"), ("position", "ascending")])
        whose = np.array(rows["document_id"].to_pylist())
        starts = [*np.flatnonzero(np.concatenate([[True], whose[1:] != whose[:-1]])), len(whose)] if len(whose) else []
        for start, end in pairwise(starts):
            yield rows.slice(start, end - start)

    def first_texts(self, positions: int, documents: Sequence[str] | None) -> pa.Table:
        """Return document, position and text of each document's first chunks, of all documents or some."""
        first = f"position < {positions}"
        wanted = first if documents is None else f"{conditions.in_documents(documents)} AND {first}"
        return self._run(wanted, columns=["document_id", "position", "text"])

    def sample_texts(self, n: int) -> pa.Table:
        """Return document and text of at most `n` chunks from all over the corpus."""
        places: list[int] = np.unique(np.linspace(0, self.n - 1, min(self.n, n)).astype(int)).tolist() if self.n else []
        return self._dataset.take(places, columns=["document_id", "text"])

    def read(self, rows: Sequence[str], columns: list[str]) -> pa.Table:
        """Return `columns` of rows by their numbers, in the order of `rows`."""
        if not rows:
            return self._run(columns=columns, filter="false")
        parts = [rows[at : at + READ_AT_ONCE] for at in range(0, len(rows), READ_AT_ONCE)]
        wanted = ["_rowid", *columns]
        found = pa.concat_tables([self._run(columns=wanted, filter=f"_rowid IN ({', '.join(part)})") for part in parts])
        at = {row: place for place, row in enumerate(found["_rowid"].to_pylist())}
        return found.take([at[int(row)] for row in rows]).select(columns)

    def _nearest(self, vector: Vectors, depth: int, where: str | None, seen: list[str]) -> Ranking:
        nearest = {"column": "vector", "q": vector, "k": depth, "metric": "cosine", **self._how}
        found = _ranking(self._run(where, columns=[*seen, "_distance"], nearest=nearest), "_distance")
        return found._replace(scores={row: 1.0 - distance for row, distance in found.scores.items()})

    def _matching(self, question: str, depth: int, where: str | None, seen: list[str]) -> Ranking:
        words = word_query(question, self._dataset.schema.names, lambda: self.languages)
        return _ranking(self._run(where, columns=[*seen, "_score"], full_text_query=words, limit=depth), "_score")

    def _cosines(self, rows: Sequence[str], vector: Vectors | None) -> dict[str, float]:
        if not rows:
            return {}
        vectors = self.read(rows, ["vector"])["vector"].combine_chunks()
        matrix = vectors.flatten().to_numpy(zero_copy_only=False).reshape(len(rows), -1)
        return dict(zip(rows, (matrix @ np.asarray(vector, dtype=np.float32)).tolist(), strict=True))

    def _run(self, where: str | None = None, **query: Any) -> pa.Table:
        try:
            chosen = {"filter": where, "prefilter": True} if where is not None else {}
            return self._dataset.to_table(**chosen, **query)
        except (ValueError, RuntimeError, OSError) as error:
            read_where(self._corpus, self._live, "chunks", ["chunk_id"], bare(where))
            raise CorpusError(
                f"the chunks of {self._corpus} cannot be searched ({lance.reason(error)}): {lance.TABLE_REMEDY}"
            ) from error


def _ranking(table: pa.Table, score: str) -> Ranking:
    rows, documents, positions, scores = (table[name].to_pylist() for name in (*PLACED, score))
    names = list(map(str, rows))
    places = map(Place, documents, positions)
    sections = table["section"].to_pylist() if "section" in table.schema.names else []
    paths = dict(zip(names, sections, strict=bool(sections)))
    return Ranking(dict(zip(names, scores, strict=True)), dict(zip(names, places, strict=True)), paths)
