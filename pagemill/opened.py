"""A published corpus: its tables, and search in it."""

import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

from schemas.errors import AccessError, CorpusError, InputError, UnknownDocument

if TYPE_CHECKING:
    import pyarrow as pa
    from lance import LanceDataset
    from lancedb.table import LanceTable

    from schemas.access import Principal
    from schemas.hits import Hit
    from schemas.options.search import By, Mode, Returned
    from schemas.served import DocumentPart
    from tasks.search.io.retrieve import Searcher
    from tasks.store.audit import AuditLog


Method = TypeVar("Method", bound=Callable[..., Any])


class Hits(tuple["Hit", ...]):
    """The results of a question, best first.

    `answered` is how likely one of them answers it, from 0 to 1: below 0.35 nothing seems to. It is None unless
    the mode is hybrid and the corpus has the packaged embedder.
    """

    answered: float | None = None

    def to_arrow(self) -> "pa.Table":
        """Return them as a table with the columns of `schemas.hits.HITS`, one row per result."""
        import pyarrow as pa

        from schemas.hits import HITS

        return pa.Table.from_pylist([hit.model_dump() for hit in self], schema=HITS)


def _explain_gone_generation(method: Method) -> Method:
    """Have a method that fails because its generation has gone say so."""

    @wraps(method)
    def call(self: "OpenCorpus", *args: Any, **named: Any) -> Any:
        try:
            return method(self, *args, **named)
        except (AccessError, InputError, UnknownDocument):
            raise
        except Exception as error:
            if live := self._find_successor():
                gone = f"generation {self.generation} of {self._searcher.corpus} was cleaned up or purged"
                raise CorpusError(f"{gone}, and generation {live} is live: open the corpus again") from error
            raise

    return cast(Method, call)


def _check_table_name(name: str) -> str:
    from schemas.tables.generations import VERSIONED

    if name not in VERSIONED:
        raise InputError(f"{name} is no table of a generation; there are {', '.join(VERSIONED)}")
    return name


class OpenCorpus:
    """The generation that was live when the corpus was opened. To see a newer generation, open the corpus again.

    It can be read while the corpus keeps the generation. The corpus keeps the last seven (see `publish.keep_generations`), and
    every generation that is younger than an hour. Once it is cleaned up, or a purge has rewritten it, whatever reads it raises
    CorpusError, which says to open the corpus again.
    """

    def __init__(self, searcher: "Searcher", audit: "AuditLog | None" = None) -> None:
        from tasks.store.audit import AuditLog

        self._searcher, self._audit = searcher, audit or AuditLog(searcher.corpus)

    def __repr__(self) -> str:
        return f"<generation {self.generation} of corpus {self._searcher.corpus}>"

    @property
    def generation(self) -> int:
        """The number of the generation, counted from 1."""
        return self._searcher.generation

    @_explain_gone_generation
    def open_for(self, as_: "Principal | None") -> "OpenCorpus":
        """Return the same generation as another principal may read it; the model is loaded once for all.

        Raises:
            AccessError: nobody asks, and the corpus says who may read it; or somebody does, and it does not say.
        """
        return OpenCorpus(self._searcher.open_for(as_), self._audit)

    @_explain_gone_generation
    def search(
        self,
        question: str,
        k: int = 5,
        mode: "Mode" = "hybrid",
        where: str | None = None,
        returned: "Returned" = "passages",
        budget: int | None = None,
        by: "By | None" = None,
        show_all: bool = False,
    ) -> Hits:
        """Return at most the best `k` results. `where` is a condition in SQL on columns of documents or chunks.

        With a `budget` of tokens, as many results as fit into it, whatever `k` is. With `by` page or document, the best
        `k` pages or documents, each by its best chunk. Of documents that say nearly the same, the newest alone is searched,
        unless `show_all`; its results name the others in `also_in`.

        Raises:
            InputError: the question is blank or too long, `k` or `budget` is below 1, or `where`, `mode` or `returned` is not
                valid.
            CorpusError: the corpus cannot be read, or its embedder is not the installed one.
        """
        from tasks.search.io.ask import answer_question

        with self._record("search", question, where) as told:
            found = answer_question(self._searcher, question, k, mode, where, returned, budget=budget, by=by, show_all=show_all)
            told += [hit.document_id for hit in found.hits]
        hits = Hits(found.hits)
        hits.answered = found.answered
        return hits

    @_explain_gone_generation
    def read(self, document: str, page: int | None = None, start: int = 0, length: int | None = None) -> "DocumentPart":
        """Return text of a document, named by its id or its path: of one `page`, counted from 1, or of all of them.

        At most `length` characters from the `start`-th on, counted from 0 in the page or in the text; None: all of them.

        Raises:
            UnknownDocument: the generation has no such document.
            InputError: several sources have the path, the document has no such page, or `start` or `length` is out of range.
            CorpusError: the tables cannot be read.
        """
        from tasks.search.io.documents import read_document_text

        most = sys.maxsize if length is None else length
        with self._record("read", document) as told:
            part = read_document_text(self._searcher.tables.reopen(), self._searcher.live, document, page, start, most)
            told.append(part.document_id)
        return part

    @_explain_gone_generation
    def documents(self, columns: Sequence[str] | None = None, where: str | None = None) -> "pa.Table":
        """Return the documents: `columns` of `schemas.tables.documents` (None: all). `where` is a condition in SQL.

        Raises:
            InputError: a column is unknown, or `where` is not valid.
            CorpusError: the table cannot be read.
        """
        return self._read("documents", columns, where)

    @_explain_gone_generation
    def duplicates(self) -> "pa.Table":
        """Return the documents that say nearly the same: `tasks.search.duplicates.CLUSTERED`, one row per document, by cluster.

        Raises:
            AccessError: there may be documents that the principal may not read.
            CorpusError: the table cannot be read.
        """
        with self._record("duplicates") as told:
            self._searcher.tables.check_whole("the list of duplicates")
            told += self._searcher.duplicates.members
        return self._searcher.duplicates.list_clusters()

    @_explain_gone_generation
    def findings(self) -> "pa.Table":
        """Return the places of personal data: `schemas.tables.findings.LISTED`, one row per place, by path; never a value.

        Raises:
            AccessError: there may be documents that the principal may not read.
            CorpusError: the table cannot be read.
        """
        from tasks.publish.io.findings import read_findings

        with self._record("findings"):
            self._searcher.tables.check_whole("the list of personal data")
            return read_findings(self._searcher.tables)

    @_explain_gone_generation
    def chunks(self, columns: Sequence[str] | None = None, where: str | None = None) -> "pa.Table":
        """Return the chunks: `columns` of `schemas.tables.chunks` (None: all, with vectors). `where` is a condition in SQL.

        Raises:
            InputError: a column is unknown, or `where` is not valid.
            CorpusError: the table cannot be read.
        """
        return self._read("chunks", columns, where)

    @_explain_gone_generation
    def dataset(self, name: str) -> "LanceDataset":
        """Return a table of the generation as a Lance dataset. That is an Arrow dataset too: DuckDB and Polars scan it in place.

        Raises:
            AccessError: there may be documents that the principal may not read.
            InputError: no table of a generation has the name.
            CorpusError: the table cannot be read.
        """
        with self._record("dataset"):
            self._searcher.tables.check_whole("a dataset")
        return self._searcher.tables.reopen().open_unrestricted(_check_table_name(name))

    @_explain_gone_generation
    def table(self, name: str) -> "LanceTable":
        """Return a table of the generation as a LanceDB table, checked out at its version: it can be searched, not written to.

        Raises:
            AccessError: there may be documents that the principal may not read.
            InputError: no table of a generation has the name.
            CorpusError: the table cannot be read.
        """
        from tasks.store import lance

        with self._record("table"):
            self._searcher.tables.check_whole("a table")
        return lance.open_table(self._searcher.corpus, name, self._searcher.live.versions[_check_table_name(name)])

    def embed(self, questions: Sequence[str]) -> list[list[float]]:
        """Return the vectors of questions, of length 1, by the model and prompts of the corpus; one for each, in their order.

        Raises:
            InputError: a question is blank or not UTF-8.
            CorpusError: the installed model is not the one of the corpus.
        """
        from tasks.search.io.retrieve import check_question

        for question in questions:
            check_question(question)
        return [vector.tolist() for vector in self._searcher.embedder.encode_queries(questions)]

    def generations(self) -> "pa.Table":
        """Return `schemas.tables.generations` up to this one, oldest first.

        Raises:
            AccessError: they count documents that the principal may not read.
        """
        self._searcher.tables.check_whole("the list of generations")
        import pyarrow as pa

        from schemas.tables.generations import ADDED_LATER, GENERATIONS
        from tasks.store import published

        rows = [{**ADDED_LATER, **row} for row in published.read_generation_rows(self._searcher.corpus)]
        return pa.Table.from_pylist([row for row in rows if row["generation"] <= self.generation], schema=GENERATIONS)

    @_explain_gone_generation
    def changes(
        self, since: int = 0, to: int | None = None, rows: bool = False, tables: Sequence[str] | None = None
    ) -> "dict[str, pa.RecordBatchReader]":
        """Return the rows that were removed, changed and added from generation `since` (0: nothing) to `to` (None: this one).

        By table (None: all), a reader of its batches, which are read from the disk as they are asked for, removals first. The
        columns are `_change`, `_generation`, the key and document_id; with `rows`, all columns of the table, null in removals.
        A removal with no key but document_id is of all rows of a document that was purged.

        Raises:
            AccessError: there may be documents that the principal may not read.
            InputError: `to` is older than `since`, or no table of a generation has the name.
            CorpusError: there is no such generation, or it was cleaned up; says which is the oldest that is kept.
        """
        from schemas.tables.generations import VERSIONED
        from tasks.deliver.io.changes import read_changes

        with self._record("changes"):
            self._searcher.tables.check_whole("the change feed")
        names = VERSIONED if tables is None else [_check_table_name(name) for name in tables]
        return read_changes(self._searcher.corpus, since, self.generation if to is None else to, rows, names).tables

    def _find_successor(self) -> int | None:
        """Return the number of the live generation if this one can no longer be read, else None."""
        from tasks.publish.io.tags import list_restorable_generations
        from tasks.store import published

        corpus, mine = self._searcher.corpus, self._searcher.live
        kept = {found.generation: found.versions for found in list_restorable_generations(corpus)}
        return None if kept.get(mine.generation) == mine.versions else published.read_live_generation(corpus).generation

    def _read(self, name: str, columns: Sequence[str] | None, where: str | None) -> "pa.Table":
        from tasks.search.io.filters import COLUMNS, read_rows_where
        from tasks.store.audit import is_audited

        known = [*COLUMNS[name], *self._searcher.live.columns]
        if unknown := [column for column in columns or () if column not in known]:
            raise InputError(f"{', '.join(unknown)}: no column of {name}; there are {', '.join(known)}")
        audited, wanted = is_audited(self._searcher.live), None if columns is None else [*columns]
        more = ["document_id"] if audited and wanted is not None and "document_id" not in wanted else []
        with self._record(name, condition=where) as told:
            rows = read_rows_where(self._searcher.tables.reopen(), name, None if wanted is None else wanted + more, where)
            if audited:
                told += rows["document_id"].unique().to_pylist()
        return rows.drop_columns(more)

    def _record(self, kind: str, question: str | None = None, condition: str | None = None) -> AbstractContextManager[list[str]]:
        """Have an answer written down, if the corpus wants that; see `AuditLog.record`."""
        return self._audit.record(self._searcher.live, self._searcher.tables.principal, kind, question, condition)
