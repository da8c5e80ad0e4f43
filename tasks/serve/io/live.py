"""The live generation, open for as long as a server runs: what is published meanwhile is opened before the next answer."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TypeVar

from schemas.access import Principal
from schemas.corpus import Corpus
from schemas.errors import AccessError, InputError, UnknownDocument
from tasks.embed.vectors import VectorCache
from tasks.search.io.rerank import Reranker
from tasks.search.io.retrieve import CorpusEmbedder, Searcher
from tasks.store import published
from tasks.store.audit import AuditLog
from tasks.store.loading import import_lance
from tasks.store.published import Generation, check_generation

TRIES = 5
"""How often a question is asked of newer generations, each published while it was being answered."""

MOST_PRINCIPALS = 16
"""Searchers that are kept open: each has the names of the documents that its principal may read."""

Result = TypeVar("Result")


class OpenGeneration:
    """A generation that is open, with a searcher for each of the last principals, and the vectors of their questions."""

    def __init__(self, corpus: Corpus, live: Generation, reranker: Reranker | None, audit: AuditLog) -> None:
        """Open nothing yet."""
        self.live, self.memory, self._audit = live, VectorCache(), audit
        self.embedding = CorpusEmbedder(corpus, live, light=True)
        self._corpus, self._reranker = corpus, reranker
        self._lock = threading.Lock()
        self._searchers: OrderedDict[Principal | None, Searcher] = OrderedDict()

    def record(
        self, principal: Principal | None, kind: str, question: str | None = None, condition: str | None = None
    ) -> AbstractContextManager[list[str]]:
        """Have an answer written down, if that is wanted; see `AuditLog.record`."""
        return self._audit.record(self.live, principal, kind, question, condition)

    def open_searcher(self, principal: Principal | None) -> Searcher:
        """Return what a principal may read, open for questions.

        Raises:
            AccessError: the corpus says who may read it, and nobody asks; or somebody, and it does not say.
            CorpusError: the corpus cannot be read.
        """
        with self._lock:
            found = self._searchers.get(principal)
            if found is None:
                other = next(iter(self._searchers.values()), None)
                found = (
                    other.open_for(principal)
                    if other
                    else Searcher(self._corpus, self.live, principal, self._reranker, self.embedding)
                )
                self._searchers[principal] = found
            self._searchers.move_to_end(principal)
            if len(self._searchers) > MOST_PRINCIPALS:
                self._searchers.popitem(last=False)
            return found


class LiveCorpus:
    """A corpus whose live generation is open. Threads may share it.

    A generation that is being read can go: a purge deletes every version that has the document. It publishes a new generation
    before, so whatever fails is done once more with the newest.
    """

    def __init__(self, corpus: Corpus, reranker: Reranker | None = None) -> None:
        """Open nothing yet. `reranker` puts the best chunks of each question in order."""
        self.corpus, self._reranker = corpus, reranker
        self.audit = AuditLog(corpus)
        self._lock = threading.Lock()
        self._opened: OpenGeneration | None = None
        self._published: tuple[int, int] | None = None

    def call_on_live(self, function: Callable[[OpenGeneration], Result]) -> Result:
        """Return what `function` returns for the live generation.

        Raises:
            CorpusError: nothing is published, or the corpus cannot be read.
        """
        opened = self.open_newest()
        for _ in range(TRIES):
            try:
                return function(opened)
            except (AccessError, InputError, UnknownDocument):
                raise
            except Exception:
                newer = self.open_newest(anew=True)
                if newer is opened:
                    raise
                opened = newer
        return function(opened)

    def open_newest(self, anew: bool = False) -> OpenGeneration:
        """Return the live generation. It is opened if another one was published since the last call, or if it must be `anew`.

        Raises:
            CorpusError: nothing is published, or the corpus has another format.
        """
        with self._lock:
            version = self._read_version()
            if self._opened is None or anew or version != self._published:
                self._opened = self._open_generation(self._opened)
                self._published = version
            return self._opened

    def _open_generation(self, last: OpenGeneration | None) -> OpenGeneration:
        live = published.read_live_generation(self.corpus)
        if last and last.live == live:
            return last
        check_generation(self.corpus, live)
        return OpenGeneration(self.corpus, live, self._reranker, self.audit)

    def _read_version(self) -> tuple[int, int] | None:
        """Return what changes when a generation is published: the table that names them, and its newest version."""
        path = self.corpus.table("generations")
        try:
            return path.stat().st_ino, int(import_lance().dataset(str(path)).version)
        except (OSError, ValueError):
            return None  # opening it says why
