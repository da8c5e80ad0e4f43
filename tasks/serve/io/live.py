"""The live generation, open for as long as a server runs: what is published meanwhile is opened before the next answer."""

import threading
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from schemas.corpus import Corpus
from schemas.errors import InputError, UnknownDocument
from tasks.embed.vectors import VectorCache
from tasks.search.io.rerank import Reranker
from tasks.search.io.retrieve import Searcher
from tasks.store import published
from tasks.store.loading import import_lance
from tasks.store.published import check_generation

TRIES = 5
"""How often a question is asked of newer generations, each published while it was being answered."""

Result = TypeVar("Result")


class OpenGeneration(NamedTuple):
    """A generation that is open, and the vectors of the questions that were embedded for it."""

    searcher: Searcher
    memory: VectorCache


class LiveCorpus:
    """A corpus whose live generation is open. Threads may share it.

    A generation that is being read can go: a purge deletes every version that has the document. It publishes a new generation
    before, so whatever fails is done once more with the newest.
    """

    def __init__(self, corpus: Corpus, reranker: Reranker | None = None) -> None:
        """Open nothing yet. `reranker` puts the best chunks of each question in order."""
        self.corpus, self._reranker = corpus, reranker
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
            except (InputError, UnknownDocument):
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
        if last and last.searcher.live == live:
            return last
        check_generation(self.corpus, live)
        return OpenGeneration(Searcher(self.corpus, live, light=True, reranker=self._reranker), VectorCache())

    def _read_version(self) -> tuple[int, int] | None:
        """Return what changes when a generation is published: the table that names them, and its newest version."""
        path = self.corpus.table("generations")
        try:
            return path.stat().st_ino, int(import_lance().dataset(str(path)).version)
        except (OSError, ValueError):
            return None  # opening it says why
