"""The gate's look at the index of vectors: it must find what a comparison with all vectors finds."""

import json
from typing import Any

from expectations.expected_types import BETWEEN
from expectations.findings import Finding
from schemas.corpus import Corpus
from tasks.publish.io.recall.measure import NEAREST, QUERIES, recall_of
from tasks.publish.io.validate import log_findings
from tasks.publish.verdict import Verdict
from tasks.refresh.run import Run
from tasks.store import files, vector_indexes
from tasks.store.loading import lance_library

SUITE = "vector_index"
KEPT = "recall.json"


def keep_recall(run: Run) -> None:
    """Measure the recall of the index of vectors, if there is one, and keep it with the run.

    An index that finds too little is built anew first.
    """
    dataset = _chunks(run.corpus)
    if vector_indexes.kind_of(dataset) is None:
        return
    recall = recall_of(dataset)
    if recall < run.options.gate.min_recall:
        vector_indexes.build(dataset)
        recall = recall_of(_chunks(run.corpus))
    files.put(run.folder / KEPT, json.dumps(recall).encode())


def with_recall(run: Run, verdict: Verdict) -> Verdict:
    """Return the verdict with what was kept of the recall, if anything. The finding is logged in `validations`."""
    path = run.folder / KEPT
    if not path.exists():
        return verdict
    finding = judge_recall(json.loads(path.read_text()), run.options.gate.min_recall)
    log_findings(run, [finding])
    return verdict.model_copy(update={"findings": (*verdict.findings, finding)})


def judge_recall(recall: float, least: float) -> Finding:
    """Return what the gate finds.

    >>> judge_recall(0.9, 0.95).refuses, judge_recall(0.95, 0.95).refuses
    (True, False)
    """
    return Finding(
        suite=SUITE,
        position=0,
        expectation=BETWEEN,
        column="",
        severity="critical",
        success=recall >= least,
        observed=json.dumps({"recall": recall, "n": QUERIES, "k": NEAREST}),
        allowed=json.dumps({"min_value": least}),
    )


def _chunks(corpus: Corpus) -> Any:
    return lance_library().dataset(str(corpus.table("chunks")))
