"""Ranker: the best chunks of a generation for a question, with what it takes to make results of them."""

from collections.abc import Callable, Container, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any, NamedTuple

from schemas.options.search import Mode
from tasks.search.io.candidates import Chunks, Found, Matched
from tasks.search.io.hybrid import Hybrid, Judged, Meant
from tasks.search.io.rerank import RERANKED, Reranker
from tasks.search.io.results import COLUMNS
from tasks.search.named_places import Named, named_places
from tasks.search.nearness import BASE_RANK, Near, base_of
from tasks.search.passages import Asked
from tasks.search.ranking import Place
from tasks.search.trimming import rarity_of, stems
from tasks.store.published import OpenTables

SAMPLE = BASE_RANK
"""How many chunks of each list show how rare a word is."""


class Wanted(NamedTuple):
    """The way to search, the condition in SQL, how many chunks each list has and how many are returned, trimmed or not."""

    mode: Mode
    where: str | None
    depth: int
    n: int
    trimmed: bool

    @property
    def sampled(self) -> bool:
        """Return whether it must be known how rare the question's words are."""
        return self.trimmed or self.mode == "hybrid"


class Known(NamedTuple):
    """What is known of a question without its vector: which chunks have its words, and what it means (None: not hybrid)."""

    matched: Matched
    meant: Meant | None


class Ranker:
    """The chunks of a generation, ranked for questions. Threads may share it."""

    def __init__(
        self, tables: OpenTables, chunks: Chunks, helpers: Executor, calibrated: bool, reranker: Reranker | None = None
    ) -> None:
        """`calibrated`: whether cosines tell how likely a question is answered. `reranker` puts the best chunks in order."""
        self._chunks, self._calibrated, self._reranker = chunks, calibrated, reranker
        self._hybrid = Hybrid(tables, chunks)
        self._columns = [name for name in COLUMNS if name in chunks.columns]
        self._helpers = helpers

    def knowing(self, question: str, wanted: Wanted) -> Callable[[], Known]:
        """Begin to find out what is known of a question without its vector; return what waits for it.

        That raises:
            CorpusError: the tables cannot be read.
        """
        named = named_places(question) if wanted.mode == "hybrid" else Named(frozenset(), frozenset(), question)
        n_held = SAMPLE if wanted.sampled else 0
        words = self._helpers.submit(self._chunks.matching, named.rest, wanted.depth, wanted.mode, wanted.where, n_held)
        meant = self._helpers.submit(self._hybrid.meant, named, wanted.where) if wanted.mode == "hybrid" else None
        return lambda: Known(words.result(), meant.result() if meant else None)

    def ask(self, question: str, vector: Any, known: Known, wanted: Wanted) -> Asked:
        """Return the best `wanted.n` chunks for a question, and what it takes to trim them; `vector` is None if only words count.

        Raises:
            CorpusError: the tables cannot be read.
        """
        found = self._chunks.find(vector, known.matched, wanted.depth, wanted.mode, wanted.where)
        words = known.meant.words if known.meant else stems(question)
        sample = self._sample(found, known.matched.held, words) if wanted.sampled else {}
        if known.meant:
            judged = self._hybrid.judged(known.meant, vector, found, sample, wanted.where)
        else:
            ranked = list((found.lexical if wanted.mode == "fts" else found.cosines).items())
            judged = Judged(ranked, _near(found), question, rarity_of(words, list(sample.values())))
        rows = self._rows(judged.ranked[: max(wanted.n, RERANKED) if self._reranker else wanted.n], judged.at_places)
        rows = self._reranker.reranked(question, rows) if self._reranker else rows
        near = Near(judged.cosines, base_of(found.nearest)) if found.cosines else None
        whole = known.meant is not None and bool(known.meant.named.parts)
        return Asked(judged.question, rows, judged.rarity, near, judged.answered if self._calibrated else None, whole)

    def _sample(self, found: Found, matched: Mapping[str, frozenset[str]], words: frozenset[str]) -> dict[str, frozenset[str]]:
        """Return the words of the question in the best chunks, by the numbers of their rows: they show how rare a word is.

        `matched` are those of the chunks with most words.
        """
        nearest = list(found.cosines)[: len(found.nearest)][:SAMPLE]
        names = list(dict.fromkeys([*nearest, *matched]))
        held = {**matched, **self._chunks.held([name for name in names if name not in matched], words)}
        return {name: held[name] for name in names}

    def _rows(self, ranked: Sequence[tuple[str, float]], at_places: Container[str]) -> list[dict[str, Any]]:
        """Return the rows of chunks, with their scores and whether they lie at the named places, in the order of `ranked`."""
        rows = self._chunks.read([name for name, _ in ranked], self._columns).to_pylist()
        return [{**row, "score": score, "at_place": name in at_places} for row, (name, score) in zip(rows, ranked, strict=True)]


def _near(found: Found) -> dict[Place, float]:
    return {found.places[name]: cosine for name, cosine in found.cosines.items()}
