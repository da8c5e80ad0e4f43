"""Draft: add ids, paths and metadata to the staged rows of the planned documents, and write them to files for the merge."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
from pydantic import TypeAdapter

from schemas.access import GROUPS
from schemas.errors import DocumentError
from schemas.ids import normal_path
from schemas.references import Frozen, StepDone, make_content_name
from schemas.staged import STEPS
from schemas.tables.chunks import make_chunks_schema
from schemas.tables.documents import STALE, make_documents_schema
from schemas.tables.elements import ELEMENTS
from schemas.tables.figures import FIGURES
from schemas.tables.rejects import REJECTS, Reject
from tasks.publish import drafting
from tasks.publish.drafting import Group, StagedTables, measure_chunk_coverage
from tasks.publish.heads import DocumentHead, DocumentPlace, read_document_head
from tasks.publish.io.duplicates import mark_duplicates, read_restored_generation
from tasks.refresh.io.plan import format_limits
from tasks.refresh.io.stage import find_final_reject, find_staged_row, load_failures, read_staged_row
from tasks.refresh.planning import Change, Plan, Rights, find_changed_rights
from tasks.refresh.run import Run
from tasks.store import files, published
from tasks.store.files import find_local_path
from tasks.store.packs import StagedRow
from tasks.workers import memory

CHECKS = pa.schema(
    [
        ("document_id", pa.string()),
        ("path", pa.string()),
        ("outcome", pa.string()),
        ("n_chunks", pa.int64()),
        ("n_rejects", pa.int64()),
        ("coverage", pa.float64()),
    ]
)
"""One row per planned document: what became of it. Only the gate reads it; it is not a table of the corpus."""

RIGHTS = TypeAdapter(list[Rights])

UNCOUNTED_ERRORS = ("ServiceError", "ChangedError")
"""Errors that do not come from the document. Every refresh tries again, so these attempts are not counted."""

BUFFER_BYTES = 16 * 2**20

BUFFER_TABLES = 1_000

GROUP_BYTES, GROUP_DOCUMENTS = 4 * 2**20, 256
"""Small documents are drafted together, up to that many, and to that many bytes of staged rows."""


class Draft(Frozen):
    """The files of a draft, and its numbers of documents and rows."""

    folder: str
    documents: dict[str, int]
    rows: dict[str, int]

    def file(self, table: str) -> Path:
        """Return the Arrow file with the new rows of one table."""
        return Path(self.folder) / f"{table}.arrow"

    def scope(self, table: str) -> list[str]:
        """Return the ids of documents whose rows in `table` the draft replaces."""
        scopes: dict[str, list[str]] = json.loads((Path(self.folder) / "scopes.json").read_text())
        return scopes["all" if table == "rejects" else "documents" if table == "documents" else "content"]

    def rights(self) -> list[Rights]:
        """Return who may read documents from now on whose rows the draft does not make anew."""
        return RIGHTS.validate_json((Path(self.folder) / "rights.json").read_bytes())


def make_draft(run: Run, plan: Plan, steps: Sequence[StepDone]) -> Draft:
    """Write the draft of `plan` from the results of `steps`. The tables of the corpus are not changed."""
    with DraftWriter(run, frozenset(name for done in steps for name in done.refused)) as writer:
        for change in sorted(plan.changes, key=partial(_find_staged_place, run)):
            writer.add(change)
        if writer.stale:
            for rows in read_stale_rows(run, writer.stale):
                writer.write("documents", rows)
        rights = [*plan.rights, *writer.rights]
    files.write_atomically(find_local_path(run.folder) / "rights.json", RIGHTS.dump_json(rights))
    removed = [name for name, _ in plan.removed]
    content = [*writer.content, *writer.rejected, *removed]
    replaced = [*content, *writer.stale]
    counts = {**plan.counts(), **writer.outcomes, "rejected": plan.rejected + writer.outcomes["rejected"]}
    folder = find_local_path(run.folder)
    marked = mark_duplicates(run.corpus, folder / "documents.arrow", replaced, run.options.publish.least_similarity)
    scopes = {"content": content, "documents": [*replaced, *marked], "all": replaced}
    files.write_atomically(folder / "scopes.json", json.dumps(scopes).encode())
    return Draft(folder=str(folder), documents=counts, rows=dict(writer.rows + Counter(documents=len(marked))))


def _find_staged_place(run: Run, change: Change) -> StagedRow:
    """Return where the document is staged: those of one pack follow each other, so that each is mapped into memory once."""
    return find_staged_row(run, "parse", make_content_name(change.file.media_type, change.file.sha256)) or StagedRow("", 0)


def read_stale_rows(run: Run, documents: list[str]) -> Iterator[pa.Table]:
    """Yield the published rows of changed documents that were rejected, with the state stale."""
    live = read_restored_generation(run.corpus)
    schema = draft_schemas(run)["documents"]
    if live is None:
        return
    rows = published.read_rows_of(run.corpus, live, "documents", schema.names, documents)
    states: Any = pa.repeat(STALE, rows.num_rows)
    yield rows.set_column(schema.get_field_index("state"), schema.field("state"), states).cast(schema)


class PendingDocument(NamedTuple):
    """A document whose rows are made with the next group."""

    change: Change
    place: DocumentPlace
    head: DocumentHead
    staged: StagedTables


def draft_schemas(run: Run) -> dict[str, pa.Schema]:
    """Return the schema of each table with versions, in the order of their merges, and the schema of the checks."""
    columns: dict[str, str] = {**run.options.columns}
    return {
        "documents": make_documents_schema(columns),
        "elements": ELEMENTS,
        "figures": FIGURES,
        "chunks": make_chunks_schema(run.recipes.dimension, columns),
        "rejects": REJECTS,
        "checks": CHECKS,
    }


class DraftWriter:
    """Writes the rows of documents to the draft's files, with one large document or a group of small ones in memory at a time."""

    def __init__(self, run: Run, refused: frozenset[str]) -> None:
        """`refused` are the names of contents that a staged row rejects."""
        self.run = run
        self.refused = refused
        self.failures = load_failures(run)
        self.schemas = draft_schemas(run)
        self.outcomes: Counter[str] = Counter()
        self.rows: Counter[str] = Counter()
        self.content: list[str] = []
        self.stale: list[str] = []
        self.rejected: list[str] = []
        self.rights: list[Rights] = []
        self._buffers: dict[str, list[pa.Table]] = {name: [] for name in self.schemas}
        self._buffered: Counter[str] = Counter()
        self._group: list[PendingDocument] = []
        self._group_bytes = 0
        self._checks: list[tuple[str, str, str, int, int, float | None]] = []
        self._stack = ExitStack()

    def __enter__(self) -> "DraftWriter":
        self.sinks = {name: self._open_sink(name, schema) for name, schema in self.schemas.items()}
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if kind is None:
            self._write_pending_documents()
        self._write_checks()
        for name in self.schemas:
            self._flush_table(name)
        self._stack.close()

    def _open_sink(self, name: str, schema: pa.Schema) -> pa.ipc.RecordBatchFileWriter:
        path = find_local_path(self.run.folder) / f"{name}.arrow"
        path.parent.mkdir(parents=True, exist_ok=True)
        sink = self._stack.enter_context(pa.OSFile(str(path), "wb"))
        return self._stack.enter_context(pa.ipc.new_file(sink, schema))

    def write(self, name: str, table: pa.Table) -> None:
        """Append rows to the file of one table. Small parts are collected first, so that the file has few batches."""
        if not table.num_rows:
            return
        self._buffers[name].append(table)
        self.rows[name] += table.num_rows
        self._buffered[name] += table.nbytes
        if self._buffered[name] > BUFFER_BYTES or len(self._buffers[name]) >= BUFFER_TABLES:
            self._flush_table(name)

    def _flush_table(self, name: str) -> None:
        if self._buffers[name]:
            self.sinks[name].write_table(pa.concat_tables(self._buffers[name]).combine_chunks())
            self._buffers[name].clear()
            self._buffered[name] = 0
            memory.release_freed_memory()

    def add(self, change: Change) -> None:
        """Write the rows of one document, or the reason why it has none."""
        reject = self._find_rejection_reason(change)
        try:
            if reject is None:
                self._add_document_rows(change)
                return
        except DocumentError as error:
            reject = Reject(step="draft", error="DocumentError", message=str(error), remedy="correct the metadata", final=False)
        self._add_reject(change, reject)

    def _find_rejection_reason(self, change: Change) -> Reject | None:
        """Return why a document has no rows: its file is refused, or a step failed on it, or a step rejects it."""
        file = change.file
        if file.refused:
            return Reject(
                step="plan",
                error="InputError",
                message=file.refused,
                remedy=file.remedy or "rename or replace the file, fix its permissions, or exclude it",
                final=True,
            )
        if (file.sha256, file.media_type) in self.failures:
            return self.failures[file.sha256, file.media_type]
        name = make_content_name(file.media_type, file.sha256)
        return find_final_reject(self.run, name) if name in self.refused else None

    def _add_document_rows(self, change: Change) -> None:
        run, file = self.run, change.file
        name = run.options.plan.source_name
        place = DocumentPlace(change.document_id, name, file, run.recipes.whole, run.run_id, dict(run.options.columns))
        staged = read_staged_tables(run, make_content_name(file.media_type, file.sha256))
        head = read_document_head(place, staged.parsed["properties"][0].as_py())
        self._group.append(PendingDocument(change, place, head, staged))
        self._group_bytes += sum(table.nbytes for table in staged)
        if self._group_bytes > GROUP_BYTES or len(self._group) >= GROUP_DOCUMENTS:
            self._write_pending_documents()

    def _write_pending_documents(self) -> None:
        """Write the rows of the documents that wait."""
        if not self._group:
            return
        waiting, self._group, self._group_bytes = self._group, [], 0
        changes, places, heads, staged = zip(*waiting, strict=True)
        group = Group(places, heads, StagedTables(*map(pa.concat_tables, zip(*staged, strict=True))))
        makers = {
            "documents": drafting.make_documents,
            "elements": drafting.make_elements,
            "figures": drafting.make_figures,
            "chunks": drafting.make_chunks,
        }
        made = {table: make(group, self.schemas[table]) for table, make in makers.items()}
        for table, rows in made.items():
            self.write(table, rows)
        n_chunks = Counter(made["chunks"]["document_id"].to_pylist())
        for change, tables, covered in zip(changes, staged, measure_chunk_coverage(group), strict=True):
            rejects = [Reject(**reason) for table in tables for reason in table["rejects"][0].as_py()]
            self._write_rejects(change, rejects, attempts=1)
            self._add_check(change, "indexed", n_chunks[change.document_id], len(rejects), covered)
            self.content.append(change.document_id)

    def _add_reject(self, change: Change, reject: Reject) -> None:
        known = change.published
        keep = bool(known and known.sha256) and self.run.options.plan.on_reject == "keep"
        (self.stale if keep else self.rejected).append(change.document_id)
        if keep and known:
            unknown = reject.step == "draft" and GROUPS in self.run.options.columns
            granted = find_changed_rights(change.file, known, unknown)
            self.rights += [granted] if granted else []
        counts = known and known.rejected_sha256 == change.file.sha256 and reject.error not in UNCOUNTED_ERRORS
        self._write_rejects(change, [reject], attempts=1 + (known.attempts if known and counts else 0))
        self._add_check(change, "stale" if keep else "rejected", 0, 1, None)

    def _write_rejects(self, change: Change, rejects: list[Reject], attempts: int) -> None:
        unique = {(reject.step, reject.page_number): reject for reject in rejects}
        rows = [
            {
                **reject.model_dump(),
                "document_id": change.document_id,
                "source_name": self.run.options.plan.source_name,
                "path": normal_path(change.file.path),
                "sha256": change.file.sha256,
                "recipe": self.run.recipes.whole,
                "attempts": attempts,
                "limits": format_limits(self.run.options),
                "run_id": self.run.run_id,
            }
            for reject in unique.values()
        ]
        if rows:
            self.write("rejects", pa.Table.from_pylist(rows, schema=REJECTS))

    def _add_check(self, change: Change, outcome: str, n_chunks: int, n_rejects: int, coverage: float | None) -> None:
        self.outcomes[outcome] += 1
        self._checks.append((change.document_id, change.file.path, outcome, n_chunks, n_rejects, coverage))
        if len(self._checks) >= BUFFER_TABLES:
            self._write_checks()

    def _write_checks(self) -> None:
        columns = list(zip(*self._checks, strict=True)) or [()] * len(CHECKS)
        self.write(
            "checks", pa.Table.from_arrays([pa.array(*pair) for pair in zip(columns, CHECKS.types, strict=True)], schema=CHECKS)
        )
        self._checks.clear()


def read_staged_tables(run: Run, name: str) -> StagedTables:
    """Return the staged rows of the content `name`, mapped into memory."""
    return StagedTables(*(read_staged_row(run, step, name) for step in STEPS))
