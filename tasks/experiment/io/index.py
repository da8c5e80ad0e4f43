"""An index of chunks in memory: exact search, ranked and returned as a search of a corpus does it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from schemas.options.experiment import Ranking
from schemas.options.search import Returned
from tasks.experiment.grid import MODES
from tasks.experiment.io.chunks import ROWS, CutChunk, FindWords, Terms, find_texts_by_words
from tasks.experiment.io.documents import Library
from tasks.language.terms import list_term_languages
from tasks.search.chunk_source import SCANNED, RankingMode, Vector
from tasks.search.named_places import find_named_places
from tasks.search.ranker import Ranker
from tasks.search.results import SearchResults, search_questions


class Questions(NamedTuple):
    """Questions, and their vectors of shape (questions, dimension)."""

    texts: Sequence[str]
    vectors: Vector


class MemoryChunks:
    """Chunks in memory as a source for ranking. A chunk's row is its number; conditions are not understood, and must be None."""

    def __init__(
        self, chunks: Sequence[CutChunk], vectors: Vector, questions: Sequence[str], library: Library, words: FindWords
    ) -> None:
        """`questions` are all that will be asked: one index of words is built, and all are searched for in it."""
        self._table = pa.Table.from_pylist([*chunks], schema=ROWS)
        self._vectors, self._library, self._questions, self._find_words = vectors, library, questions, words
        if len(vectors):
            lists = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel(), pa.float32()), vectors.shape[1])
            self._table = self._table.append_column("vector", lists)
        self._table = self._table.append_column("_rowid", pa.array(range(len(chunks)), pa.uint64()))
        self._word_depth = 0
        self.n, self.columns = len(chunks), frozenset[str](self._table.column_names)

    def find_words(self, question: str, depth: int, where: str | None) -> list[tuple[str, float]]:
        """Return the `depth` rows of the highest BM25, each with its BM25."""
        if depth > self._word_depth:
            self._word_depth, self._word_matches = depth, self._match_words(depth)
        return [(str(number), score) for number, score in self._word_matches[question][:depth]]

    def _match_words(self, depth: int) -> dict[str, list[tuple[int, float]]]:
        queries = list(dict.fromkeys([*self._questions, *(find_named_places(question).rest for question in self._questions)]))
        languages = dict(zip(self._table["document_id"].to_pylist(), self._table["language"].to_pylist(), strict=True))
        terms = Terms(self._table["search_terms"].to_pylist(), list_term_languages(Counter(languages.values())))
        return dict(zip(queries, self._find_words(terms, queries, depth), strict=True))

    def find_nearest(self, vector: Vector, depth: int, where: str | None) -> list[str]:
        """Return the rows of the `depth` nearest chunks."""
        return list(map(str, np.argsort(-(self._vectors @ vector), kind="stable")[:depth].tolist()))

    def read(self, rows: Sequence[str], columns: Sequence[str]) -> pa.Table:
        """Return columns of rows, in the order of `rows`."""
        return self._table.select([*columns]).take(pa.array(map(int, rows), pa.int64()))

    def read_documents(self, documents: Sequence[str], where: str | None, more: Sequence[str] = ()) -> Iterator[pa.Table]:
        """Yield SCANNED and `more` columns of the chunks of each document, in their order."""
        for document in sorted({*documents}):
            yield self._table.select([*SCANNED, *more]).take(self._rows_of[document])

    @cached_property
    def _rows_of(self) -> Mapping[str, pa.Array]:
        numbers: dict[str, list[int]] = {}
        for number, document in enumerate(self._table["document_id"].to_pylist()):
            numbers.setdefault(document, []).append(number)
        return {document: pa.array(of, pa.int64()) for document, of in numbers.items()}

    def list_documents(self) -> pa.Table:
        """Return document_id, path, title and n_chunks of all documents."""
        firsts = self._table.take(pa.array([rows[0].as_py() for rows in self._rows_of.values()], pa.int64()))
        counts = pa.array(map(len, self._rows_of.values()), pa.int64())
        return firsts.select(["document_id", "path", "title"]).append_column("n_chunks", counts)

    def read_beginnings(self, positions: int, documents: Sequence[str] | None) -> pa.Table:
        """Return document_id, position and text of the first chunks of each document, of all documents (None) or some."""
        first = pc.field("position") < positions
        chosen = first if documents is None else first & pc.field("document_id").isin([*documents])
        return self._table.select(["document_id", "position", "text"]).filter(chosen)

    def read_positions(self, documents: Sequence[str]) -> pa.Table:
        """Return _rowid, document_id and position of the chunks of documents."""
        chosen = pc.is_in(self._table["document_id"], value_set=pa.array(documents, pa.string()))
        return self._table.select(["_rowid", "document_id", "position"]).filter(chosen)

    def read_furniture(self, documents: Sequence[str]) -> Iterable[tuple[str, int, str]]:
        """Yield document, page number and text of the running headers and footers of documents."""
        return self._library.read_furniture(documents)


class MemoryIndex:
    """The chunks of one chunking with the vectors of one embedder, and the questions that are asked of them."""

    def __init__(
        self,
        chunks: Sequence[CutChunk],
        vectors: Vector,
        questions: Questions,
        library: Library,
        words: FindWords = find_texts_by_words,
    ) -> None:
        """`chunks` are ROWS, `vectors` theirs, of shape (chunks, dimension); `words` is called when words are first searched.

        An index in which only words are searched needs no vectors: both have the shape (0, dimension) then.
        """
        self.chunks, self.questions, self._library = chunks, questions, library
        self._ranker = Ranker(MemoryChunks(chunks, vectors, questions.texts, library, words))

    def search(self, ranking: Ranking, returned: Returned, cutoffs: Sequence[int], depth: int = 1) -> SearchResults:
        """Return the best k results for each question and each k of `cutoffs`, as searches of a corpus with these chunks would.

        Beside them is the ranking of chunks that they are made of, `depth` or more if there are.
        """
        mode: RankingMode = MODES.get(ranking, "rrf")
        requests = {k: self._ranker.make_request(k, mode, returned, depth=depth) for k in cutoffs}
        vectors = [None] * len(self.questions.texts) if mode == "fts" else list(self.questions.vectors)
        questions = list(zip(self.questions.texts, vectors, strict=True))
        return search_questions(self._ranker, questions, requests, returned, self._library, self._ranker.prefetch)
