"""Sources: the published documents that questions are about."""

from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from schemas.corpus import Corpus
from tasks.evaluate.gold import Source
from tasks.search.io.retrieve import Searcher
from tasks.store import conditions, published


class Published:
    """The live generation of a corpus, as questions see it."""

    def __init__(self, corpus: Corpus) -> None:
        """Raises CorpusError: nothing has been published yet."""
        self.corpus = corpus
        self.live = published.live(corpus)

    @cached_property
    def searcher(self) -> Searcher:
        """The searcher, whose embedder compares questions."""
        return Searcher(self.corpus, self.live)

    def sources(self, paths: Iterable[str] | None = None) -> dict[str, Source]:
        """Return documents by path (None: all), without paths that occur in several sources: these are ambiguous."""
        where = None if paths is None else conditions.one_of("path", sorted(set(paths)))
        rows = published.read_columns(self.corpus, self.live, "documents", ["path", "text", "n_pages"], where).to_pylist()
        times = Counter(row["path"] for row in rows)
        return {row["path"]: Source(row["text"], row["n_pages"]) for row in rows if times[row["path"]] == 1}
