"""Types of indexes of vectors side by side: what they take to build and to search, and what they find."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from benchmarks.search.drawn import around
from benchmarks.search.measured import milliseconds
from tasks.embed.vectors import Vectors
from tasks.store.loading import import_lance
from tasks.store.vector_indexes import KIND, choose_partitions, choose_probes

DIMENSION, CENTRES = 384, 4_000
DEPTH, FIRST, QUERIES = 200, 10, 60
ROWS_AT_ONCE = 50_000
MOST_IN_GRAPH = 200_000
"""A graph of more vectors takes long to build."""


class Kind(NamedTuple):
    """A type of index, its parameters, and how it is searched."""

    kind: str
    made: Mapping[str, Any]
    asked: Mapping[str, Any]


def kinds(rows: int) -> dict[str, Kind]:
    """Return the indexes that are compared: the one that is built first, then others, the former one last."""
    lists, n_probes = choose_partitions(rows), choose_probes(rows)
    probes = {"minimum_nprobes": n_probes}
    exact = {**probes, "refine_factor": 1}
    graph = {"num_partitions": 1, "m": 20, "ef_construction": 150}
    found = {
        f"{KIND}, {n_probes} lists searched": Kind(KIND, {"num_partitions": lists}, exact),
        f"{KIND}, twice as many": Kind(KIND, {"num_partitions": lists}, {"minimum_nprobes": 2 * n_probes, "refine_factor": 1}),
        f"{KIND}, many small lists": Kind(KIND, {"num_partitions": max(1, int(rows**0.5))}, exact),
        "IVF_RQ": Kind("IVF_RQ", {"num_partitions": lists}, exact),
        "IVF_RQ, refined": Kind("IVF_RQ", {"num_partitions": lists}, {**probes, "refine_factor": 4}),
        "IVF_FLAT": Kind("IVF_FLAT", {"num_partitions": lists}, probes),
        "IVF_HNSW_SQ": Kind("IVF_HNSW_SQ", graph, exact),
        "IVF_PQ, refined": Kind("IVF_PQ", {"num_partitions": lists, "num_sub_vectors": 48}, {**probes, "refine_factor": 10}),
        "IVF_PQ as it was": Kind("IVF_PQ", {"num_partitions": lists, "num_sub_vectors": 48}, probes),
    }
    return {name: kind for name, kind in found.items() if kind.made != graph or rows <= MOST_IN_GRAPH}


def compare(folder: Path, rows: int) -> dict[str, list[float | None]]:
    """Return for each index seconds to build, MB, milliseconds, CPU milliseconds, and the shares of 200 and of ten found."""
    uri, asked = _table(folder, rows)
    whole = Kind("", {}, {"use_index": False})
    truth = [_nearest(import_lance().dataset(uri), query, whole) for query in asked]
    found: dict[str, list[float | None]] = {"all vectors compared": [None, None, *_ask(uri, asked, whole, truth)]}
    built: dict[str, Any] = {}
    for name, kind in kinds(rows).items():
        known, built, seconds = built, {"index_type": kind.kind, **kind.made}, None
        if built != known:
            began = time.monotonic()
            dataset = import_lance().dataset(uri)
            dataset.create_index("vector", metric="cosine", replace=True, name="v", **built)
            seconds = time.monotonic() - began
        size = next(index.total_size_bytes for index in import_lance().dataset(uri).describe_indices() if index.name == "v")
        found[name] = [seconds, size / 1e6, *_ask(uri, asked, kind, truth)]
    return found


def _ask(uri: str, asked: Vectors, kind: Kind, truth: list[list[int]]) -> list[float]:
    """Return milliseconds, CPU milliseconds, and the shares of 200 and of ten nearest vectors that are found."""
    dataset = import_lance().dataset(uri)
    ranked: dict[str, list[int]] = {}

    def ask(number: str) -> None:
        ranked[number] = _nearest(dataset, asked[int(number)], kind)

    wall, _, cpu = milliseconds(list(map(str, range(QUERIES))), ask)
    pairs = list(zip(ranked.values(), truth, strict=True))
    return [wall, cpu, *(float(np.mean([len({*a[:n]} & {*b[:n]}) / n for a, b in pairs])) for n in (DEPTH, FIRST))]


def _nearest(dataset: Any, query: Vectors, kind: Kind) -> list[int]:
    nearest = {"column": "vector", "q": query, "k": DEPTH, "metric": "cosine", **kind.asked}
    rows: list[int] = dataset.to_table(columns=["row", "_distance"], nearest=nearest)["row"].to_pylist()
    return rows


def _table(folder: Path, rows: int) -> tuple[str, Vectors]:
    """Write vectors around drawn centres; return where they are, and vectors to ask for."""
    dice = np.random.default_rng(0)
    centres = dice.standard_normal((CENTRES, DIMENSION), dtype=np.float32) + 0.5 * dice.standard_normal(
        DIMENSION, dtype=np.float32
    )
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    uri = str(folder / f"vectors-{rows}.lance")
    schema = pa.schema([("row", pa.int64()), ("vector", pa.list_(pa.float32(), DIMENSION))])

    def parts() -> Any:
        for at in range(0, rows, ROWS_AT_ONCE):
            vectors = around(centres, min(ROWS_AT_ONCE, rows - at), at)
            column = pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), DIMENSION)
            yield pa.record_batch([pa.array(np.arange(at, at + len(vectors))), column], schema=schema)

    import_lance().write_dataset(pa.RecordBatchReader.from_batches(schema, parts()), uri, mode="overwrite")
    return uri, around(centres, QUERIES, rows + 1)
