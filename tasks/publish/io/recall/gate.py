"""The gate's look at the index of vectors: it must find what a comparison with all vectors finds."""

import json
from typing import Any, NamedTuple

from expectations.expected_types import BETWEEN
from expectations.findings import Finding
from schemas.corpus import Corpus
from tasks.publish.io.recall.measure import NEAREST, QUERIES, measure_recall
from tasks.publish.io.validate import log_findings
from tasks.publish.verdict import Verdict
from tasks.refresh.run import Run
from tasks.store import files, indexes, vector_indexes
from tasks.store.loading import import_lance

SUITE = "vector_index"
RECALL_FILE = "recall.json"
MAX_NEW_SHARE = 0.1
"""The recall is measured anew when so large a share of the rows that the index covers has come into it since."""


def ensure_recall(run: Run) -> None:
    """Keep with the run the recall of the index of vectors, if there is one. An index that finds too little is built anew first.

    What was measured before holds while few rows have come into the index since: to measure, all vectors are read.
    """
    dataset = _open_chunks(run.corpus)
    if vector_indexes.index_type(dataset) is None:
        return
    known = _load_last(run.corpus)
    recall = known.recall if known and known.holds_for(dataset) else _measure_and_save(run.corpus, dataset)
    if recall < run.options.gate.min_recall:
        vector_indexes.build(dataset)
        recall = _measure_and_save(run.corpus, _open_chunks(run.corpus))
    files.put(run.folder / RECALL_FILE, json.dumps(recall).encode())


class MeasuredRecall(NamedTuple):
    """A recall that was measured, and the ids of the pieces that the index had then."""

    recall: float
    pieces: list[str]

    def holds_for(self, dataset: Any) -> bool:
        """Return whether the other pieces of the index of a dataset have at most GROWN of the rows that it covers."""
        living = {number: piece.living for number, piece in indexes.list_fragments(dataset).items()}
        rows = {name: sum(living.get(at, 0) for at in of) for name, of in vector_indexes.index_segments(dataset).items()}
        return sum(n for name, n in rows.items() if name not in self.pieces) <= MAX_NEW_SHARE * sum(rows.values())


def _load_last(corpus: Corpus) -> MeasuredRecall | None:
    """Return what was measured last. It may be of a version that was not published: the ids of its pieces tell."""
    place = corpus.marker(RECALL_FILE)
    return MeasuredRecall(**json.loads(place.read_bytes())) if place.exists() else None


def _measure_and_save(corpus: Corpus, dataset: Any) -> float:
    known = MeasuredRecall(measure_recall(dataset), sorted(vector_indexes.index_segments(dataset)))
    files.put(corpus.marker(RECALL_FILE), json.dumps(known._asdict()).encode())
    return known.recall


def add_recall(run: Run, verdict: Verdict) -> Verdict:
    """Return the verdict with what was kept of the recall, if anything. The finding is logged in `validations`."""
    path = run.folder / RECALL_FILE
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


def _open_chunks(corpus: Corpus) -> Any:
    return import_lance().dataset(str(corpus.table("chunks")))
