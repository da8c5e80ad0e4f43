"""Retrieve: answer questions from the live generation only."""

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any, NamedTuple

import pyarrow as pa

from schemas.corpus import Corpus
from schemas.errors import CorpusError, InputError
from schemas.hits import Hit as Hit
from schemas.ids import is_unicode
from schemas.options.search import Mode, Returned
from schemas.options.sections import EmbedOptions
from tasks.embed.provider import Prompts, Provider
from tasks.embed.remembered import Memory
from tasks.search.answered import CALIBRATED
from tasks.search.io.candidates import Chunks
from tasks.search.io.filters import on_chunks
from tasks.search.io.ranker import SAMPLE, Ranker, Wanted
from tasks.search.io.rerank import Reranker
from tasks.search.io.results import DocumentTexts, as_returned
from tasks.search.passages import Asked
from tasks.store import published
from tasks.store.published import Generation, OpenTables, check_generation

CANDIDATES = 200
"""How many chunks of each list take part in hybrid ranking, at least."""
CHUNKS_PER_RESULT = 3
"""How many chunks are considered per result, if results are passages or parents."""
HELPERS = 8
"""Threads that look up what needs no vector while questions are embedded, and citations while texts are read."""
QUERY_BATCH_TOKENS = 512
"""Batch size for questions: small batches of similar length need little padding."""


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
    """For each cutoff the results for each question, best first; and for each question the rows of the ranked chunks.

    `answered` says how likely each question has an answer, see `tasks.search.answered`; None unless the search is hybrid and
    the embedder CALIBRATED.
    """

    results: dict[int, list[list[Hit]]]
    chunks: list[list[dict[str, Any]]]
    answered: list[float | None]


def n_chunks(k: int, returned: Returned) -> int:
    """Return of how many chunks k results are made, at most."""
    return k if returned == "chunks" else k * CHUNKS_PER_RESULT


class Searcher:
    """The live generation of a corpus, open for questions."""

    def __init__(self, corpus: Corpus, live: Generation, light: bool = False, reranker: Reranker | None = None) -> None:
        """Open the chunks at the version of `live`. `reranker` puts the best chunks of each question in order.

        With `light`, torch stays out of this process if NumPy has the model; a reranker needs it.
        """
        self.corpus = corpus
        self._light = light
        self.live = live
        self.generation = live.generation
        self.recipe = live.recipe
        self._tables = OpenTables(corpus, live)
        self.chunks = Chunks(corpus, self._tables)
        self._helpers = ThreadPoolExecutor(HELPERS, "pagemill-search")
        self._ranker = Ranker(
            self._tables, self.chunks, self._helpers, self._embedding["options"].get("model") == CALIBRATED, reranker
        )

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
    def languages(self) -> list[str]:
        """The languages of the documents, ISO 639-1 codes, the most frequent first."""
        return self.chunks.languages

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
        """Return the best `k` results for each question. All questions are embedded together."""
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
        kept = on_chunks(self.corpus, self.live, self.chunks.schema, where)
        order = sorted(cutoffs, reverse=True)
        wanted = [self._wanted(n_chunks(k, returned), mode, kept, returned, depth) for k in order]
        early = self._ranker.knowing(questions[0], wanted[0]) if len(questions) == 1 and mode == "hybrid" else None
        vectors = self._vectors(questions, mode, memory)
        documents, asked = DocumentTexts(self._tables, self._helpers), dict[int, list[Asked]]()
        found: dict[int, list[list[Hit]]] = {}
        for k, one in zip(order, wanted, strict=True):
            if one.depth not in asked:
                asked[one.depth] = [
                    self._ranker.ask(
                        question, vector, (early if early and one == wanted[0] else self._ranker.knowing(question, one))(), one
                    )
                    for question, vector in zip(questions, vectors, strict=True)
                ]
            first = [of._replace(rows=of.rows[: n_chunks(k, returned)]) for of in asked[one.depth]]
            found[k] = as_returned(first, k, returned, documents)
        deepest = asked[wanted[0].depth]
        return Ranked(found, [one.rows for one in deepest], [one.answered for one in deepest])

    def _wanted(self, n: int, mode: Mode, where: str | None, returned: Returned, depth: int) -> Wanted:
        """Return what it takes to find the best `n` chunks."""
        of_each = min(max(n, CANDIDATES if mode == "hybrid" else SAMPLE), max(self.chunks.n, 1))
        return Wanted(mode, where, of_each, max(n, depth), returned == "passages")

    def _vectors(self, questions: Sequence[str], mode: Mode, memory: Memory | None) -> Sequence[Any]:
        if mode == "fts":
            return [None] * len(questions)
        return list(self.embedder.remembering(Memory() if memory is None else memory).encode_queries(questions))

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


def open_searcher(corpus: Corpus, rerank: str | None = None) -> Searcher:
    """Open the live generation of `corpus`. `rerank` is a cross-encoder, a directory or hub id, that orders the best chunks.

    Raises:
        CorpusError: nothing has been published yet, or the corpus has another format.
        DamageError: a file of it is gone or cut short.
        InputError: there is no such cross-encoder.
    """
    live = published.live(corpus)
    check_generation(corpus, live)
    return Searcher(corpus, live, reranker=None if rerank is None else Reranker(rerank))
