"""Validate: check a draft against the expectations. The findings are logged; a critical failure keeps the gate shut."""

import logging
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from expectations.chunks import check_chunks
from expectations.documents import check_documents
from expectations.findings import Finding
from expectations.profiles import Profile, length_profile
from expectations.references import check_references
from expectations.sentences import sentence
from schemas.conform import from_rows
from schemas.corpus import Corpus
from schemas.shown import plain
from schemas.tables.validations import VALIDATIONS
from tasks.publish.io.draft import Draft
from tasks.publish.io.outcomes import (
    chunk_lengths,
    document_outcomes,
    expected_chunks,
    known_documents,
    read_draft,
    rejected_documents,
)
from tasks.publish.verdict import Verdict
from tasks.refresh.run import Run
from tasks.store import lance, published
from tasks.store.loading import sparingly

logger = logging.getLogger(__name__)

REFERENCES = ["element_id", "document_id"]


def validate(run: Run, draft: Draft, n_documents: int) -> Verdict:
    """Check the draft against all suites. It should account for the `n_documents` of the source.

    All findings are logged in `validations`; nothing else is written.
    """
    live = published.newest(run.corpus)
    lengths = chunk_lengths(run, draft, live)
    reference = Profile.model_validate(live.profile) if live and live.profile and live.recipe == run.recipes.whole else None
    findings = [
        *check_documents(document_outcomes(run, draft, live), run.options.gate, n_documents),
        *check_chunks(
            lengths.to_pandas(),
            run.options.gate,
            run.recipes.chunk_tokens,
            reference,
            expected_chunks(run, draft, live),
        ),
        *_check_references(draft, lengths, known_documents(run, draft, live)),
    ]
    log_findings(run, findings)
    n_rejected, rejected = rejected_documents(draft)
    tokens = lengths["n_tokens"]
    counts = {row["values"]: row["counts"] for row in pc.value_counts(tokens).to_pylist()}
    profile = length_profile(tokens.to_numpy(), run.recipes.chunk_tokens) if len(tokens) else None
    verdict = Verdict(
        findings=tuple(findings),
        lengths=dict(sorted(counts.items())),
        reference=reference,
        profile=profile,
        n_rejected=n_rejected,
        rejected=tuple(rejected),
    )
    for line in verdict.lines():
        logger.info("%s", line)
    return verdict


def load_expectations() -> None:
    """Load Great Expectations, which takes seconds, before it is needed: while worker processes parse, this one waits."""
    with sparingly():
        from great_expectations import expectations  # noqa: F401  loaded for later imports


def log_findings(run: Run, findings: list[Finding]) -> None:
    """Append the findings to the validations of the corpus."""
    now = datetime.now(UTC)
    rows = [{**finding.model_dump(), "run_id": run.run_id, "validated_at": now} for finding in findings]
    lance.append_log(run.corpus, "validations", from_rows(rows, VALIDATIONS))


def _check_references(draft: Draft, lengths: pa.Table, documents: list[str]) -> Iterator[Finding]:
    """Yield the findings for new elements, new figures and all chunks: a chunk that stays may have lost its document."""
    for table in ("elements", "figures"):
        yield from check_references(table, read_draft(draft, table, REFERENCES).to_pandas(), REFERENCES[0], documents)
    chunks = lengths.select(["chunk_id", "document_id"]).to_pandas()
    yield from check_references("chunks", chunks, "chunk_id", documents)


def validation_rows(corpus: Corpus, run_id: str | None = None) -> list[dict[str, Any]]:
    """Return the logged validations of one run, in order; by default, those of the last run."""
    rows: list[dict[str, Any]] = lance.open_table(corpus, "validations").to_arrow().to_pylist()
    chosen = run_id if run_id is not None else max(rows, key=lambda row: row["validated_at"], default={"run_id": ""})["run_id"]
    found = sorted((row for row in rows if row["run_id"] == chosen), key=lambda row: (row["suite"], row["position"]))
    return [{"finding": told(row), **row} for row in found]


def told(row: Mapping[str, Any]) -> str:
    """Return a row of VALIDATIONS as a sentence."""
    return plain(sentence(Finding(**{name: row[name] for name in Finding.model_fields})))
