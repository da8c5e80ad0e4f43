"""Report: what a refresh did, as artifacts that the Prefect UI shows."""

import base64
import json
from collections.abc import Sequence
from typing import Any

from expectations.suites import Finding
from schemas.documents import documents_schema
from tasks.adapters import published
from tasks.adapters.conditions import read_where
from tasks.run import Run
from tasks.staging import StepDone
from tasks.transforms.histogram import histogram_png
from tasks.validate import Verdict

CHANGES = ("added", "changed", "metadata", "moved", "retried", "removed", "stale", "rejected")
MAX_REJECTS = 500
"""Rows in the table of rejects; all of them are in the corpus."""


def step_totals(steps: Sequence[StepDone]) -> dict[str, dict[str, float]]:
    """Return, for each step, how many documents it computed and found staged, and the seconds its batches took together."""
    totals: dict[str, dict[str, float]] = {}
    for done in steps:
        total = totals.setdefault(done.step, {"computed": 0, "reused": 0, "seconds": 0.0})
        total["computed"] += done.computed
        total["reused"] += done.reused
        total["seconds"] = round(total["seconds"] + done.seconds, 2)
    return totals


def reject_rows(corpus: str) -> list[dict[str, Any]]:
    """Return the live generation's rejects, by path and page."""
    live = published.newest(corpus)
    if live is None:
        return []
    columns = ["path", "page_number", "step", "error", "message", "remedy", "final", "attempts", "run_id"]
    rows = published.read_columns(corpus, live, "rejects", columns)
    listed: list[dict[str, Any]] = rows.sort_by([("path", "ascending"), ("page_number", "ascending")]).to_pylist()
    return listed


def document_rows(corpus: str, where: str | None = None) -> list[dict[str, Any]]:
    """Return the live generation's documents, those that a condition on their columns keeps, by source and path.

    Raises:
        CorpusError: nothing is published there.
        InputError: the condition does not fit.
    """
    live = published.live(corpus)
    columns = [name for name in documents_schema(live.columns).names if name != "text"]
    rows = read_where(corpus, live, "documents", columns, where)
    listed: list[dict[str, Any]] = rows.sort_by([("source_name", "ascending"), ("path", "ascending")]).to_pylist()
    return [{**row, "metadata": json.loads(row["metadata"])} for row in listed]


def summary(run: Run, outcome: dict[str, Any], verdict: Verdict) -> str:
    """Return the markdown summary of a refresh: counts, seconds, validations, chunk lengths."""
    done = [[step, *total.values()] for step, total in outcome["steps"].items()]
    parts = [
        f"# Generation {outcome['generation']} of {run.corpus}",
        table(["count", "value"], [[name, value] for name, value in outcome["counts"].items()]),
        "## Steps",
        "Seconds of batches that ran side by side are added up.",
        table(["step", "computed", "found staged", "seconds"], done),
        *_too_long(run, verdict),
        table(["phase", "seconds"], [[name, value] for name, value in outcome["seconds"].items()]),
        *(f"Warning: {warning}" for warning in outcome["warnings"]),
        *_judgement(run, verdict),
    ]
    return "\n\n".join(parts)


def _too_long(run: Run, verdict: Verdict) -> list[str]:
    n = int((verdict.lengths > run.recipes.max_tokens).sum())
    done = {"truncate": "only their beginning is embedded", "mean": "their vectors are means of windows"}
    how = done.get(run.options.embed.too_long, "")
    return [f"{n:,} chunks are longer than the {run.recipes.max_tokens} tokens that the embedder takes: {how}."] if n else []


def refusal(run: Run, verdict: Verdict) -> str:
    """Return the markdown account of a draft that is not published."""
    reasons = "\n".join(f"- {reason}" for reason in verdict.refused)
    rejected = [[line] for line in verdict.rejected[:MAX_REJECTS]]
    listed = [f"## Rejected: {len(verdict.rejected)}", table(["document"], rejected)] if rejected else []
    return "\n\n".join([f"# Refused draft of {run.corpus}", reasons, *listed, *_judgement(run, verdict)])


def _judgement(run: Run, verdict: Verdict) -> list[str]:
    png = histogram_png(verdict.lengths, verdict.reference, run.recipes.chunk_tokens)
    return [
        "## Chunk lengths",
        f"![Histogram of chunk lengths in tokens](data:image/png;base64,{base64.b64encode(png).decode()})",
        "## Validations",
        table(FINDING, [_finding(found) for found in sorted(verdict.findings, key=lambda found: found.success)]),
    ]


FINDING = ["result", "suite", "column", "expectation", "observed", "allowed"]


def _finding(found: Finding) -> list[str]:
    result = "pass" if found.success else found.severity
    return [result, found.suite, found.column, found.expectation, found.observed, found.allowed]


def outcome(
    run: Run, row: dict[str, Any], seconds: dict[str, float], steps: Sequence[StepDone], warnings: Sequence[str]
) -> dict[str, Any]:
    """Return what the command line prints of a refresh, as JSON values."""
    return {
        "outcome": "published",
        "corpus": run.corpus,
        "generation": row["generation"],
        "run_id": run.run_id,
        "counts": json.loads(row["counts"]),
        "steps": step_totals(steps),
        "seconds": seconds,
        "gate": json.loads(row["gate"]),
        "n_rejects": json.loads(row["counts"])["n_rejects"],
        "warnings": list(warnings),
    }


def headline(outcome: dict[str, Any]) -> str:
    """Return in one line what a refresh published."""
    counts = outcome["counts"]
    changes = ", ".join(f"{counts[name]} {name}" for name in CHANGES if counts.get(name))
    return f"generation {outcome['generation']}: {changes or 'no document changed'}; {counts['n_documents']} documents"


def table(head: list[str], rows: list[list[Any]]) -> str:
    """Return a Markdown table; bars and line ends in cells are escaped."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(
        "| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in line) + " |" for line in lines
    )
