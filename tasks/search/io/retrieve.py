"""Retrieve: answer questions from the live generation only."""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, lru_cache
from typing import Any

import pyarrow as pa

from schemas.access import Principal
from schemas.corpus import Corpus
from schemas.errors import CorpusError, InputError
from schemas.hits import Hit as Hit
from schemas.ids import is_unicode
from schemas.options.search import Mode, Returned
from schemas.options.sections import EmbedOptions
from tasks.embed.provider import Prompts, Provider
from tasks.embed.vectors import VectorCache
from tasks.search.answerability import CALIBRATED
from tasks.search.chunk_source import Vector
from tasks.search.duplicates import DistinctChunks, Duplicates
from tasks.search.io.chunks import Chunks
from tasks.search.io.duplicates import list_documents_meeting, read_duplicates
from tasks.search.io.filters import convert_to_chunk_condition
from tasks.search.io.rerank import Reranker
from tasks.search.io.texts import DocumentTexts
from tasks.search.ranker import Prefetch, Ranker, SearchRequest, find_places_for_request
from tasks.search.results import SearchResults, search_questions
from tasks.store import published
from tasks.store.access import OpenTables
from tasks.store.published import Generation, check_generation

HELPERS = 8
"""Threads that look up what needs no vector while questions are embedded, and citations while texts are read."""
QUERY_BATCH_TOKENS = 512
"""Batch size for questions: small batches of similar length need little padding."""


MOST_CONDITIONS = 32
"""So many conditions are remembered, with the documents that are hidden among those that meet them."""


def check_question(question: str) -> None:
    """Check that a question can be searched for.

    Raises:
        InputError: the question is blank, or not UTF-8.
    """
    if not question.strip():
        raise InputError("the question is empty: write a question")
    if not is_unicode(question):
        raise InputError("the question is not UTF-8: set the terminal to UTF-8, or use other characters")


class CorpusEmbedder:
    """How a generation was embedded, and what embeds questions for it, whoever asks. Threads may share it."""

    def __init__(self, corpus: Corpus, live: Generation, light: bool = False) -> None:
        """With `light`, torch stays out of this process if NumPy has the model."""
        self._corpus, self._live, self._light = corpus, live, light

    @property
    def _facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = json.loads(self._live.recipe_details)["embed"]
        return facts

    @property
    def is_calibrated(self) -> bool:
        """Whether cosines tell how likely a question is answered."""
        return bool(self._facts["options"].get("model") == CALIBRATED)

    @property
    def options(self) -> EmbedOptions:
        """The options that the corpus was embedded with, prompts included. Questions must be embedded with the same options."""
        prompts = Prompts(**self._facts.get("prompts", {}))
        asked = {"query_prompt": prompts.query, "document_prompt": prompts.document}
        return EmbedOptions(**self._facts["options"], **asked)

    @cached_property
    def provider(self) -> Provider:
        """The embedder of the corpus. It cuts off the end of a text that is too long.

        Raises:
            CorpusError: the installed model is not the model that the corpus was embedded with.
            InputError: the address of its endpoint is not known.
        """
        from tasks.embed.io.endpoint.encoder import with_address
        from tasks.embed.io.providers import identify_vectors, open_provider
        from tasks.refresh.run import compute_embedder_digest

        asked = self.options.model_copy(update={"too_long": "truncate", "batch_tokens": QUERY_BATCH_TOKENS})
        options = with_address(asked, self._live.options.get("embed", {}))
        dimension = self._facts.get("engine", {}).get("dimension")
        if compute_embedder_digest(identify_vectors(options, dimension)) != self._live.embedder:
            raise CorpusError(
                f"model {options.model} is not the one that corpus {self._corpus} was embedded with: install that model"
            )
        return open_provider(options, dimension, self._light)


class Searcher:
    """The live generation of a corpus, open for the questions of one principal."""

    def __init__(
        self,
        corpus: Corpus,
        live: Generation,
        principal: Principal | None = None,
        reranker: Reranker | None = None,
        embedding: CorpusEmbedder | None = None,
        like: "Searcher | None" = None,
    ) -> None:
        """Open the chunks at the version of `live` that `principal` may read. `reranker` orders the best chunks of each question.

        What does not depend on who asks is shared with `like`, another searcher of the generation.

        Raises:
            AccessError: the corpus says who may read it, and nobody asks; or somebody, and it does not say.
        """
        self.corpus = corpus
        self.live = live
        self.generation = live.generation
        self.recipe = live.recipe
        self.tables = OpenTables(corpus, live, principal)
        self.embedding = embedding or CorpusEmbedder(corpus, live)
        self.chunks: Chunks = Chunks(corpus, self.tables, like.chunks.resident if like else None)
        self._reranker = reranker
        self._helpers: ThreadPoolExecutor = like._helpers if like else ThreadPoolExecutor(HELPERS, "pagemill-search")
        self._find_hidden = lru_cache(MOST_CONDITIONS)(self._read_hidden)

    def open_for(self, principal: Principal | None) -> "Searcher":
        """Return the generation as another principal may read it. What does not depend on who asks is shared.

        Raises:
            AccessError: as above.
        """
        return Searcher(self.corpus, self.live, principal, self._reranker, self.embedding, self)

    def documents(self, columns: list[str]) -> pa.Table:
        """Return `columns` of the published documents."""
        return self.tables.read("documents", columns)

    @property
    def embed_options(self) -> EmbedOptions:
        """The options that the corpus was embedded with, prompts included. Questions must be embedded with the same options."""
        return self.embedding.options

    @property
    def embedder(self) -> Provider:
        """The embedder of the corpus; see `CorpusEmbedder.provider`."""
        return self.embedding.provider

    @property
    def languages(self) -> list[str]:
        """The languages of the documents, ISO 639-1 codes, the most frequent first."""
        return self.chunks.languages

    def search(
        self, question: str, k: int, mode: Mode = "hybrid", where: str | None = None, returned: Returned = "passages"
    ) -> list[Hit]:
        """Return the best `k` results for a question, best first.

        Raises:
            InputError: the question is blank or not UTF-8, `k` is below 1, or `where` is not a valid condition.
            CorpusError: the chunks cannot be read.
        """
        return self.search_ranked([question], (k,), mode, where, returned).results[k][0]

    def search_ranked(
        self,
        questions: Sequence[str],
        cutoffs: Sequence[int],
        mode: Mode = "hybrid",
        where: str | None = None,
        returned: Returned = "passages",
        depth: int = 1,
        memory: VectorCache | None = None,
        show_all: bool = False,
    ) -> SearchResults:
        """Return for each k of `cutoffs` the best k results for each question, and the ranked chunks that they are made of.

        They are `depth` or more if there are; `depth` is SAMPLE at most. What `memory` has is not embedded again, and what is
        embedded is added to it. Of documents that say nearly the same, only the newest is searched, unless `show_all`.

        Raises:
            InputError: a question is blank or not UTF-8, a cutoff is below 1, or `where` is not a valid condition.
            CorpusError: the tables cannot be read, or the installed embedder is not that of the corpus.
        """
        if min(cutoffs) < 1:
            raise InputError(f"k is {min(cutoffs)}: ask for at least one result")
        for question in questions:
            check_question(question)
        condition = convert_to_chunk_condition(self.tables, where)
        ranker = self._ranker_of_all if show_all or not self.duplicates.members else self._ranker_of_distinct
        requests = {k: ranker.make_request(k, mode, returned, condition, depth) for k in cutoffs}
        # While the only question is embedded, other threads look up what needs no vector.
        alone = [(question, requests[max(cutoffs)]) for question in questions] if len(questions) == 1 and mode == "hybrid" else []
        begun = {one: self._begin_prefetch(ranker, *one) for one in alone}
        vectors = self._embed_questions(questions, mode, memory)

        def prefetch(question: str, request: SearchRequest) -> Prefetch:
            self.chunks.count_question()
            return (begun.get((question, request)) or self._begin_prefetch(ranker, question, request))()

        documents = DocumentTexts(self.tables, self._helpers)
        asked = list(zip(questions, vectors, strict=True))
        found = search_questions(ranker, asked, requests, returned, documents, prefetch)
        named = {k: [[self._name_others(hit) for hit in hits] for hits in results] for k, results in found.results.items()}
        return found._replace(results=named)

    @cached_property
    def duplicates(self) -> Duplicates:
        """The clusters of documents that say nearly the same."""
        return read_duplicates(self.tables)

    def _name_others(self, hit: Hit) -> Hit:
        others = self.duplicates.list_others(hit.document_id)
        return hit.model_copy(update={"also_in": others}) if others else hit

    @cached_property
    def _ranker_of_all(self) -> Ranker:
        return Ranker(self.chunks, self.embedding.is_calibrated, self._reranker)

    @cached_property
    def _ranker_of_distinct(self) -> Ranker:
        return Ranker(DistinctChunks(self.chunks, self._find_hidden), self.embedding.is_calibrated, self._reranker)

    def _read_hidden(self, where: str | None) -> frozenset[str]:
        """Return the documents for which another one is shown, of those that have chunks that meet a condition."""
        members = sorted(self.duplicates.members)
        return self.duplicates.find_hidden(list_documents_meeting(self.tables, members, where) if where else None)

    def _begin_prefetch(self, ranker: Ranker, question: str, request: SearchRequest) -> Callable[[], Prefetch]:
        """Begin to find out what is known of a question without its vector; return what waits for it.

        That raises:
            CorpusError: the tables cannot be read.
        """
        named = find_places_for_request(question, request)
        matches = self._helpers.submit(ranker.match_words, named, request)
        intent = self._helpers.submit(ranker.find_intent, named, request) if request.mode == "hybrid" else None
        return lambda: Prefetch(matches.result(), intent.result() if intent else None)

    def _embed_questions(self, questions: Sequence[str], mode: Mode, memory: VectorCache | None) -> Sequence[Vector | None]:
        if mode == "fts":
            return [None] * len(questions)
        return list(self.embedder.with_memory(VectorCache() if memory is None else memory).encode_queries(questions))


def open_searcher(corpus: Corpus, rerank: str | None = None, principal: Principal | None = None) -> Searcher:
    """Open what `principal` may read of the live generation. `rerank` is a cross-encoder, a directory or hub id.

    Raises:
        AccessError: the corpus says who may read it, and nobody asks; or somebody, and it does not say.
        CorpusError: nothing has been published yet, or the corpus has another format.
        DamageError: a file of it is gone or cut short.
        InputError: there is no such cross-encoder.
    """
    live = published.read_live_generation(corpus)
    check_generation(corpus, live)
    return Searcher(corpus, live, principal, None if rerank is None else Reranker(rerank))
