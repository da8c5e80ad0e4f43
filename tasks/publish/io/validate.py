"""Validate: check a draft against the expectations. The findings are logged; a critical failure keeps the gate shut.

The gate checks columns of all rows of the draft, and the outcome of each document of the source.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from expectations.chunks import Chunks, tally_chunks
from expectations.documents import add_known_column, tally_copies, tally_documents, tally_references
from expectations.expected import Finding, TalliedSuite, read_finding
from expectations.lengths import Lengths, Profile, count_chunk_lengths, make_length_profile
from expectations.personal_data import tally_personal_data
from expectations.sentences import describe_finding
from expectations.tallies import Rows
from schemas.conform import make_table_from_rows
from schemas.corpus import Corpus
from schemas.media_types import find_format
from schemas.shown import plain
from schemas.tables.validations import VALIDATIONS
from tasks.publish.io.draft import CHECKS, Draft
from tasks.publish.io.findings import COLUMN, count_findings, sum_list_lengths
from tasks.publish.io.retained_chunks import RetainedChunks, scan_retained_chunks
from tasks.publish.keys import (
    convert_ids_to_fingerprints,
    exclude_rows_of_documents,
    find_repeated_fingerprints,
    list_repeated_ids,
    select_ids_by_fingerprint,
)
from tasks.publish.verdict import Rejected, Verdict
from tasks.refresh.io.judge import judge_suites
from tasks.refresh.run import Run
from tasks.store import lance, published
from tasks.store.published import Generation

logger = logging.getLogger(__name__)

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


def judge_draft(run: Run, draft: Draft, n_documents: int) -> Verdict:
    """Check the draft against all suites. It should account for the `n_documents` of the source.

    All findings are logged in `validations`; nothing else is written. A draft that replaces no rows, because nothing but rights
    changed, is not judged: the live generation was, and it takes seconds.
    """
    live = published.read_newest_generation(run.corpus)
    reference = Profile.model_validate(live.profile) if live and live.profile and live.recipe == run.recipes.whole else None
    retained = scan_retained_chunks(run.corpus, live, draft.scope("chunks")) if live else None
    new = measure_new_chunks(draft)
    chunks = measure_all_chunks(draft, new, retained)
    limits = run.options.gate
    suites = [
        tally_documents(read_document_outcomes(run, draft, live), limits, n_documents),
        tally_copies(*read_digests_of_new_documents(run, draft, live), limits),
        *_tally_personal_data(run, draft, live),
        *tally_chunks(chunks, limits, run.recipes.chunk_tokens, reference, count_expected_chunks(run, draft, live)),
        *_collect_references(draft, new, retained, list_document_ids(run, draft, live)),
    ]
    findings = judge_suites(run, suites) if draft.scope("documents") else []
    if findings:
        log_validation_findings(run, findings)
    n_rejected, rejected = list_rejected_documents(draft)
    verdict = Verdict(
        findings=tuple(findings),
        lengths=chunks.all,
        reference=reference,
        profile=make_length_profile(chunks.all.tokens, run.recipes.chunk_tokens) if chunks.all.n else None,
        n_rejected=n_rejected,
        rejected=tuple(rejected),
    )
    for line in verdict.lines():
        logger.info("%s", line)
    return verdict


def measure_all_chunks(draft: Draft, new: pa.Table, retained: RetainedChunks | None) -> Chunks:
    """Return the chunks of the next generation: the `new` ones, and those that are `retained`."""
    documents = read_draft_table(draft, "documents", ["document_id", "n_chunks"])
    alone = documents.filter(pc.equal(documents["n_chunks"], 1))["document_id"]
    lengths = retained.measure_lengths() if retained else Lengths()
    twice = find_repeated_fingerprints([convert_ids_to_fingerprints(new["chunk_id"]), *(retained.keys if retained else [])])
    ids = [*select_ids_by_fingerprint(new["chunk_id"], twice), *(retained.select_ids(twice) if retained and len(twice) else [])]
    return Chunks(
        new=[new.drop_columns(["document_id"]).rename_columns({"chunk_id": "chunk"})],
        staying=lengths,
        all=lengths + count_chunk_lengths(new, alone),
        n=new.num_rows + (retained.n if retained else 0),
        repeated=pa.array(list_repeated_ids(ids), pa.string()),
    )


def log_validation_findings(run: Run, findings: list[Finding]) -> None:
    """Append the findings to the validations of the corpus."""
    now = datetime.now(UTC)
    rows = [{**finding.model_dump(), "run_id": run.run_id, "validated_at": now} for finding in findings]
    lance.append_to_log(run.corpus, "validations", make_table_from_rows(rows, VALIDATIONS))


def _tally_personal_data(run: Run, draft: Draft, live: Generation | None) -> Iterator[TalliedSuite]:
    """Look at how much personal data the documents of the next generation have, where it is looked for."""
    if run.options.pii.actions:
        drafted = sum_list_lengths(read_draft_table(draft, "documents", [COLUMN])[COLUMN])
        staying = count_findings(run.corpus, live, draft.scope("documents")) if live else 0
        yield tally_personal_data(drafted + staying, run.options.gate)


def _collect_references(
    draft: Draft, new: pa.Table, retained: RetainedChunks | None, documents: pa.ChunkedArray
) -> Iterator[TalliedSuite]:
    """Look at the new elements and figures, and all chunks: published ones may have lost their document."""
    for table in ("elements", "figures"):
        rows = read_draft_table(draft, table, ["element_id", "document_id"])
        yield tally_references(table, [add_known_column(rows, documents)], rows.num_rows, "element_id")
    parts, n = [add_known_column(new.select(["chunk_id", "document_id"]), documents)], new.num_rows
    if retained:
        parts += _find_orphan_chunks(retained, documents)
        n += retained.n
    yield tally_references("chunks", parts, n, "chunk_id")


def _find_orphan_chunks(retained: RetainedChunks, documents: pa.ChunkedArray) -> list[Rows]:
    """Return the published chunks that lost their document one by one, and all others as one row."""
    lost = retained.documents.filter(pc.invert(pc.is_in(retained.documents, value_set=documents)))
    orphans = retained.read_keys(lost)
    return [add_known_column(orphans, documents), Rows(pa.table({"known": [True]}), pa.array([retained.n - orphans.num_rows]))]


def read_validations(corpus: Corpus, run_id: str | None = None) -> list[dict[str, Any]]:
    """Return the logged validations of one run, in order; by default, those of the last run."""
    rows: list[dict[str, Any]] = lance.open_table(corpus, "validations").to_arrow().to_pylist()
    chosen = run_id if run_id is not None else max(rows, key=lambda row: row["validated_at"], default={"run_id": ""})["run_id"]
    found = sorted((row for row in rows if row["run_id"] == chosen), key=lambda row: (row["suite"], row["position"]))
    return [{"finding": describe_validation(row), **row} for row in found]


def describe_validation(row: Mapping[str, object]) -> str:
    """Return a row of VALIDATIONS as a sentence."""
    return plain(describe_finding(read_finding(row)))


def list_rejected_documents(draft: Draft) -> tuple[int, list[Rejected]]:
    """Return the number of documents that the draft rejects as a whole, and the first MOST_REJECTS of them, by path."""
    rows = read_draft_table(draft, "rejects", ["page_number", *Rejected._fields])
    rows = rows.filter(pc.equal(rows["page_number"], 0)).select(Rejected._fields).sort_by("path")
    return rows.num_rows, [Rejected(**row) for row in rows.slice(0, MOST_REJECTS).to_pylist()]


def count_new_rows_by_format(draft: Draft) -> dict[str, dict[str, int]]:
    """Return the documents, pages and chunks of the draft's new rows, by the name of the document's format."""
    rows = read_draft_table(draft, "documents", ["document_id", "media_type", "n_pages", "n_chunks"])
    rows = rows.filter(pc.is_in(rows["document_id"], value_set=pa.array(draft.scope("chunks"), pa.string())))
    counted = rows.group_by("media_type").aggregate([("n_pages", "count"), ("n_pages", "sum"), ("n_chunks", "sum")])
    return {
        find_format(row["media_type"]).name: {
            "documents": row["n_pages_count"],
            "pages": row["n_pages_sum"],
            "chunks": row["n_chunks_sum"],
        }
        for row in sorted(counted.to_pylist(), key=lambda row: -row["n_pages_sum"])
    }


def read_draft_table(draft: Draft, table: str, columns: list[str]) -> pa.Table:
    """Return columns of the new rows of one table, memory-mapped."""
    with pa.memory_map(str(draft.file(table))) as source:
        return pa.ipc.open_file(source).read_all().select(columns)


def measure_new_chunks(draft: Draft) -> pa.Table:
    """Return MEASURES of the draft's chunks; their texts and vectors are read in parts."""
    with pa.memory_map(str(draft.file("chunks"))) as source, pa.ipc.open_file(source) as reader:
        parts = [_measure_batch_of_chunks(reader.get_batch(index)) for index in range(reader.num_record_batches)]
    return pa.concat_tables([MEASURES.empty_table(), *parts])


def _measure_batch_of_chunks(batch: pa.RecordBatch) -> pa.Table:
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
    drafted = read_draft_table(draft, "documents", ["document_id", "n_chunks"])
    n = _sum_chunk_counts(drafted.filter(pc.is_in(drafted["document_id"], value_set=content)))
    if live is None:
        return n
    rows = published.read_columns(run.corpus, live, "documents", ["document_id", "n_chunks"])
    return n + _sum_chunk_counts(rows.filter(pc.invert(pc.is_in(rows["document_id"], value_set=content))))


def _sum_chunk_counts(rows: pa.Table) -> int:
    return int(pc.sum(rows["n_chunks"]).as_py() or 0)


def list_document_ids(run: Run, draft: Draft, live: Generation | None) -> pa.ChunkedArray:
    """Return the ids of all documents of the next generation."""
    drafted = read_draft_table(draft, "documents", ["document_id"])["document_id"]
    if live is None:
        return drafted
    rows = exclude_rows_of_documents(
        published.read_columns(run.corpus, live, "documents", ["document_id"]), draft.scope("documents")
    )
    return pa.chunked_array([*drafted.chunks, *rows["document_id"].chunks], pa.string())


def read_document_outcomes(run: Run, draft: Draft, live: Generation | None) -> pa.Table:
    """Return OUTCOMES of the documents of the source."""
    checks = read_draft_table(draft, "checks", CHECKS.names)
    rejected = pc.not_equal(checks["outcome"], "indexed")
    columns = [checks["document_id"], checks["path"], True, checks["n_chunks"], rejected, checks["coverage"]]
    planned = _build_outcomes(columns, checks.num_rows)
    if live is None:
        return planned
    seen = [*checks["document_id"].to_pylist(), *draft.scope("rejects")]
    return pa.concat_tables([planned, *(exclude_rows_of_documents(rows, seen) for rows in _read_retained_outcomes(run, live))])


def read_digests_of_new_documents(run: Run, draft: Draft, live: Generation | None) -> tuple[pa.Table, pa.ChunkedArray]:
    """Return id, path and sha256 of the documents that were not there before, and the sha256 of published ones that stay.

    Of a first generation, none is new.
    """
    drafted = read_draft_table(draft, "documents", ["document_id", "path", "sha256"])
    if live is None:
        return drafted.slice(0, 0), drafted["sha256"].slice(0, 0)
    before = published.read_columns(run.corpus, live, "documents", ["document_id", "sha256"])
    new = drafted.filter(pc.invert(pc.is_in(drafted["document_id"], value_set=before["document_id"])))
    return new, exclude_rows_of_documents(before, draft.scope("chunks"))["sha256"]


def _read_retained_outcomes(run: Run, live: Generation) -> list[pa.Table]:
    """Return OUTCOMES of the published documents, and of those of which only a reject is published."""
    mine = f"source_name = '{run.options.plan.source_name}'"
    documents = published.read_columns(run.corpus, live, "documents", ["document_id", "path", "n_chunks"], mine)
    rejects = published.read_columns(run.corpus, live, "rejects", ["document_id", "path"], f"{mine} AND page_number = 0")
    rejects = rejects.group_by("document_id").aggregate([("path", "max")]).rename_columns(["document_id", "path"])
    refused = pc.is_in(documents["document_id"], value_set=rejects["document_id"])
    alone = rejects.filter(pc.invert(pc.is_in(rejects["document_id"], value_set=documents["document_id"])))
    retained = [documents["document_id"], documents["path"], False, documents["n_chunks"], refused, None]
    return [
        _build_outcomes(retained, documents.num_rows),
        _build_outcomes([alone["document_id"], alone["path"], False, 0, 1, None], alone.num_rows),
    ]


def _build_outcomes(columns: Sequence[object], n: int) -> pa.Table:
    """Return OUTCOMES of `n` documents from columns, some of which are one value for all."""
    whole = [
        column.cast(field.type) if isinstance(column, pa.ChunkedArray) else pa.repeat(pa.scalar(column, field.type), n)
        for column, field in zip(columns, OUTCOMES, strict=True)
    ]
    return pa.table(whole, schema=OUTCOMES)
