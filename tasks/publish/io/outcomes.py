"""Outcomes: what the gate checks of a draft: all columns of its rows, and what becomes of each document of the source."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from schemas.media_types import FORMATS
from tasks.publish.io.draft import Draft
from tasks.publish.io.draft_writer import CHECKS
from tasks.publish.verdict import Rejected
from tasks.refresh.run import Run
from tasks.store import published
from tasks.store.published import Generation

MEASURES = pa.schema(
    [
        ("chunk_id", pa.string()),
        ("document_id", pa.string()),
        ("n_tokens", pa.int64()),
        ("n_chars", pa.int64()),
        ("blank", pa.bool_()),
        ("norm", pa.float64()),
        ("new", pa.bool_()),
    ]
)
"""One row per new chunk, for the suites."""

OUTCOMES = pa.schema(
    [
        ("document_id", pa.string()),
        ("path", pa.string()),
        ("planned", pa.bool_()),
        ("n_chunks", pa.int64()),
        ("n_rejects", pa.int64()),
        ("coverage", pa.float64()),
    ]
)
"""One row per document of the source, as it is in the draft, or as it is published and stays."""

MOST_REJECTS = 500
"""Most rejected documents that a verdict names. After publication, the corpus has all of them."""


def list_rejected(draft: Draft) -> tuple[int, list[Rejected]]:
    """Return the number of documents that the draft rejects as a whole, and the first MOST_REJECTS of them, by path."""
    rows = read_draft(draft, "rejects", ["page_number", *Rejected._fields])
    rows = rows.filter(pc.equal(rows["page_number"], 0)).select(Rejected._fields).sort_by("path")
    return rows.num_rows, [Rejected(**row) for row in rows.slice(0, MOST_REJECTS).to_pylist()]


def count_by_format(draft: Draft) -> dict[str, dict[str, int]]:
    """Return the documents, pages and chunks of the draft's new rows, by the name of the document's format."""
    rows = read_draft(draft, "documents", ["media_type", "n_pages", "n_chunks"])
    counted = rows.group_by("media_type").aggregate([("n_pages", "count"), ("n_pages", "sum"), ("n_chunks", "sum")])
    names = {media_type: known.name for media_type, known in FORMATS.items()}
    return {
        names[row["media_type"]]: {"documents": row["n_pages_count"], "pages": row["n_pages_sum"], "chunks": row["n_chunks_sum"]}
        for row in sorted(counted.to_pylist(), key=lambda row: -row["n_pages_sum"])
    }


def read_draft(draft: Draft, table: str, columns: list[str]) -> pa.Table:
    """Return columns of the new rows of one table, memory-mapped."""
    with pa.memory_map(str(draft.file(table))) as source:
        return pa.ipc.open_file(source).read_all().select(columns)


def measure_new_chunks(draft: Draft) -> pa.Table:
    """Return MEASURES of the draft's chunks; their texts and vectors are read in parts."""
    with pa.memory_map(str(draft.file("chunks"))) as source, pa.ipc.open_file(source) as reader:
        parts = [_measure_batch(reader.get_batch(index)) for index in range(reader.num_record_batches)]
    return pa.concat_tables([MEASURES.empty_table(), *parts])


def _measure_batch(batch: pa.RecordBatch) -> pa.Table:
    vectors = batch["vector"]
    dimension = vectors.type.list_size
    norms = np.linalg.norm(vectors.flatten().to_numpy(zero_copy_only=False).reshape(-1, dimension), axis=1)
    columns = [
        batch["chunk_id"],
        batch["document_id"],
        batch["n_tokens"],
        pc.utf8_length(batch["text"]),
        pc.equal(pc.utf8_length(pc.utf8_trim_whitespace(batch["text"])), 0),
        norms.astype("float64"),
        pa.repeat(True, batch.num_rows),
    ]
    return pa.table(dict(zip(MEASURES.names, columns, strict=True))).cast(MEASURES)


def count_expected_chunks(run: Run, draft: Draft, live: Generation | None) -> int:
    """Return the number of chunks of the next generation, as its documents count them."""
    content = pa.array(draft.scope("chunks"), pa.string())
    drafted = read_draft(draft, "documents", ["document_id", "n_chunks"])
    n = _sum_chunks(drafted.filter(pc.is_in(drafted["document_id"], value_set=content)))
    if live is None:
        return n
    rows = published.read_columns(run.corpus, live, "documents", ["document_id", "n_chunks"])
    return n + _sum_chunks(rows.filter(pc.invert(pc.is_in(rows["document_id"], value_set=content))))


def _sum_chunks(rows: pa.Table) -> int:
    return int(pc.sum(rows["n_chunks"]).as_py() or 0)


def list_document_ids(run: Run, draft: Draft, live: Generation | None) -> pa.ChunkedArray:
    """Return the ids of all documents of the next generation."""
    drafted = read_draft(draft, "documents", ["document_id"])["document_id"]
    if live is None:
        return drafted
    rows = _without(published.read_columns(run.corpus, live, "documents", ["document_id"]), draft.scope("documents"))
    return pa.chunked_array([*drafted.chunks, *rows["document_id"].chunks], pa.string())


def read_outcomes(run: Run, draft: Draft, live: Generation | None) -> pa.Table:
    """Return OUTCOMES of the documents of the source."""
    checks = read_draft(draft, "checks", CHECKS.names)
    rejected = pc.not_equal(checks["outcome"], "indexed")
    columns = [checks["document_id"], checks["path"], True, checks["n_chunks"], rejected, checks["coverage"]]
    planned = _build_outcomes(columns, checks.num_rows)
    if live is None:
        return planned
    seen = [*checks["document_id"].to_pylist(), *draft.scope("rejects")]
    return pa.concat_tables([planned, *(_without(rows, seen) for rows in _read_retained(run, live))])


def _read_retained(run: Run, live: Generation) -> list[pa.Table]:
    """Return OUTCOMES of the published documents, and of those of which only a reject is published."""
    mine = f"source_name = '{run.options.plan.source_name}'"
    documents = published.read_columns(run.corpus, live, "documents", ["document_id", "path", "n_chunks"], mine)
    rejects = published.read_columns(run.corpus, live, "rejects", ["document_id", "path"], f"{mine} AND page_number = 0")
    rejects = rejects.group_by("document_id").aggregate([("path", "max")]).rename_columns(["document_id", "path"])
    refused = pc.is_in(documents["document_id"], value_set=rejects["document_id"])
    alone = rejects.filter(pc.invert(pc.is_in(rejects["document_id"], value_set=documents["document_id"])))
    staying = [documents["document_id"], documents["path"], False, documents["n_chunks"], refused, None]
    return [
        _build_outcomes(staying, documents.num_rows),
        _build_outcomes([alone["document_id"], alone["path"], False, 0, 1, None], alone.num_rows),
    ]


def _build_outcomes(columns: list[Any], n: int) -> pa.Table:
    """Return OUTCOMES of `n` documents from columns, some of which are one value for all."""
    whole = [
        column.cast(field.type) if isinstance(column, pa.ChunkedArray) else pa.repeat(pa.scalar(column, field.type), n)
        for column, field in zip(columns, OUTCOMES, strict=True)
    ]
    return pa.table(whole, schema=OUTCOMES)


def _without(rows: pa.Table, documents: list[str]) -> pa.Table:
    return rows.filter(pc.invert(pc.is_in(rows["document_id"], value_set=pa.array(documents, pa.string()))))
