"""Report: what is published and what a refresh did, for the command line and for the Prefect UI."""

import json
import os
import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from schemas.corpus import Corpus
from schemas.ids import digest
from schemas.shown import plain
from schemas.tables.documents import documents_schema
from schemas.tables.rejects import REJECTS
from tasks.refresh.run import Run
from tasks.search.io.filters import read_where
from tasks.store import published
from tasks.store.staging import StepDone

CHANGES = {
    "added": "added",
    "changed": "changed",
    "metadata": "with other metadata",
    "moved": "moved",
    "retried": "tried again",
    "removed": "removed",
    "stale": "stale",
    "rejected": "rejected",
}
"""Counts that say what is new, and how they are told."""

REJECT_COLUMNS = ["path", "page_number", "step", "error", "message", "remedy", "final", "attempts", "run_id"]

SLUG_CHARS = 40


def step_totals(steps: Sequence[StepDone]) -> dict[str, dict[str, float]]:
    """Return, for each step, how many documents it computed and found staged, and the seconds its batches took together."""
    totals: dict[str, dict[str, float]] = {}
    for done in steps:
        total = totals.setdefault(done.step, {"computed": 0, "reused": 0, "seconds": 0.0})
        total["computed"] += done.computed
        total["reused"] += done.reused
        total["seconds"] = round(total["seconds"] + done.seconds, 2)
    return totals


def reject_table(corpus: Corpus) -> pa.Table:
    """Return the live generation's rejects, by path and page; without rows if nothing is published."""
    live = published.newest(corpus)
    if live is None:
        return REJECTS.empty_table().select(REJECT_COLUMNS)
    rows = published.read_columns(corpus, live, "rejects", REJECT_COLUMNS)
    return rows.sort_by([("path", "ascending"), ("page_number", "ascending")])


def reject_rows(corpus: Corpus) -> list[dict[str, Any]]:
    """Return the live generation's rejects, by path and page."""
    listed: list[dict[str, Any]] = reject_table(corpus).to_pylist()
    return listed


def document_rows(corpus: Corpus, where: str | None = None) -> list[dict[str, Any]]:
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


def outcome(
    run: Run, row: dict[str, Any], seconds: dict[str, float], steps: Sequence[StepDone], warnings: Sequence[str]
) -> dict[str, Any]:
    """Return what the command line prints of a refresh, as JSON values."""
    return {
        "outcome": "published",
        "source": run.source,
        "corpus": run.corpus.uri,
        "generation": row["generation"],
        "run_id": run.run_id,
        "counts": json.loads(row["counts"]),
        "steps": step_totals(steps),
        "seconds": seconds,
        "gate": json.loads(row["gate"]),
        "n_rejects": json.loads(row["counts"])["n_rejects"],
        "warnings": list(warnings),
    }


def headline(outcome: Mapping[str, Any]) -> str:
    """Return in one line what a refresh published.

    >>> headline({"generation": 7, "counts": {"added": 3, "changed": 1, "unchanged": 37, "n_documents": 41}})
    'generation 7: 3 added, 1 changed; 41 documents'
    """
    counts = outcome["counts"]
    changes = ", ".join(f"{counts[kind]} {told}" for kind, told in CHANGES.items() if counts.get(kind))
    return f"generation {outcome['generation']}: {changes or 'no document changed'}; {counts['n_documents']} documents"


def corpus_name(corpus: str) -> str:
    """Return a corpus's name for people: that of its folder.

    >>> corpus_name("/data/Annual Reports/")
    'Annual Reports'
    """
    return plain(Path(os.path.abspath(corpus)).name) or "corpus"


def artifact_key(kind: str, corpus: str) -> str:
    """Return the key of an artifact of one corpus: corpora with folders of one name have different keys.

    >>> artifact_key("refresh-summary", "/data/Annual Reports")
    'refresh-summary-annual-reports-ef6f10'
    """
    name = unicodedata.normalize("NFKD", corpus_name(corpus)).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", name)[:SLUG_CHARS].strip("-") or "corpus"
    return f"{kind}-{slug}-{digest(os.path.realpath(corpus))[:6]}"
