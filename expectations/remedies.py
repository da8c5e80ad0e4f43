"""What a user can do when an expectation keeps the gate shut."""

from collections.abc import Sequence

from expectations.suites import Finding

DRIFT = "expect_column_kl_divergence_to_be_less_than"
OPTIONS = {
    ("documents", "coverage"): "min_coverage",
    ("documents", "rejected"): "max_reject_share",
    ("chunks", "n_chars"): "min_chunk_chars",
    ("lengths", "n_tokens"): "min_mean_tokens, gate.tiny_tokens or gate.max_tiny_share",
}
"""By suite and column: the option of the gate that draws the line."""


def remedy(finding: Finding) -> str:
    """Return what to do about a finding that refuses a draft; blank where the fault is Pagemill's own, or a step's.

    >>> drift = Finding(suite="chunks", position=0, expectation=DRIFT, column="n_tokens", severity="critical",
    ...                 success=False, observed="0.48", allowed="{}")
    >>> remedy(drift)
    'if the documents changed on purpose, publish once with --accept-drift'
    >>> remedy(drift.model_copy(update={"suite": "documents", "column": "rejected"}))
    'mend or exclude the rejected documents, or set gate.max_reject_share'
    """
    if finding.expectation == DRIFT:
        return "if the documents changed on purpose, publish once with --accept-drift"
    option = OPTIONS.get((finding.suite, finding.column))
    if option is None:
        return ""
    first = "mend or exclude the rejected documents, or " if finding.column == "rejected" else "if it must be so, "
    return f"{first}set gate.{option}"


def refusals(findings: Sequence[Finding]) -> list[str]:
    """Return one line for each finding that keeps the gate shut: what was observed, what is allowed, what to do."""
    return [f"{f.sentence()}{f' ({said})' if (said := remedy(f)) else ''}" for f in findings if f.refuses]
