"""Retrieve: answer questions from the live generation only."""

import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from schemas.corpus import Corpus
from schemas.errors import CorpusError, InputError
from schemas.hits import Hit as Hit
from schemas.ids import is_unicode
from schemas.options.search import Mode, Returned
from schemas.options.sections import EmbedOptions
from tasks.embed.provider import Prompts, Provider
from tasks.embed.remembered import Memory
from tasks.search.io.filters import on_chunks, read_where
from tasks.search.io.results import COLUMNS, Asked, DocumentTexts, as_returned
from tasks.search.ranking import Place, score_sum, with_neighbours
from tasks.store import conditions, lance, published
from tasks.store.published import Generation

CANDIDATES = 200
"""How many chunks of each list take part in hybrid ranking, at least."""
CHUNKS_PER_RESULT = 3
"""How many chunks are considered per result, if results are passages or parents."""
QUERY_BATCH_TOKENS = 512
"""Batch size for sentences: small batches of similar length need little padding."""
PROBES = 20
"""Lists of the index of vectors that are searched."""
SAMPLE = 60
"""How many chunks of each list show how rare a word is."""


def check_question(question: str) -> None:
    """Check that a question can be searched for.

    Raises:
        InputError: the question is blank, or not UTF-8.
    """
    if not question.strip():
        raise InputError("the question is empty: write a question")
    if not is_unicode(question):
        raise InputError("the question is not UTF-8: set the terminal to UTF-8, or use other characters")


class Ranked(NamedTuple):
    """For each cutoff the results for each question, best first; and for each question the rows of the ranked chunks."""

    results: dict[int, list[list[Hit]]]
    chunks: list[list[dict[str, Any]]]


def n_chunks(k: int, returned: Returned) -> int:
    """Return of how many chunks k results are made, at most."""
    return k if returned == "chunks" else k * CHUNKS_PER_RESULT


class Searcher:
    """The live generation of a corpus, open for questions."""

    def __init__(self, corpus: Corpus, live: Generation, light: bool = False) -> None:
        """Open the chunks at the version of `live`. With `light`, torch stays out of this process if NumPy has the model."""
        self.corpus = corpus
        self._light = light
        self.live = live
        self.generation = live.generation
        self.recipe = live.recipe
        self._chunks = published.open_published(corpus, live, "chunks")

    def documents(self, columns: list[str]) -> pa.Table:
        """Return `columns` of the published documents."""
        return published.read_columns(self.corpus, self.live, "documents", columns)

    @property
    def embed_options(self) -> EmbedOptions:
        """The options that the corpus was embedded with, its prompts too. Questions must use the same."""
        prompts = Prompts(**self._embedding.get("prompts", {}))
        asked = {"query_prompt": prompts.query, "document_prompt": prompts.document}
        return EmbedOptions(**self._embedding["options"], **asked)

    @property
    def _embedding(self) -> dict[str, Any]:
        facts: dict[str, Any] = json.loads(self.live.recipe_details)["embed"]
        return facts

    def search(
        self, question: str, k: int, mode: Mode = "hybrid", where: str | None = None, returned: Returned = "passages"
    ) -> list[Hit]:
        """Return the best `k` results for a question, best first.

        Raises:
            InputError: the question is blank or not UTF-8, `k` is below 1, or `where` is not a valid condition.
            CorpusError: the chunks cannot be read.
        """
        return self.search_many([question], k, mode, where, returned)[0]

    def search_many(
        self, questions: Sequence[str], k: int, mode: Mode = "hybrid", where: str | None = None, returned: Returned = "passages"
    ) -> list[list[Hit]]:
        """Return the best `k` results for each question. All questions are embedded together, and so are all sentences."""
        return self.search_cutoffs(questions, (k,), mode, where, returned)[k]

    def search_cutoffs(
        self,
        questions: Sequence[str],
        cutoffs: Sequence[int],
        mode: Mode = "hybrid",
        where: str | None = None,
        returned: Returned = "passages",
    ) -> dict[int, list[list[Hit]]]:
        """Return for each k of `cutoffs` the best k results for each question: what a search for k results returns.

        They are not the first k of more results, because k results are joined and trimmed by themselves.
        """
        return self.search_ranked(questions, cutoffs, mode, where, returned).results

    def search_ranked(
        self,
        questions: Sequence[str],
        cutoffs: Sequence[int],
        mode: Mode = "hybrid",
        where: str | None = None,
        returned: Returned = "passages",
        depth: int = 1,
        memory: Memory | None = None,
    ) -> Ranked:
        """Return the results of `search_cutoffs`, and the ranking of chunks that they are made of, `depth` or more if there are.

        `depth` is SAMPLE at most. What `memory` has is not embedded again, and what is embedded is added to it.
        """
        if min(cutoffs) < 1:
            raise InputError(f"k is {min(cutoffs)}: ask for at least one result")
        for question in questions:
            check_question(question)
        kept = on_chunks(self.corpus, self.live, where)
        embedder = None if mode == "fts" else self.embedder.remembering(Memory() if memory is None else memory)
        vectors: Sequence[Any] = list(embedder.encode_queries(questions)) if embedder else [None] * len(questions)
        documents, asked = DocumentTexts(self.corpus, self.live), dict[int, list[Asked]]()
        found: dict[int, list[list[Hit]]] = {}
        for k in sorted(cutoffs, reverse=True):
            n = n_chunks(k, returned)
            list_depth = self._depth(n, mode)
            if list_depth not in asked:
                asked[list_depth] = [self._ask(*pair, max(n, depth), mode, kept) for pair in zip(questions, vectors, strict=True)]
            first = [one._replace(rows=one.rows[:n]) for one in asked[list_depth]]
            found[k] = as_returned(first, k, returned, documents, embedder.encode if embedder else None)
        return Ranked(found, [one.rows for one in next(iter(asked.values()))])

    @cached_property
    def embedder(self) -> Provider:
        """The embedder of the corpus. It cuts off the end of a text that is too long.

        Raises:
            CorpusError: the installed model is not the model that the corpus was embedded with.
            InputError: the address of its endpoint is not known.
        """
        from tasks.embed.io.endpoint.address import with_address
        from tasks.embed.io.providers import identity_of, open_provider
        from tasks.refresh.recipes import embedder_digest

        asked = self.embed_options.model_copy(update={"too_long": "truncate", "batch_tokens": QUERY_BATCH_TOKENS})
        options = with_address(asked, self.live.options.get("embed", {}))
        dimension = self._embedding.get("engine", {}).get("dimension")
        if embedder_digest(identity_of(options, dimension)) != self.live.embedder:
            raise CorpusError(
                f"model {options.model} is not the one that corpus {self.corpus} was embedded with: install that model"
            )
        return open_provider(options, dimension, self._light)

    def _depth(self, n: int, mode: Mode) -> int:
        """Return how many chunks each list must have to find the best `n`."""
        return min(max(n, CANDIDATES if mode == "hybrid" else SAMPLE), max(int(self._chunks.count_rows()), 1))

    def _ask(self, question: str, vector: Any, n: int, mode: Mode, where: str | None) -> Asked:
        """Return the best `n` chunks for a question, and texts that show which words are rare."""
        depth = self._depth(n, mode)
        found: list[pa.Table] = []
        if mode != "fts":
            nearest = {"column": "vector", "q": vector, "k": depth, "metric": "cosine", "nprobes": PROBES}
            found.append(self._run(depth, where, "_distance", nearest=nearest))
        if mode != "dense" and self._chunks.count_rows():
            found.append(self._run(depth, where, "_score", full_text_query=self._match(question)))
        ranked = _ranked(found, vector, mode)[:n]
        texts = {name: text for table in found for name, text in _pairs(table.slice(0, SAMPLE), "text")}
        return Asked(question, vector, self._rows(ranked), list(texts.values()))

    def _match(self, question: str) -> Any:
        from lance.query import MatchQuery

        return MatchQuery(question, "text")

    def _run(self, depth: int, where: str | None, score: str, **query: Any) -> pa.Table:
        columns = ["chunk_id", "document_id", "position", "text", "vector", score]
        try:
            return self._chunks.to_table(columns=columns, filter=where, prefilter=True, limit=depth, **query)
        except (ValueError, RuntimeError, OSError) as error:
            read_where(self.corpus, self.live, "chunks", ["chunk_id"], where)
            raise CorpusError(
                f"the chunks of {self.corpus} cannot be searched ({lance.reason(error)}): {lance.TABLE_REMEDY}"
            ) from error

    def _rows(self, ranked: Sequence[tuple[str, float]]) -> list[dict[str, Any]]:
        """Return the rows of chunks, with their scores, in the order of `ranked`."""
        if not ranked:
            return []
        chosen = conditions.one_of("chunk_id", (name for name, _ in ranked))
        table = published.read_columns(self.corpus, self.live, "chunks", COLUMNS, chosen)
        rows = {row["chunk_id"]: row for row in table.to_pylist()}
        return [{**rows[name], "score": score} for name, score in ranked]


def _ranked(found: Sequence[pa.Table], vector: Any, mode: Mode) -> list[tuple[str, float]]:
    """Rank the chunks of both lists. Hybrid mode needs the cosines of all chunks, even of those from full-text search."""
    if mode == "fts":
        return [pair for table in found for pair in _pairs(table, "_score")]
    if mode == "dense":
        return [(name, 1.0 - distance) for name, distance in _pairs(found[0], "_distance")]
    cosines: dict[str, float] = {}
    for table in found:
        vectors = table["vector"].combine_chunks()
        rows = vectors.flatten().to_numpy(zero_copy_only=False).reshape(len(vectors), len(vector))
        near = (rows @ np.asarray(vector, dtype=np.float32)).tolist()
        cosines |= dict(zip(table["chunk_id"].to_pylist(), near, strict=True))
    lexical = dict(_pairs(found[1], "_score")) if len(found) > 1 else {}
    return with_neighbours(score_sum(cosines, lexical), {name: place for table in found for name, place in _places(table)})


def _places(table: pa.Table) -> Iterator[tuple[str, Place]]:
    columns = (table[name].to_pylist() for name in ("chunk_id", "document_id", "position"))
    return ((name, Place(document, position)) for name, document, position in zip(*columns, strict=True))


def _pairs(table: pa.Table, column: str) -> list[tuple[str, Any]]:
    return list(zip(table["chunk_id"].to_pylist(), table[column].to_pylist(), strict=True))


def open_searcher(corpus: Corpus) -> Searcher:
    """Open the live generation of `corpus`.

    Raises:
        CorpusError: nothing has been published yet, or the corpus has another format.
    """
    return Searcher(corpus, published.live(corpus))
