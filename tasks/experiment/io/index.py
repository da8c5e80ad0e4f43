"""An index of chunks in memory: exact search, ranked and returned as a search of a corpus does it."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from schemas.hits import Hit
from schemas.options.experiment import Ranking
from schemas.options.search import Returned
from schemas.options.sections import ChunkOptions
from tasks.chunk.chunk import BoundaryInputs, chunk_content, split_document
from tasks.chunk.pieces import Count
from tasks.experiment.io.lexical import Terms, full_text
from tasks.experiment.io.library import Library, Text
from tasks.experiment.io.vectors import Encode
from tasks.experiment.ranking import rank
from tasks.experiment.scented import ScentedChunks
from tasks.language.detection import language_of
from tasks.language.terms import term_languages, terms
from tasks.search.io.ranker import SAMPLE
from tasks.search.io.results import as_returned
from tasks.search.io.retrieve import CANDIDATES, Ranked, n_chunks
from tasks.search.nearness import Near, base_of
from tasks.search.passages import Asked
from tasks.search.ranking import Place
from tasks.search.trimming import rarity

Vectors = NDArray[np.float32]
Lexical = list[dict[int, float]]
"""For each question, the BM25 of chunks by their numbers, best first."""


def cut_texts(texts: Sequence[Text], options: ChunkOptions, count: Count, encode: Encode) -> Iterator[dict[str, Any]]:
    """Yield the chunks of all documents as rows of `chunks` without a vector; `encode` makes vectors of sentences.

    The id of a chunk is its number.
    """
    number = 0
    for text in texts:
        boundaries, title = _boundary_inputs(text, options, encode), _title(text)
        language = language_of(text.text)
        whose = {"document_id": text.document_id, "path": text.path, "title": title, "language": language}
        for position, row in enumerate(chunk_content(text.row, options, count, boundaries)["chunks"][0].as_py()):
            own = {"chunk_id": str(number), "position": position, "search_terms": terms(row["text"], language)}
            yield {**row, **whose, **own}
            number += 1


def _title(text: Text) -> str:
    """Return the first title or heading, or the file's name: what a corpus calls a document without metadata."""
    first = next((element["text"] for element in text.row["elements"] if element["kind"] in ("title", "heading")), "")
    return first.strip("# \n") or text.path.rpartition("/")[2]


def _boundary_inputs(text: Text, options: ChunkOptions, encode: Encode) -> BoundaryInputs:
    if options.sentence_vectors:
        return BoundaryInputs(vectors=encode(split_document(text.row).texts))
    if options.strategy == "llm":
        from tasks.chunk.io.boundary_inputs import propose_boundaries, read_proposal

        return read_proposal(propose_boundaries(text.row, options))
    return BoundaryInputs()


class Questions(NamedTuple):
    """Questions, and their vectors of shape (questions, dimension)."""

    texts: Sequence[str]
    vectors: Vectors


class MemoryIndex:
    """The chunks of one chunking with the vectors of one embedder, and the questions that are asked of them."""

    def __init__(
        self,
        chunks: Sequence[dict[str, Any]],
        vectors: Vectors,
        questions: Questions,
        lexical: Callable[[Terms, Sequence[str], int], Lexical] = full_text,
    ) -> None:
        """`vectors` are those of the chunks, of shape (chunks, dimension); `lexical` is called when words are first searched.

        An index in which only words are searched needs no vectors: both have the shape (0, dimension) then.
        """
        self.chunks, self.questions = chunks, questions
        self.cosines = questions.vectors @ vectors.T
        self._full_text = lexical
        self._places = [Place(chunk["document_id"], chunk["position"]) for chunk in chunks]

    @cached_property
    def lexical(self) -> Lexical:
        """What full-text search finds for each question."""
        documents = {chunk["document_id"]: chunk["language"] for chunk in self.chunks}
        found = Terms([chunk["search_terms"] for chunk in self.chunks], term_languages(Counter(documents.values())))
        return self._full_text(found, self.questions.texts, CANDIDATES)

    @cached_property
    def _scented(self) -> ScentedChunks:
        return ScentedChunks(self.chunks)

    def asked(self, ranking: Ranking, n: int) -> list[Asked]:
        """Return each question with its best `n` chunks."""
        return [self._ask(number, ranking, n) for number in range(len(self.questions.texts))]

    def _ask(self, number: int, ranking: Ranking, n: int) -> Asked:
        lexical = {} if ranking == "dense" else self.lexical[number]
        cosines = np.empty(0, np.float32) if ranking == "lexical" else self.cosines[number]
        hybrid = partial(self._scented.ranked, self.questions.texts[number], cosines, lexical) if ranking == "sum" else None
        ranked = rank(cosines, lexical, self._places, ranking, max(n, CANDIDATES), SAMPLE, hybrid)
        rows = [{**self.chunks[chunk], "score": score} for chunk, score in ranked.chunks[:n]]
        near = None if ranking == "lexical" else self._near(cosines, [chunk for chunk, _ in ranked.chunks])
        sample = [self.chunks[chunk]["text"] for chunk in ranked.sample]
        question = ranked.question or self.questions.texts[number]
        return Asked(question, rows, rarity(question, sample), near)

    def _near(self, cosines: Vectors, found: Sequence[int]) -> Near:
        best = np.sort(cosines)[::-1][:SAMPLE].tolist()
        return Near({self._places[chunk]: float(cosines[chunk]) for chunk in found}, base_of(best))

    def search(self, ranking: Ranking, returned: Returned, cutoffs: Sequence[int], library: Library, depth: int = 1) -> Ranked:
        """Return the best k results for each question and each k of `cutoffs`, as searches of a corpus with these chunks would.

        Beside them is the ranking of chunks that they are made of, `depth` or more if there are.
        """
        asked = self.asked(ranking, max(depth, *(n_chunks(k, returned) for k in cutoffs)))
        found: dict[int, list[list[Hit]]] = {}
        for k in cutoffs:
            first = [one._replace(rows=one.rows[: n_chunks(k, returned)]) for one in asked]
            found[k] = as_returned(first, k, returned, library)
        return Ranked(found, [one.rows for one in asked], [one.answered for one in asked])
