"""The published documents that questions are about."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby
from typing import Any

from schemas.access import OWNER, Principal
from schemas.corpus import Corpus
from tasks.evaluate.gold import DocumentText
from tasks.evaluate.questions.builtin import TextElement
from tasks.evaluate.questions.generated import Document
from tasks.search.io.retrieve import Searcher
from tasks.store import conditions, published
from tasks.store.access import check_owner
from tasks.store.published import Generation


def read_documents(
    corpus: Corpus, live: Generation, columns: Sequence[str], paths: Iterable[str] | None = None
) -> dict[str, dict[str, Any]]:
    """Return rows of documents by path (None: all), without paths that occur in several sources: these are ambiguous."""
    where = None if paths is None else conditions.make_in_condition("path", sorted(set(paths)))
    rows = published.read_columns(corpus, live, "documents", ["path", *columns], where).to_pylist()
    times = Counter(row["path"] for row in rows)
    return {row["path"]: row for row in rows if times[row["path"]] == 1}


class PublishedDocuments:
    """The live generation of a corpus, as questions see it: all of it, so only for its owner."""

    def __init__(self, corpus: Corpus, principal: Principal | None) -> None:
        """Make sure that the owner asks.

        Raises:
            AccessError: the corpus says who may read it, and it is not its owner who asks.
            CorpusError: nothing has been published yet.
        """
        check_owner(corpus, principal)
        self.corpus = corpus
        self.live = published.read_live_generation(corpus)

    @cached_property
    def searcher(self) -> Searcher:
        """The searcher, whose embedder compares questions."""
        return Searcher(self.corpus, self.live, OWNER)

    def read_sources(self, paths: Iterable[str] | None = None) -> dict[str, DocumentText]:
        """Return the texts of documents by path (None: all); see `read_documents`."""
        rows = read_documents(self.corpus, self.live, ["text", "n_pages"], paths)
        return {path: DocumentText(row["text"], row["n_pages"]) for path, row in rows.items()}

    def list_paths(self) -> list[str]:
        """Return the paths that one document has."""
        return list(read_documents(self.corpus, self.live, []))

    def load_documents(self, paths: Iterable[str]) -> list[Document]:
        """Return the documents at these paths, by path."""
        columns, named = list(Document._fields), conditions.make_in_condition("path", sorted(paths))
        rows = published.read_columns(self.corpus, self.live, "documents", columns, named).to_pylist()
        return sorted((Document(**row) for row in rows), key=lambda document: document.path)

    def read_elements(self, documents: Sequence[Document]) -> Iterator[tuple[Document, list[TextElement]]]:
        """Yield each document with the elements of its text in reading order."""
        shown = " AND kind NOT IN ('furniture', 'hidden')"
        chosen = conditions.make_documents_condition(document.document_id for document in documents) + shown
        table = published.read_columns(self.corpus, self.live, "elements", ["document_id", *TextElement.__annotations__], chosen)
        rows = table.sort_by([("document_id", "ascending"), ("position", "ascending")]).to_pylist()
        elements = {name: list(group) for name, group in groupby(rows, key=lambda row: row["document_id"])}
        for document in documents:
            yield document, elements.get(document.document_id, [])
