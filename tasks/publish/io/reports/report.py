"""Report: what is published and what a refresh did, for the command line and for the Prefect UI."""

from collections.abc import Mapping, Sequence

import pyarrow as pa

from schemas.corpus import Corpus
from schemas.media_types import find_format
from schemas.phases import Phase
from schemas.references import RefreshOutcome, StepDone
from schemas.staged import STEPS
from schemas.tables.rejects import REJECTS
from tasks.refresh.run import Run
from tasks.store import lance, published
from tasks.store.published import Generation

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
"""Counts that say what is new, and their names for people."""

REJECT_COLUMNS = ["path", "page_number", "step", "error", "message", "remedy", "final", "attempts", "run_id"]


def sum_step_times(steps: Sequence[StepDone]) -> dict[str, dict[str, float]]:
    """Return for each step how many documents it computed, how many were already staged, and the seconds of all its batches."""
    totals: dict[str, dict[str, float]] = {}
    for done in steps:
        total = totals.setdefault(done.step, {"computed": 0, "reused": 0, "seconds": 0.0})
        total["computed"] += done.computed
        total["reused"] += done.reused
        total["seconds"] = round(total["seconds"] + done.seconds, 2)
    return totals


def sum_seconds_by_format(steps: Sequence[StepDone]) -> dict[str, dict[str, float]]:
    """Return the seconds of each step by the name of the documents' format: `spent` of all its batches, added up."""
    spent: dict[str, dict[str, float]] = {}
    for done in steps:
        for media_type, seconds in done.spent.items():
            kind = spent.setdefault(find_format(media_type).name, dict.fromkeys(STEPS, 0.0))
            kind[done.step] = round(kind[done.step] + seconds, 2)
    return dict(sorted(spent.items(), key=lambda kind: -sum(kind[1].values())))


def warn_unused_columns(run: Run) -> list[str]:
    """Return a warning for each declared column for which no published document has a value."""
    if not run.options.columns:
        return []
    documents = lance.open_table(run.corpus, "documents")
    return [
        f"no document has a value for the declared column {name}: name it so in metadata.csv, metadata.jsonl or front matter"
        for name in run.options.columns
        if not documents.count_rows(f"`{name}` IS NOT NULL")
    ]


def summarise_refresh_outcome(
    run: Run, generation: Generation, phases: Mapping[str, Phase], steps: Sequence[StepDone], warnings: Sequence[str]
) -> RefreshOutcome:
    """Return what the command line prints about a refresh."""
    return {
        "outcome": "published",
        "source": run.source,
        "corpus": run.corpus.uri,
        "generation": generation.generation,
        "run_id": run.run_id,
        "counts": generation.counts,
        "steps": sum_step_times(steps),
        "spent": sum_seconds_by_format(steps),
        "seconds": {name: phase.seconds for name, phase in phases.items()},
        "idle_core_seconds": {name: phase.idle_core_seconds for name, phase in phases.items()},
        "gate": generation.gate,
        "n_rejects": generation.counts["n_rejects"],
        "warnings": list(warnings),
    }


def format_headline(generation: int, counts: Mapping[str, int]) -> str:
    """Return what a refresh published, as one line.

    >>> format_headline(7, {"added": 3, "changed": 1, "unchanged": 37, "n_documents": 41})
    'generation 7: 3 added, 1 changed; 41 documents'
    """
    changed = describe_change_counts(counts) or "no document changed"
    return f"generation {generation}: {changed}; {counts['n_documents']} documents"


def describe_change_counts(counts: Mapping[str, int]) -> str:
    """Return how many documents of each kind of change there are, empty if there are none.

    >>> describe_change_counts({"added": 3, "changed": 0, "removed": 1, "unchanged": 37})
    '3 added, 1 removed'
    """
    return ", ".join(f"{counts[kind]} {told}" for kind, told in CHANGES.items() if counts.get(kind))


def read_rejects(corpus: Corpus) -> pa.Table:
    """Return the rejects of the live generation, sorted by path and page; no rows if nothing is published."""
    live = published.read_newest_generation(corpus)
    if live is None:
        return REJECTS.empty_table().select(REJECT_COLUMNS)
    rows = published.read_columns(corpus, live, "rejects", REJECT_COLUMNS)
    return rows.sort_by([("path", "ascending"), ("page_number", "ascending")])


def list_rejects(corpus: Corpus) -> list[dict[str, object]]:
    """Return the rejects of the live generation, sorted by path and page."""
    listed: list[dict[str, object]] = read_rejects(corpus).to_pylist()
    return listed
