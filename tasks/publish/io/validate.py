"""Validate: check a draft against the expectations. The findings are logged; a critical failure keeps the gate shut."""

import logging
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from expectations.chunks import Chunks, look_at_chunks
from expectations.documents import look_at_documents
from expectations.expected import Tallied
from expectations.findings import Finding
from expectations.lengths import Lengths, lengths_of
from expectations.profiles import Profile, length_profile
from expectations.references import look_at_references, with_known
from expectations.sentences import sentence
from expectations.tallies import Rows
from schemas.conform import from_rows
from schemas.corpus import Corpus
from schemas.shown import plain
from schemas.tables.validations import VALIDATIONS
from tasks.publish.io.draft import Draft
from tasks.publish.io.outcomes import (
    count_expected_chunks,
    list_document_ids,
    list_rejected,
    measure_new_chunks,
    read_draft,
    read_outcomes,
)
from tasks.publish.io.staying import RetainedChunks, scan_retained
from tasks.publish.keys import find_repeated, fingerprint_ids, list_repeated, select_ids
from tasks.publish.verdict import Verdict
from tasks.refresh.io.judge import judged
from tasks.refresh.run import Run
from tasks.store import lance, published

logger = logging.getLogger(__name__)


def validate(run: Run, draft: Draft, n_documents: int) -> Verdict:
    """Check the draft against all suites. It should account for the `n_documents` of the source.

    All findings are logged in `validations`; nothing else is written.
    """
    live = published.newest(run.corpus)
    reference = Profile.model_validate(live.profile) if live and live.profile and live.recipe == run.recipes.whole else None
    staying = scan_retained(run.corpus, live, draft.scope("chunks")) if live else None
    new = measure_new_chunks(draft)
    chunks = measure_all_chunks(draft, new, staying)
    limits = run.options.gate
    suites = [
        look_at_documents(read_outcomes(run, draft, live), limits, n_documents),
        *look_at_chunks(chunks, limits, run.recipes.chunk_tokens, reference, count_expected_chunks(run, draft, live)),
        *_look_at_references(draft, new, staying, list_document_ids(run, draft, live)),
    ]
    findings = judged(run, suites)
    log_findings(run, findings)
    n_rejected, rejected = list_rejected(draft)
    verdict = Verdict(
        findings=tuple(findings),
        lengths=chunks.all,
        reference=reference,
        profile=length_profile(chunks.all.tokens, run.recipes.chunk_tokens) if chunks.all.n else None,
        n_rejected=n_rejected,
        rejected=tuple(rejected),
    )
    for line in verdict.lines():
        logger.info("%s", line)
    return verdict


def measure_all_chunks(draft: Draft, new: pa.Table, staying: RetainedChunks | None) -> Chunks:
    """Return the chunks of the next generation: the `new` ones, and those that are `staying`."""
    documents = read_draft(draft, "documents", ["document_id", "n_chunks"])
    alone = documents.filter(pc.equal(documents["n_chunks"], 1))["document_id"]
    lengths = staying.lengths() if staying else Lengths()
    twice = find_repeated([fingerprint_ids(new["chunk_id"]), *(staying.keys if staying else [])])
    ids = [*select_ids(new["chunk_id"], twice), *(staying.ids_like(twice) if staying and len(twice) else [])]
    return Chunks(
        new=[new.drop_columns(["document_id"]).rename_columns({"chunk_id": "chunk"})],
        staying=lengths,
        all=lengths + lengths_of(new, alone),
        n=new.num_rows + (staying.n if staying else 0),
        repeated=pa.array(list_repeated(ids), pa.string()),
    )


def log_findings(run: Run, findings: list[Finding]) -> None:
    """Append the findings to the validations of the corpus."""
    now = datetime.now(UTC)
    rows = [{**finding.model_dump(), "run_id": run.run_id, "validated_at": now} for finding in findings]
    lance.append_log(run.corpus, "validations", from_rows(rows, VALIDATIONS))


def _look_at_references(
    draft: Draft, new: pa.Table, staying: RetainedChunks | None, documents: pa.ChunkedArray
) -> Iterator[Tallied]:
    """Look at the new elements and figures, and all chunks: published ones may have lost their document."""
    for table in ("elements", "figures"):
        rows = read_draft(draft, table, ["element_id", "document_id"])
        yield look_at_references(table, [with_known(rows, documents)], rows.num_rows, "element_id")
    parts, n = [with_known(new.select(["chunk_id", "document_id"]), documents)], new.num_rows
    if staying:
        parts += _find_orphan_chunks(staying, documents)
        n += staying.n
    yield look_at_references("chunks", parts, n, "chunk_id")


def _find_orphan_chunks(staying: RetainedChunks, documents: pa.ChunkedArray) -> list[Rows]:
    """Return the published chunks that lost their document one by one, and all others as one row."""
    lost = staying.documents.filter(pc.invert(pc.is_in(staying.documents, value_set=documents)))
    orphans = staying.keys_of(lost)
    return [with_known(orphans, documents), Rows(pa.table({"known": [True]}), pa.array([staying.n - orphans.num_rows]))]


def read_validations(corpus: Corpus, run_id: str | None = None) -> list[dict[str, Any]]:
    """Return the logged validations of one run, in order; by default, those of the last run."""
    rows: list[dict[str, Any]] = lance.open_table(corpus, "validations").to_arrow().to_pylist()
    chosen = run_id if run_id is not None else max(rows, key=lambda row: row["validated_at"], default={"run_id": ""})["run_id"]
    found = sorted((row for row in rows if row["run_id"] == chosen), key=lambda row: (row["suite"], row["position"]))
    return [{"finding": describe_finding(row), **row} for row in found]


def describe_finding(row: Mapping[str, Any]) -> str:
    """Return a row of VALIDATIONS as a sentence."""
    return plain(sentence(Finding(**{name: row[name] for name in Finding.model_fields})))
