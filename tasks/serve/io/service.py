"""The service: what HTTP and MCP offer, as functions of the live generation."""

from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any

from schemas.access import Principal
from schemas.corpus import Corpus
from schemas.errors import CorpusError, NoPicture
from schemas.options.pii import PiiOptions
from schemas.options.sources import SourceOptions
from schemas.served import DocumentPart, Documents, Health, Passage, Passages, Results
from tasks.search.io.ask import answer_question
from tasks.search.io.documents import find_published_document, list_page_of_documents, read_document_text
from tasks.search.io.rerank import Reranker
from tasks.serve.io.live import LiveCorpus, OpenGeneration
from tasks.serve.io.pictures import DOCUMENT_COLUMNS, NO_OPTIONS, Picture, Pictures
from tasks.store.access import is_open_to_all
from tasks.store.published import Generation


class Service:
    """A corpus for many askers. Threads may share it. Each call sees one whole generation, the newest when it began or later."""

    def __init__(
        self,
        corpus: Corpus,
        folders: Mapping[str, str],
        mcp: bool = False,
        rerank: str | None = None,
        options: SourceOptions = NO_OPTIONS,
    ) -> None:
        """`folders` are those of the sources, by name, `options` what their URLs need besides.

        `mcp` is for `health` alone; `rerank` is a folder or hub id.

        Raises:
            InputError: a folder is none, or there is no such cross-encoder.
        """
        self.corpus, self._mcp = corpus, mcp
        self._live = LiveCorpus(corpus, None if rerank is None else Reranker(rerank))
        self._pictures = Pictures(folders, options)
        self._drawn_of = 0

    def close(self) -> None:
        """End what was started, and write down what was asked.

        Raises:
            PagemillError: that cannot be written.
        """
        self._pictures.close()
        self._live.audit.flush()

    def warm(self) -> None:
        """Load the embedder, so that the first question need not wait for it.

        Raises:
            CorpusError: nothing is published, or the installed embedder is not that of the corpus.
        """
        self._live.open_newest().embedding.provider.encode(["A question."])

    def search(
        self,
        principal: Principal | None,
        question: str,
        k: int,
        mode: str,
        where: str | None,
        returned: str,
        budget: int | None = None,
        by: str | None = None,
        show_all: bool = False,
    ) -> Results:
        """Return the results for a question.

        Raises:
            AccessError: as `OpenGeneration.open_searcher`, here as below.
            InputError, CorpusError: as `ask`.
        """

        def answer(opened: OpenGeneration) -> Results:
            with opened.record(principal, "search", question, where) as told:
                searcher = opened.open_searcher(principal)
                found = answer_question(searcher, question, k, mode, where, returned, opened.memory, budget, by, show_all)
                told += [hit.document_id for hit in found.hits]
            return Results(generation=opened.live.generation, answered=found.answered, results=found.hits)

        return self._live.call_on_live(answer)

    def passages(
        self,
        principal: Principal | None,
        question: str,
        k: int,
        where: str | None,
        budget: int | None = None,
        show_all: bool = False,
    ) -> Passages:
        """Return the passages that answer a question, with what a language model needs of each.

        Raises:
            InputError, CorpusError: as `ask`.
        """
        found = self.search(principal, question, k, "hybrid", where, "passages", budget, show_all=show_all)
        chosen = [Passage(**hit.model_dump(include=set(Passage.model_fields))) for hit in found.results]
        return Passages(generation=found.generation, answered=found.answered, passages=chosen)

    def documents(self, principal: Principal | None, where: str | None, offset: int, limit: int) -> Documents:
        """Return some of the documents that fit a condition.

        Raises:
            InputError: the condition is not valid.
            CorpusError: nothing is published, or the table cannot be read.
        """

        def list_in(opened: OpenGeneration) -> Documents:
            with opened.record(principal, "documents", condition=where) as told:
                n, rows = list_page_of_documents(opened.open_searcher(principal).tables, opened.live, where, offset, limit)
                told += [str(row["document_id"]) for row in rows]
            return Documents(generation=opened.live.generation, n_documents=n, documents=rows)

        return self._live.call_on_live(list_in)

    def document(self, principal: Principal | None, document: str, page: int | None, start: int, length: int) -> DocumentPart:
        """Return a part of a document's text.

        Raises:
            UnknownDocument, InputError, CorpusError: as `read_document_text`.
        """

        def read_in(opened: OpenGeneration) -> DocumentPart:
            with opened.record(principal, "read", document) as told:
                tables = opened.open_searcher(principal).tables
                part = read_document_text(tables, opened.live, document, page, start, length)
                told.append(part.document_id)
            return part

        return self._live.call_on_live(read_in)

    def find_picture(self, principal: Principal | None, document: str, page: int) -> Picture | None:
        """Return the picture of a page of a published document if it was drawn before, None if it must be drawn.

        Raises:
            UnknownDocument: the live generation has no such document.
            NoPicture: it was found before that the page has no picture.
            InputError, CorpusError: as `find_published_document`.
        """
        return self._pictures.find_drawn(self._find_document(principal, document, recorded=True), page)

    def draw_picture(self, principal: Principal | None, document: str, page: int) -> Picture:
        """Return the picture of a page of a published document.

        Raises:
            UnknownDocument: the live generation has no such document.
            NoPicture: the picture is not to be had.
            InputError, CorpusError: as `find_published_document`.
        """
        return self._pictures.draw(self._find_document(principal, document), page)

    def _find_document(self, principal: Principal | None, document: str, recorded: bool = False) -> dict[str, str]:
        """Return what pictures need of a document; if a newer generation has it, forget what was drawn of the older."""

        def find_in(opened: OpenGeneration) -> tuple[Generation, dict[str, str]]:
            with opened.record(principal, "picture", document) if recorded else nullcontext([]) as told:
                tables = opened.open_searcher(principal).tables
                row = find_published_document(tables, opened.live, document, DOCUMENT_COLUMNS)
                told.append(row["document_id"])
            return opened.live, row

        live, row = self._live.call_on_live(find_in)
        if "redact" in PiiOptions.model_validate(live.options.get("pii", {})).actions.values():
            raise NoPicture(
                f"{row['path']} has no page pictures: they are drawn from its file, and would show what pii.action redacts"
            )
        if live.generation != self._drawn_of:
            self._pictures.forget()
            self._drawn_of = live.generation
        return row

    def health(self) -> Health:
        """Return the state of the server; without a generation its status is waiting.

        Whoever asks gets it, so it counts nothing of a corpus that says who may read it.
        """
        name = self.corpus.folder.resolve().name
        try:
            live = self._live.open_newest().live
        except CorpusError:
            none: dict[str, Any] = {"generation": None, "published_at": None, "n_documents": 0, "n_chunks": 0}
            return Health(status="waiting", corpus=name, mcp=self._mcp, **none)
        open_to_all = is_open_to_all(live)
        counts = {count: live.counts.get(count, 0) if open_to_all else None for count in ("n_documents", "n_chunks")}
        facts: dict[str, Any] = {"generation": live.generation, "published_at": live.published_at}
        return Health(status="ok", corpus=name, mcp=self._mcp, **facts, **counts)
