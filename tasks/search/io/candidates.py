"""Candidates: the chunks that are nearest to a question, and those that share most words with it, with what ranking needs."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from schemas.corpus import Corpus
from schemas.errors import CorpusError
from schemas.options.search import Mode
from tasks.embed.remembered import Vectors
from tasks.search.io.resident import ASKED_OFTEN, held
from tasks.search.io.words import languages_of, word_query
from tasks.search.ranking import Place
from tasks.search.trimming import stems, words_held
from tasks.store import conditions, lance
from tasks.store.published import OpenTables
from tasks.store.vector_indexes import search_parameters, without_refinement
from tasks.workers.threads import BackgroundValue

PLACED = ("document_id", "position")
WHOLE = ["_rowid", *PLACED, "section", "text", "vector"]
"""What ranking needs of the chunks of a document that a question means."""

TIES = 50
"""So many more chunks are asked for: those of equal BM25 take part by document and position, not as their rows were written."""


Numbers = NDArray[np.int64]


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


class Matched(NamedTuple):
    """The chunks that share words with a question: their BM25 by the numbers of their rows, best first, and what ranking needs.

    `rows` has what `columns_for` names, `held` the words of the question in each of the best.
    """

    lexical: Mapping[str, float]
    rows: pa.Table
    held: Mapping[str, frozenset[str]]


class Chunks:
    """The chunks of a generation, open for questions. Threads may share them. Every `where` is SQL that `on_chunks` has made."""

    def __init__(self, corpus: Corpus, tables: OpenTables) -> None:
        self._corpus = corpus
        self._tables, self._dataset = tables, tables.table("chunks")
        self.resident = BackgroundValue(partial(held, self._dataset), ASKED_OFTEN)
        self._how = without_refinement(search_parameters(self._dataset))
        self.n = int(self._dataset.count_rows())
        self.schema: pa.Schema = self._dataset.schema
        self.columns = frozenset[str](self.schema.names)

    @cached_property
    def languages(self) -> list[str]:
        """The languages of the documents, ISO 639-1 codes, the most frequent first."""
        return languages_of(self._tables)

    def matching(self, question: str, depth: int, mode: Mode, where: str | None, n_held: int = 0) -> Matched:
        """Return the `depth` chunks that share most words with a question, none if only vectors count; the words of `n_held`.

        Raises:
            CorpusError: the chunks cannot be read.
        """
        if not self.n or mode == "dense":
            return Matched({}, self.read([], columns_for(mode)), {})
        words = word_query(question, self.columns, lambda: self.languages)
        found = self._run(where, columns=["_rowid", "_score"], full_text_query=words, limit=depth + TIES)
        numbers, scores = list(map(str, found["_rowid"].to_pylist())), found["_score"].to_pylist()
        read = self.read(numbers, columns_for(mode))
        places = zip(*(read[name].to_pylist() for name in PLACED), strict=True)
        order = [n for *_, n in sorted((-score, *place, n) for n, (score, place) in enumerate(zip(scores, places, strict=True)))]
        rows = [numbers[n] for n in order[:depth]]
        lexical = dict(zip(rows, (scores[n] for n in order), strict=False))
        return Matched(lexical, read.take(pa.array(order[:depth], pa.int64())), self.held(rows[:n_held], stems(question)))

    def find(self, vector: Vectors | None, matched: Matched, depth: int, mode: Mode, where: str | None) -> Found:
        """Return the chunks that take part in ranking: `depth` by cosine, and those that `matched`.

        Raises:
            CorpusError: the chunks cannot be read.
        """
        asked = vector if self.n else None
        if self.n:
            self.resident.request()
        distant = self._nearest(asked, depth, where) if asked is not None else []
        new = [row for row in distant if row not in matched.lexical]
        names = [*new, *matched.lexical]
        found = pa.concat_tables([self.read(new, columns_for(mode)), matched.rows])
        places = dict(zip(names, map(Place, *(found[name].to_pylist() for name in PLACED)), strict=True))
        sections = dict(zip(names, paths(found["section"]), strict=True)) if mode == "hybrid" else {}
        cosines = dict(zip(names, cosines_of(found, asked).tolist(), strict=True)) if distant and asked is not None else {}
        near = dict(sorted(((row, cosines[row]) for row in distant), key=lambda item: -item[1]))
        return Found(places, near | cosines, matched.lexical, list(near.values()), sections)

    def held(self, rows: Sequence[str], words: Collection[str]) -> dict[str, frozenset[str]]:
        """Return which of some stems the texts of rows have, by their numbers."""
        return dict(zip(rows, words_held(words, self.read(rows, ["text"])["text"].to_pylist()), strict=True))

    def of_documents(self, documents: Sequence[str], where: str | None, more: Sequence[str] = ()) -> Iterator[pa.Table]:
        """Yield WHOLE and `more` columns of the chunks of each document that meet the condition, in their order.

        Raises:
            CorpusError: the chunks cannot be read.
        """
        if not documents:
            return
        known = self.resident.ready
        if known and not where and known.columns.keys() >= {*more, *WHOLE[1:]}:
            yield from filter(len, (known.of_document(name, [*WHOLE[1:], *more]) for name in sorted({*documents})))
            return
        condition = conditions.in_documents(documents)
        rows = self._run(f"{condition} AND ({where})" if where else condition, columns=[*WHOLE, *more])
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

    def texts_of(self, chosen: Numbers, documents: pa.Array, starts: Numbers) -> tuple[list[int], list[str]]:
        """Return whose the chosen chunks are, as numbers of `documents` (ids), and their texts, in the order of `chosen`.

        Chunks are numbered document by document, from `starts` on, by their positions: not as their rows were written.

        Raises:
            CorpusError: the chunks cannot be read.
        """
        rows = self._run(columns=["_rowid", *PLACED])
        whose = pc.index_in(rows["document_id"], documents).to_numpy()
        numbers = starts[whose] + rows["position"].to_numpy()
        there = np.flatnonzero(np.isin(numbers, chosen))
        there = there[np.argsort(numbers[there])]
        texts = self.read(rows["_rowid"].take(pa.array(there)).cast(pa.string()).to_pylist(), ["text"])["text"]
        return whose[there].tolist(), texts.to_pylist()

    def read(self, rows: Sequence[str], columns: list[str]) -> pa.Table:
        """Return `columns` of rows by their numbers, in the order of `rows`."""
        if not rows:
            return pa.schema([self._dataset.schema.field(name) for name in columns]).empty_table()
        numbers, known = list(map(int, rows)), self.resident.ready
        if known and known.columns.keys() >= {*columns}:
            return known.take(numbers, columns)
        with self._readable():
            return self._dataset._take_rows(numbers, columns=columns)

    def _nearest(self, vector: Vectors, depth: int, where: str | None) -> list[str]:
        """Return the numbers of the nearest rows, nearly in order."""
        nearest = {"column": "vector", "q": vector, "k": depth, "metric": "cosine", **self._how}
        return list(map(str, self._run(where, columns=["_rowid", "_distance"], nearest=nearest)["_rowid"].to_pylist()))

    def _run(self, where: str | None = None, **query: Any) -> pa.Table:
        chosen = {"filter": where, "prefilter": True} if where is not None else {}
        with self._readable():
            return self._dataset.to_table(**chosen, **query)

    @contextmanager
    def _readable(self) -> Iterator[None]:
        try:
            yield
        except (ValueError, RuntimeError, OSError) as error:
            raise CorpusError(
                f"the chunks of {self._corpus} cannot be searched ({lance.explain_error(error)}): {lance.TABLE_REMEDY}"
            ) from error


def columns_for(mode: Mode) -> list[str]:
    """Return what ranking needs of a chunk."""
    return [*PLACED, *(["section"] if mode == "hybrid" else []), *(["vector"] if mode != "fts" else [])]


def paths(column: pa.ChunkedArray) -> list[list[str]]:
    """Return a column of lists as lists, in a third of Arrow's time."""
    array = column.combine_chunks()
    ends = np.cumsum(array.value_lengths().to_numpy(zero_copy_only=False)).tolist()
    values = array.flatten().to_pylist()
    return [values[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def cosines_of(rows: pa.Table, vector: Vectors) -> Vectors:
    """Return the cosines of rows with vectors to a vector; all have length 1."""
    vectors = rows["vector"].combine_chunks()
    matrix = vectors.flatten().to_numpy(zero_copy_only=False).reshape(len(vectors), len(vector))
    found: Vectors = matrix @ np.asarray(vector, dtype=np.float32)
    return found
