"""Validate: hold a draft against the expectations; what they find is logged, and a failure keeps the gate shut."""

import logging
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

import pyarrow as pa

from expectations.chunks import check_chunks
from expectations.documents import check_documents
from expectations.profiles import Profile, length_profile
from expectations.references import check_references
from expectations.sentences import refusals, sentence, warnings
from expectations.suites import Finding
from schemas.conform import from_rows
from schemas.corpus import Corpus
from schemas.errors import GateError
from schemas.shown import plain
from schemas.tables.validations import VALIDATIONS
from tasks.publish.io.draft import Draft
from tasks.publish.io.outcomes import (
    Rejected,
    chunk_lengths,
    document_outcomes,
    expected_chunks,
    known_documents,
    read_draft,
    rejected_documents,
)
from tasks.refresh.run import Run
from tasks.store import lance, published

logger = logging.getLogger(__name__)

REFERENCES = ["element_id", "document_id"]

NAMED = 5
"""Rejected documents that a refusal names."""


class Lengths(NamedTuple):
    """All chunks' lengths in tokens, the profile that they were held against, and the longest that is allowed."""

    of_chunks: Any
    reference: Profile | None
    max_tokens: int


class Verdict:
    """What the gate found in a draft. Plain on purpose: Prefect looks into models and collections."""

    def __init__(self, findings: list[Finding], lengths: Lengths, n_rejected: int, rejected: list[Rejected]) -> None:
        """`rejected` are the first of the `n_rejected` documents that this run rejected."""
        self.findings = findings
        self.lengths = lengths.of_chunks
        self.reference = lengths.reference
        self.n_rejected = n_rejected
        self.rejected = rejected
        self.profile = length_profile(lengths.of_chunks, lengths.max_tokens) if len(lengths.of_chunks) else None

    @property
    def refused(self) -> list[str]:
        """What keeps the gate shut, one line for each expectation."""
        return [plain(line) for line in refusals(self.findings)]

    @property
    def warnings(self) -> list[str]:
        """What is told and does not keep the gate shut, one line for each expectation."""
        return [plain(line) for line in warnings(self.findings)]

    def check(self, corpus: Corpus) -> None:
        """Keep the gate shut if an expectation of critical severity failed.

        Raises:
            GateError: names each with what was observed, is allowed and can be done, and the first rejected documents.
        """
        if not self.refused:
            return
        named = [f"rejected: {line}" for line in self.rejected[:NAMED]]
        more = [f"and {self.n_rejected - NAMED} more documents"] if self.n_rejected > NAMED else []
        lines = [*self.refused, *named, *more, f"see `pagemill validations --corpus {corpus}`"]
        raise GateError("\n  ".join(["the draft is refused, nothing was published:", *lines]))

    def log(self) -> None:
        """Log a line for each document that the run rejected, and for each expectation that failed."""
        for found in self.rejected:
            logger.info("rejected by %s: %s", found.step, found)
        if self.n_rejected > len(self.rejected):
            logger.info("rejected: %d more documents", self.n_rejected - len(self.rejected))
        for line in self.warnings:
            logger.info("warning of the gate: %s", line)
        for line in self.refused:
            logger.info("refused by the gate: %s", line)

    def gate(self) -> dict[str, Any]:
        """Return the outcome as it is kept with the generation."""
        return {"expectations": len(self.findings), "warnings": self.warnings}


def validate(run: Run, draft: Draft, n_documents: int) -> Verdict:
    """Hold the draft, which should account for the source's `n_documents`, against all suites.

    The findings are logged in `validations`, whatever they are; nothing else is written.
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
    measured = Lengths(lengths["n_tokens"].to_numpy(), reference, run.recipes.chunk_tokens)
    verdict = Verdict(findings, measured, *rejected_documents(draft))
    verdict.log()
    return verdict


def load_expectations() -> None:
    """Load Great Expectations, which takes seconds, before it is needed."""
    from great_expectations import expectations  # noqa: F401  loaded for whoever comes next


def log_findings(run: Run, findings: list[Finding]) -> None:
    """Append the findings to the corpus's validations."""
    now = datetime.now(UTC)
    rows = [{**finding.model_dump(), "run_id": run.run_id, "validated_at": now} for finding in findings]
    lance.append_log(run.corpus, "validations", from_rows(rows, VALIDATIONS))


def _check_references(draft: Draft, lengths: pa.Table, documents: list[str]) -> Iterator[Finding]:
    """Look at the new elements and figures, and at all chunks: those that stay may have lost their document."""
    for table in ("elements", "figures"):
        yield from check_references(table, read_draft(draft, table, REFERENCES).to_pandas(), REFERENCES[0], documents)
    chunks = lengths.select(["chunk_id", "document_id"]).to_pandas()
    yield from check_references("chunks", chunks, "chunk_id", documents)


def validation_rows(corpus: Corpus, run_id: str | None = None) -> list[dict[str, Any]]:
    """Return the logged validations of one run, by default of the last one, in their order."""
    rows: list[dict[str, Any]] = lance.open_table(corpus, "validations").to_arrow().to_pylist()
    chosen = run_id if run_id is not None else max(rows, key=lambda row: row["validated_at"], default={"run_id": ""})["run_id"]
    found = sorted((row for row in rows if row["run_id"] == chosen), key=lambda row: (row["suite"], row["position"]))
    return [{"finding": told(row), **row} for row in found]


def told(row: Mapping[str, Any]) -> str:
    """Return a row of VALIDATIONS in plain words."""
    return plain(sentence(Finding(**{name: row[name] for name in Finding.model_fields})))
