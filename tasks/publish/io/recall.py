"""Recall of the index of vectors: the share of the nearest vectors, by a comparison with all, that it finds.

It is measured before a draft is published, kept with the run, and judged by the gate.
"""

import json
from collections.abc import Set
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from expectations.expected import BETWEEN, Finding
from schemas.corpus import Corpus
from tasks.publish.io.validate import log_validation_findings
from tasks.publish.verdict import Verdict
from tasks.refresh.run import Run
from tasks.store import files, vector_indexes
from tasks.store.indexes import list_fragments
from tasks.store.loading import import_lance

if TYPE_CHECKING:
    from lance import LanceDataset
    from lance.fragment import LanceFragment

QUERIES = 100
NEAREST = 10
DEPTH = 60
"""So many are asked for, as a search does at least; the first NEAREST are looked at."""
BATCH_ROWS = 8192
TIE = 1e-5
"""Cosines that differ by less are equal: of texts that occur twice, either may be found."""
NO_ROW = np.iinfo(np.uint64).max

Vectors = NDArray[np.float32]

SUITE = "vector_index"
RECALL_FILE = "recall.json"

MAX_NEW_SHARE = 0.1
"""The recall is measured anew when so large a share of the rows that the index covers has come into it since."""


class MeasuredRecall(NamedTuple):
    """A recall that was measured, and the ids of the pieces that the index had then."""

    recall: float
    pieces: list[str]

    def is_valid_for(self, dataset: "LanceDataset") -> bool:
        """Return whether the other pieces of the index of a dataset have at most MAX_NEW_SHARE of the rows that it covers."""
        living = {number: piece.n_live_rows for number, piece in list_fragments(dataset).items()}
        rows = {name: sum(living.get(at, 0) for at in of) for name, of in vector_indexes.list_vector_segments(dataset).items()}
        return sum(n for name, n in rows.items() if name not in self.pieces) <= MAX_NEW_SHARE * sum(rows.values())


def measure_index_recall(dataset: "LanceDataset") -> float:
    """Return the share of the nearest vectors that the index of a Lance dataset finds for vectors of its own, in [0, 1].

    Only what the index covers counts: all other vectors are compared one by one. The QUERIES vectors lie evenly in it; each finds
    itself, which does not count. All vectors are read once, in order: reading each found one by itself takes a request.
    """
    inside = vector_indexes.list_covered_fragments(dataset)
    covered = [piece for piece in dataset.get_fragments() if piece.fragment_id in inside]
    places = _find_covered_rows(dataset, {piece.fragment_id for piece in covered})
    if len(places) <= NEAREST:
        return 1.0
    chosen = sorted({int(places[at * len(places) // QUERIES]) for at in range(QUERIES)})
    asked = _normalise_vectors(_convert_to_matrix(dataset.take(chosen, columns=["vector"])["vector"].combine_chunks()))
    found = _search_vector_index(dataset, asked)
    least, cosines = _compare_with_exact_search(dataset, covered, asked, found)
    ranked = -np.sort(-cosines, axis=1)[:, : NEAREST + 1]
    return float(np.mean([min(np.sum(of >= low - TIE) - 1, NEAREST) / NEAREST for of, low in zip(ranked, least, strict=True)]))


def _find_covered_rows(dataset: "LanceDataset", covered: Set[int]) -> NDArray[np.int64]:
    """Return the places in a dataset of the rows that lie in some of its files."""
    pieces = list_fragments(dataset)
    inside = np.array([number in covered for number in pieces], dtype=bool)
    return np.flatnonzero(np.repeat(inside, [piece.n_live_rows for piece in pieces.values()]))


def _search_vector_index(dataset: "LanceDataset", asked: Vectors) -> NDArray[np.uint64]:
    """Return the ids of the rows that the index finds for each query, of shape (queries, found); NO_ROW where it finds fewer."""
    how = vector_indexes.choose_search_parameters(dataset)
    nearest = {"column": "vector", "k": DEPTH * how.pop("refine_factor", 1), "metric": "cosine", **how}
    ids = [
        dataset.to_table(columns=["_distance"], nearest={**nearest, "q": query}, with_row_id=True, fast_search=True)["_rowid"]
        for query in asked
    ]
    found = np.full((len(ids), max(map(len, ids))), NO_ROW, dtype=np.uint64)
    for query, of in enumerate(ids):
        found[query, : len(of)] = of.to_numpy()
    return found


def _compare_with_exact_search(
    dataset: "LanceDataset", covered: "list[LanceFragment]", asked: Vectors, found: NDArray[np.uint64]
) -> tuple[Vectors, Vectors]:
    """Return, for each query, the cosine of its NEAREST + 1st vector of all, and the cosines of those that were found."""
    best = np.full((len(asked), NEAREST + 1), -2.0, dtype=np.float32)
    cosines = np.full(found.shape, -2.0, dtype=np.float32)
    scanner = dataset.scanner(columns=["vector"], fragments=covered, with_row_id=True, batch_size=BATCH_ROWS, batch_readahead=1)
    for batch in scanner.to_batches():
        of_batch = asked @ _normalise_vectors(_convert_to_matrix(batch["vector"])).T
        both = np.concatenate([best, of_batch], axis=1)
        best = np.partition(both, both.shape[1] - NEAREST - 1, axis=1)[:, -NEAREST - 1 :]
        rows = batch["_rowid"].to_numpy()
        order = np.argsort(rows)
        at = order[np.minimum(np.searchsorted(rows, found, sorter=order), len(rows) - 1)]
        here = rows[at] == found
        cosines[here] = np.take_along_axis(of_batch, at, axis=1)[here]
    return best.min(axis=1), cosines


def _convert_to_matrix(vectors: pa.Array) -> Vectors:
    found: Vectors = vectors.flatten().to_numpy(zero_copy_only=False).reshape(len(vectors), -1)
    return found


def _normalise_vectors(vectors: Vectors) -> Vectors:
    lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12).astype(np.float32)
    unit: Vectors = vectors / lengths
    return unit


def ensure_index_recall(run: Run) -> None:
    """Save with the run the recall of the index of vectors, if there is one. Build an index that finds too little anew first.

    An earlier measurement holds while few rows have come into the index since, because to measure is to read all vectors.
    """
    dataset = _open_chunks_table(run.corpus)
    if vector_indexes.find_index_type(dataset) is None:
        return
    known = _load_last_measurement(run.corpus)
    recall = known.recall if known and known.is_valid_for(dataset) else _measure_and_save_recall(run.corpus, dataset)
    if recall < run.options.gate.min_recall:
        vector_indexes.build_vector_index(dataset)
        recall = _measure_and_save_recall(run.corpus, _open_chunks_table(run.corpus))
    files.write_atomically(run.folder / RECALL_FILE, json.dumps(recall).encode())


def _load_last_measurement(corpus: Corpus) -> MeasuredRecall | None:
    """Return the last measurement. It may be of a version that was not published, which the ids of its segments tell."""
    place = corpus.marker(RECALL_FILE)
    return MeasuredRecall(**json.loads(place.read_bytes())) if place.exists() else None


def _measure_and_save_recall(corpus: Corpus, dataset: "LanceDataset") -> float:
    known = MeasuredRecall(measure_index_recall(dataset), sorted(vector_indexes.list_vector_segments(dataset)))
    files.write_atomically(corpus.marker(RECALL_FILE), json.dumps(known._asdict()).encode())
    return known.recall


def add_recall_to_verdict(run: Run, verdict: Verdict) -> Verdict:
    """Return the verdict with what was kept of the recall, if anything. The finding is logged in `validations`."""
    recall = read_index_recall(run)
    if recall is None:
        return verdict
    finding = judge_index_recall(recall, run.options.gate.min_recall)
    log_validation_findings(run, [finding])
    return verdict.model_copy(update={"findings": (*verdict.findings, finding)})


def read_index_recall(run: Run) -> float | None:
    """Return the recall that was kept with the run; None without an index of vectors."""
    path = run.folder / RECALL_FILE
    return float(json.loads(path.read_bytes())) if path.exists() else None


def judge_index_recall(recall: float, least: float) -> Finding:
    """Return what the gate finds.

    >>> judge_index_recall(0.9, 0.95).refuses, judge_index_recall(0.95, 0.95).refuses
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


def _open_chunks_table(corpus: Corpus) -> "LanceDataset":
    chunks: LanceDataset = import_lance().dataset(str(corpus.table("chunks")))
    return chunks
