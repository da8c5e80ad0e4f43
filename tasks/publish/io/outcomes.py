"""Outcomes: what the gate checks: all columns of new rows, but only ids, lengths and flags of published rows that stay."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tasks.publish.io.draft import CHECKS, Draft
from tasks.publish.verdict import Rejected
from tasks.refresh.run import Run
from tasks.store import published
from tasks.store.published import Generation

if TYPE_CHECKING:
    from pandas import DataFrame

LENGTHS = pa.schema(
    [
        ("chunk_id", pa.string()),
        ("document_id", pa.string()),
        ("n_tokens", pa.int32()),
        ("n_chars", pa.int64()),
        ("blank", pa.bool_()),
        ("norm", pa.float64()),
        ("new", pa.bool_()),
    ]
)
"""One row per chunk of the next generation, for the suites."""

MOST_REJECTS = 500
"""Most rejected documents that a verdict names. After publication, the corpus has all of them."""


def rejected_documents(draft: Draft) -> tuple[int, list[Rejected]]:
    """Return the number of documents that the draft rejects as a whole, and the first MOST_REJECTS of them."""
    rows = read_draft(draft, "rejects", ["page_number", *Rejected._fields])
    rows = rows.filter(pc.equal(rows["page_number"], 0)).select(Rejected._fields)
    return rows.num_rows, [Rejected(**row) for row in rows.slice(0, MOST_REJECTS).to_pylist()]


def read_draft(draft: Draft, table: str, columns: list[str]) -> pa.Table:
    """Return columns of the new rows of one table, memory-mapped."""
    with pa.memory_map(str(draft.file(table))) as source:
        return pa.ipc.open_file(source).read_all().select(columns)


def chunk_lengths(run: Run, draft: Draft, live: Generation | None) -> pa.Table:
    """Return LENGTHS of the draft's chunks and of published chunks that stay."""
    with pa.memory_map(str(draft.file("chunks"))) as source, pa.ipc.open_file(source) as reader:
        tables = [_lengths(reader.get_batch(index)) for index in range(reader.num_record_batches)]
    if live is not None:
        tables.append(_staying_lengths(run, draft, live))
    return pa.concat_tables([LENGTHS.empty_table(), *tables])


def expected_chunks(run: Run, draft: Draft, live: Generation | None) -> int:
    """Return the number of chunks of the next generation, as its documents count them."""
    content = pa.array(draft.scope("chunks"), pa.string())
    drafted = read_draft(draft, "documents", ["document_id", "n_chunks"])
    n = _total(drafted.filter(pc.is_in(drafted["document_id"], value_set=content)))
    if live is None:
        return n
    rows = published.read_columns(run.corpus, live, "documents", ["document_id", "n_chunks"])
    return n + _total(rows.filter(pc.invert(pc.is_in(rows["document_id"], value_set=content))))


def _total(rows: pa.Table) -> int:
    return int(pc.sum(rows["n_chunks"]).as_py() or 0)


def known_documents(run: Run, draft: Draft, live: Generation | None) -> list[str]:
    """Return the ids of all documents of the next generation."""
    drafted: list[str] = read_draft(draft, "documents", ["document_id"])["document_id"].to_pylist()
    if live is None:
        return drafted
    replaced = set(draft.scope("documents"))
    rows = published.read_columns(run.corpus, live, "documents", ["document_id"])["document_id"].to_pylist()
    return [*drafted, *(name for name in rows if name not in replaced)]


def _lengths(batch: pa.RecordBatch) -> pa.Table:
    vectors = batch["vector"]
    dimension = vectors.type.list_size
    norms = np.linalg.norm(vectors.flatten().to_numpy(zero_copy_only=False).reshape(-1, dimension), axis=1)
    n = batch.num_rows
    columns = [
        batch["chunk_id"],
        batch["document_id"],
        batch["n_tokens"],
        pc.utf8_length(batch["text"]),
        pc.equal(pc.utf8_length(pc.utf8_trim_whitespace(batch["text"])), 0),
        norms.astype("float64"),
        pa.repeat(True, n),
    ]
    return pa.table(dict(zip(LENGTHS.names, columns, strict=True))).cast(LENGTHS)


def _staying_lengths(run: Run, draft: Draft, live: Generation) -> pa.Table:
    columns = ["chunk_id", "document_id", "n_tokens", "start_char", "end_char"]
    rows = published.read_columns(run.corpus, live, "chunks", columns)
    stays = pc.invert(pc.is_in(rows["document_id"], value_set=pa.array(draft.scope("chunks"), pa.string())))
    rows = rows.filter(stays)
    n = rows.num_rows
    kept = [rows["chunk_id"], rows["document_id"], rows["n_tokens"], pc.subtract(rows["end_char"], rows["start_char"])]
    flags = [pa.repeat(False, n), pa.nulls(n, pa.float64()), pa.repeat(False, n)]
    return pa.table(dict(zip(LENGTHS.names, [*kept, *flags], strict=True))).cast(LENGTHS)


def document_outcomes(run: Run, draft: Draft, live: Generation | None) -> "DataFrame":
    """Return one row per document of the source, as it is in the draft, or as it is published and stays."""
    import pandas

    planned = read_draft(draft, "checks", CHECKS.names).to_pylist()
    rows = [
        _outcome(row["document_id"], row["path"], True, row["n_chunks"], row["outcome"] != "indexed", row["coverage"])
        for row in planned
    ]
    seen = {row["document_id"] for row in planned} | set(draft.scope("rejects"))
    rows += [row for row in _staying_documents(run, live) if row["document_id"] not in seen] if live else []
    columns = ["document_id", "path", "planned", "n_chunks", "n_rejects", "coverage"]
    return pandas.DataFrame(rows, columns=columns)


def _staying_documents(run: Run, live: Generation) -> Iterator[dict[str, Any]]:
    mine = f"source_name = '{run.options.plan.source_name}'"
    documents = published.read_columns(run.corpus, live, "documents", ["document_id", "path", "n_chunks"], mine)
    rejects = published.read_columns(run.corpus, live, "rejects", ["document_id", "path"], f"{mine} AND page_number = 0")
    refused = {row["document_id"]: row["path"] for row in rejects.to_pylist()}
    for row in documents.to_pylist():
        rejected = refused.pop(row["document_id"], None) is not None
        yield _outcome(row["document_id"], row["path"], False, row["n_chunks"], rejected, None)
    for name, path in refused.items():
        yield _outcome(name, path, False, 0, True, None)


def _outcome(document: str, path: str, planned: bool, n_chunks: int, rejected: bool, coverage: float | None) -> dict[str, Any]:
    return {
        "document_id": document,
        "path": path,
        "planned": planned,
        "n_chunks": n_chunks,
        "n_rejects": int(rejected),
        "coverage": coverage,
    }
