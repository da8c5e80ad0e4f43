"""Retrieve: answer questions from the live generation only."""

import json
from collections.abc import Sequence
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
from tasks.search.io.candidates import Chunks, Found
from tasks.search.io.filters import on_chunks
from tasks.search.io.hybrid import Hybrid, Judged
from tasks.search.io.rerank import RERANKED, Reranker
from tasks.search.io.results import COLUMNS, Asked, DocumentTexts, as_returned
from tasks.search.nearness import BASE_RANK, Near, base_of
from tasks.search.ranking import Place
from tasks.store import published
from tasks.store.open_tables import OpenTables
from tasks.store.published import Generation

CANDIDATES = 200
"""How many chunks of each list take part in hybrid ranking, at least."""
CHUNKS_PER_RESULT = 3
"""How many chunks are considered per result, if results are passages or parents."""
QUERY_BATCH_TOKENS = 512
"""Batch size for questions: small batches of similar length need little padding."""
SAMPLE = BASE_RANK
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

    def __init__(self, corpus: Corpus, live: Generation, light: bool = False) -> None:
        """Open the chunks at the version of `live`. With `light`, torch stays out of this process if NumPy has the model."""
        self.corpus = corpus
        self._light = light
        self.live = live
        self.generation = live.generation
        self.recipe = live.recipe
        self._tables = OpenTables(corpus, live)
        self._chunks = Chunks(corpus, live, self._tables)
        self._hybrid = Hybrid(self._tables, self._chunks)
        self.reranker: Reranker | None = None

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
        return self._chunks.languages

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
        kept = on_chunks(self.corpus, self.live, where)
        embedder = None if mode == "fts" else self.embedder.remembering(Memory() if memory is None else memory)
        vectors: Sequence[Any] = list(embedder.encode_queries(questions)) if embedder else [None] * len(questions)
        documents, asked = DocumentTexts(self._tables), dict[int, list[Asked]]()
        found: dict[int, list[list[Hit]]] = {}
        for k in sorted(cutoffs, reverse=True):
            n = n_chunks(k, returned)
            list_depth = self._depth(n, mode)
            if list_depth not in asked:
                asked[list_depth] = [
                    self._ask(*pair, max(n, depth), mode, kept, returned == "passages")
                    for pair in zip(questions, vectors, strict=True)
                ]
            first = [one._replace(rows=one.rows[:n]) for one in asked[list_depth]]
            found[k] = as_returned(first, k, returned, documents)
        deepest = next(iter(asked.values()))
        return Ranked(found, [one.rows for one in deepest], [one.answered for one in deepest])

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
        return min(max(n, CANDIDATES if mode == "hybrid" else SAMPLE), max(self._chunks.n, 1))

    def _ask(self, question: str, vector: Any, n: int, mode: Mode, where: str | None, trimmed: bool) -> Asked:
        """Return the best `n` chunks for a question, and what it takes to have them `trimmed`, if they are to be."""
        found = self._chunks.find(question, vector, self._depth(n, mode), mode, where)
        sample = self._sample(found) if trimmed or mode == "hybrid" else {}
        if mode == "hybrid":
            judged = self._hybrid.judged(question, vector, found, sample, where)
        else:
            judged = Judged(list((found.lexical if mode == "fts" else found.cosines).items()), _near(found), question)
        rows = self._rows(judged.ranked[: max(n, RERANKED) if self.reranker else n])
        rows = self.reranker.reranked(question, rows) if self.reranker else rows
        near = Near(judged.cosines, base_of(found.nearest)) if found.cosines else None
        known = self._embedding["options"].get("model") == CALIBRATED
        return Asked(judged.question, rows, list(sample.values()), near, judged.answered if known else None)

    def _sample(self, found: Found) -> dict[str, str]:
        """Return texts of the best chunks, by the numbers of their rows: they show how rare a word is."""
        nearest = list(found.cosines)[: len(found.nearest)]
        names = list(dict.fromkeys([*nearest[:SAMPLE], *list(found.lexical)[:SAMPLE]]))
        return dict(zip(names, self._chunks.read(names, ["text"])["text"].to_pylist(), strict=True))

    def _rows(self, ranked: Sequence[tuple[str, float]]) -> list[dict[str, Any]]:
        """Return the rows of chunks, with their scores, in the order of `ranked`."""
        rows = self._chunks.read([name for name, _ in ranked], COLUMNS).to_pylist()
        return [{**row, "score": score} for row, (_, score) in zip(rows, ranked, strict=True)]


def _near(found: Found) -> dict[Place, float]:
    return {found.places[name]: cosine for name, cosine in found.cosines.items()}


def open_searcher(corpus: Corpus, rerank: str | None = None) -> Searcher:
    """Open the live generation of `corpus`. `rerank` is a cross-encoder, a directory or hub id, that orders the best chunks.

    Raises:
        CorpusError: nothing has been published yet, or the corpus has another format.
        InputError: there is no such cross-encoder.
    """
    searcher = Searcher(corpus, published.live(corpus))
    searcher.reranker = Reranker(rerank) if rerank is not None else None
    return searcher
