"""Audit: who asked what kind of thing when, and which documents were told, as rows of the table `audit`.

No answer waits for the table: rows are gathered for GATHER_SECONDS, then appended together. A process that is killed loses those.
Once rows cannot be written nobody is answered until they are. A lock of its own keeps the table's writers apart, since a purge
deletes what an append has not finished.
"""

import logging
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime, timedelta
from threading import Lock, Timer
from typing import Any

import pyarrow as pa

from schemas.access import OWNER_NAME, Principal
from schemas.conform import make_table_from_rows
from schemas.corpus import Corpus
from schemas.errors import AccessError, PagemillError, UnknownDocument
from schemas.options.search import CONDITION_CHARS, QUESTION_CHARS
from schemas.options.sections import AccessOptions
from schemas.tables.audit import AUDIT
from tasks.store import indexes, lance, published
from tasks.store.conditions import make_any_condition, make_in_condition
from tasks.store.loading import import_lance
from tasks.store.locks import hold_lock
from tasks.store.published import Generation

logger = logging.getLogger(__name__)

GATHER_SECONDS = 1.0
LOCK_SECONDS = 60
"""So long a purge may hold the table."""
MOST_DOCUMENTS = 1000
"""Documents that a row names."""
MOST_FRAGMENTS = 64
"""So many appends, each a file, are joined."""
READING_AGE = timedelta(hours=1)
"""Older versions than this are deleted: nobody reads them any more."""

NAME = "audit"


def get_access_options(live: Generation) -> AccessOptions:
    """Return the options of access that a generation was published with."""
    return AccessOptions(**live.options.get("access", {}))


def is_audited(live: Generation) -> bool:
    """Return whether a generation wants to know who asks."""
    return live.options.get("access", {}).get("audit") is True


class AuditLog:
    """What is asked of a corpus, on its way to the table. Threads may share it."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus, self._days = corpus, 0
        self._lock, self._writing = Lock(), Lock()
        self._rows = list[dict[str, object]]()
        self._timer: Timer | None = None
        self._has_failed = False

    @contextmanager
    def record(
        self, live: Generation, asker: Principal | None, kind: str, question: str | None = None, condition: str | None = None
    ) -> Iterator[list[str]]:
        """Yield a list for the ids of documents that an answer tells; write down the answer, or that it was refused.

        Raises:
            PagemillError: what was asked before cannot be written.
        """
        told = list[str]()
        if not is_audited(live):
            yield told
            return
        if self._has_failed:
            self.flush()
        policy = get_access_options(live)
        row: dict[str, object] = {"asked_at": datetime.now(UTC), "kind": kind, **_describe_asker(asker)}
        # who asks for a document may name it by a megabyte
        asked = {"question": question and question[:QUESTION_CHARS], "condition": condition and condition[:CONDITION_CHARS]}
        row |= asked if policy.audit_questions else {}
        try:
            yield told
        except (AccessError, UnknownDocument) as error:
            self._add({**row, "documents": [], "n_documents": 0, "error": type(error).__name__}, policy.audit_days)
            raise
        named = [*dict.fromkeys(told)]
        self._add({**row, "documents": named[:MOST_DOCUMENTS], "n_documents": len(named)}, policy.audit_days)

    def _add(self, row: dict[str, object], days: int) -> None:
        with self._lock:
            self._rows.append(row)
            self._days = days
            if self._timer is None:
                self._timer = Timer(GATHER_SECONDS, self._flush_in_time)  # a process that ends waits for it
                self._timer.start()

    def _flush_in_time(self) -> None:
        try:
            self.flush()
        except PagemillError as error:
            logger.error("nobody is answered until what was asked can be written down: %s", error)

    def flush(self) -> None:
        """Append the rows that are gathered.

        Raises:
            ConflictError: a purge holds the table for long.
            CorpusError: the corpus cannot be written.
        """
        with self._writing:
            with self._lock:
                rows, self._rows = self._rows, []
                if self._timer:
                    self._timer.cancel()
                self._timer = None
            self._has_failed = True
            try:
                if rows:
                    append_rows(self._corpus, rows, self._days)
                self._has_failed = False
            finally:
                if self._has_failed:
                    with self._lock:
                        self._rows = rows + self._rows


@contextmanager
def record_at_once(
    corpus: Corpus,
    live: Generation,
    asker: Principal | None,
    kind: str,
    question: str | None = None,
    condition: str | None = None,
) -> Iterator[list[str]]:
    """Record the one answer of a short process, which waits for the table.

    Raises:
        ConflictError, CorpusError: as `AuditLog.flush`.
    """
    log = AuditLog(corpus)
    try:
        with log.record(live, asker, kind, question, condition) as told:
            yield told
    finally:
        log.flush()


def _describe_asker(asker: Principal | None) -> dict[str, object]:
    if asker is None or asker.is_owner:
        return {"asker": OWNER_NAME if asker else "", "groups": None}
    return {"asker": asker.name, "groups": sorted(asker.groups)}


def append_rows(corpus: Corpus, rows: list[dict[str, object]], days: int) -> None:
    """Append rows of AUDIT; now and then join files, and drop rows that are older than so many days.

    Raises:
        ConflictError, CorpusError: as `AuditLog.flush`.
    """
    with _hold_table(corpus), lance.explain_failed_writes(corpus):
        if not lance.does_table_exist(corpus, NAME):
            lance.ensure_table(corpus, NAME, AUDIT)
        made = import_lance().write_dataset(make_table_from_rows(rows, AUDIT), str(corpus.table(NAME)), mode="append")
        if len(made.get_fragments()) >= MOST_FRAGMENTS:
            _tidy_table(corpus, days)


def tidy_audit_log(corpus: Corpus, days: int) -> None:
    """Drop rows that are older than so many days, and join small files.

    Raises:
        ConflictError, CorpusError: as `AuditLog.flush`.
    """
    if lance.does_table_exist(corpus, NAME):
        with _hold_table(corpus), lance.explain_failed_writes(corpus):
            _tidy_table(corpus, days)


def _tidy_table(corpus: Corpus, days: int) -> None:
    table = lance.open_table(corpus, NAME)
    too_old = f"asked_at < {_write_time(datetime.now(UTC) - timedelta(days=days))}"
    if table.count_rows(too_old):
        table.delete(too_old)
        indexes.rewrite_without_deleted_rows(table)
    indexes.maintain_indexes(table)
    lance.delete_old_versions(corpus, NAME, READING_AGE)


def _hold_table(corpus: Corpus) -> AbstractContextManager[None]:
    return hold_lock(corpus.lock(NAME), LOCK_SECONDS, f"writing down who asks {corpus}")


def _write_time(at: datetime) -> str:
    return f"timestamp '{at.astimezone(UTC):%Y-%m-%d %H:%M:%S.%f}+00:00'"


def read_audit_log(corpus: Corpus, since: datetime | None = None, document: str | None = None) -> list[dict[str, Any]]:
    """Return the rows of AUDIT that are kept, oldest first; documents that are published are named by their paths.

    Of rows from `since` on, or that tell a `document`, which is published, named by its path or its id.

    Raises:
        UnknownDocument: there is no such document.
        CorpusError: nothing is published, or the table cannot be read.
    """
    live = published.read_live_generation(corpus)
    oldest = datetime.now(UTC) - timedelta(days=get_access_options(live).audit_days)
    where = f"asked_at >= {_write_time(max(since or oldest, oldest))}"
    if document is not None:
        named = f"{make_in_condition('path', [document])} OR {make_in_condition('document_id', [document])}"
        ids = published.read_columns(corpus, live, "documents", ["document_id"], named)["document_id"].to_pylist()
        if not ids:
            raise UnknownDocument(f"{corpus} has no document {document}: see `pagemill documents`")
        where += f" AND {make_any_condition('documents', ids)}"
    if not lance.does_table_exist(corpus, NAME):
        return []
    rows = published.read_log(corpus, NAME, None, where).sort_by("asked_at").to_pylist()
    told = sorted({name for row in rows for name in row["documents"]})
    known = published.read_rows_of(corpus, live, "documents", ["document_id", "path"], told).to_pylist()
    paths = {row["document_id"]: row["path"] for row in known}
    return [{**row, "documents": [paths.get(name, name) for name in row["documents"]]} for row in rows]


def count_rows_naming(corpus: Corpus, documents: Collection[str], path: str) -> int:
    """Return how many rows tell of documents, or name what is at or below `path` in a question."""
    if not lance.does_table_exist(corpus, NAME):
        return 0
    batches = import_lance().dataset(str(corpus.table(NAME))).to_batches()
    return sum(row != leave_out_documents(row, documents, path) for batch in batches for row in batch.to_pylist())


def forget_documents(corpus: Corpus, documents: Collection[str], path: str) -> None:
    """Write the table anew without the ids of documents and the questions that name them or found them. Older versions go.

    Raises:
        ConflictError, CorpusError: as `AuditLog.flush`.
    """
    if not lance.does_table_exist(corpus, NAME):
        return
    with _hold_table(corpus), lance.explain_failed_writes(corpus):
        uri = str(corpus.table(NAME))
        batches = import_lance().dataset(uri).to_batches()
        kept = (
            pa.RecordBatch.from_pylist([leave_out_documents(row, documents, path) for row in batch.to_pylist()], AUDIT)
            for batch in batches
        )
        import_lance().write_dataset(pa.RecordBatchReader.from_batches(AUDIT, kept), uri, mode="overwrite")
        lance.delete_old_versions(corpus, NAME, timedelta(0), unfinished=True)


def leave_out_documents(row: dict[str, Any], documents: Collection[str], path: str) -> dict[str, Any]:
    """Return a row of AUDIT without some documents. What was asked goes if one was told, or if it names one or their path."""
    kept = [name for name in row["documents"] if name not in documents]
    asked = f"{row['question']}\0{row['condition']}"
    if len(kept) == len(row["documents"]) and path not in asked and not any(name in asked for name in documents):
        return row
    return {**row, "documents": kept, "question": None, "condition": None}
