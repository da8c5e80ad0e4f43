"""Costs: how large the index of a generation is, and how long a search takes in it."""

import time
from collections.abc import Mapping, Sequence

import numpy as np

from schemas.corpus import Corpus
from schemas.options.sections import EvaluateOptions
from schemas.references import Frozen
from schemas.tables.evaluations import LENGTH_STEP
from tasks.evaluate.report.data import USUAL_CUTOFF
from tasks.publish.io.retained_chunks import load_chunk_lengths
from tasks.search.io.retrieve import Searcher
from tasks.store import published
from tasks.store.published import Generation

TIMED = 10
"""How many questions are searched for one by one to measure how long a search takes."""


class Costs(Frozen):
    """What an index costs: its bytes on the disk, chunks by length in steps of LENGTH_STEP tokens, and times of searches (ms)."""

    index_bytes: int
    lengths: tuple[int, ...]
    search_p50_ms: float | None
    search_p95_ms: float | None


def measure_index_and_searches(searcher: Searcher, questions: Sequence[str], options: EvaluateOptions) -> Costs:
    """Measure the index that a searcher has opened, and searches for some of the questions for USUAL_CUTOFF results each."""
    taken = time_searches(searcher, questions, options)
    p50, p95 = np.percentile(taken, [50, 95]).tolist() if taken else (None, None)
    return Costs(
        index_bytes=measure_index_bytes(searcher.corpus, searcher.live),
        lengths=count_chunk_lengths(searcher.corpus, searcher.live),
        search_p50_ms=p50,
        search_p95_ms=p95,
    )


def time_searches(searcher: Searcher, questions: Sequence[str], options: EvaluateOptions) -> list[float]:
    """Return how long single searches took (ms), for TIMED of the questions, evenly spread, after one to warm up."""
    step = max(1, len(questions) // TIMED)
    taken = []
    for question in [*questions[:1], *questions[::step][:TIMED]]:  # the first one warms up
        start = time.perf_counter()
        searcher.search(question, USUAL_CUTOFF, options.mode, returned=options.returned)
        taken.append((time.perf_counter() - start) * 1000)
    return taken[1:]


def measure_index_bytes(corpus: Corpus, live: Generation) -> int:
    """Return the size of the chunks, their vectors and their indexes on the disk (bytes)."""
    dataset = published.open_published(corpus, live, "chunks")
    data = sum(file.file_size_bytes or 0 for fragment in dataset.get_fragments() for file in fragment.data_files())
    return int(data + sum(index.total_size_bytes or 0 for index in dataset.describe_indices()))


def count_chunk_lengths(corpus: Corpus, live: Generation) -> tuple[int, ...]:
    """Return how many chunks have 0 to 15 tokens, how many 16 to 31, and so on."""
    kept = load_chunk_lengths(corpus, live.versions["chunks"])
    if kept is not None:
        return count_lengths_in_bins(kept.tokens)
    column = published.read_columns(corpus, live, "chunks", ["n_tokens"])["n_tokens"].value_counts()
    return count_lengths_in_bins({row["values"]: row["counts"] for row in column.to_pylist()})


def count_lengths_in_bins(counts: Mapping[int, int]) -> tuple[int, ...]:
    """Return how many lengths are from 0 to below LENGTH_STEP, and so on, up to the longest; `counts` counts each length.

    >>> count_lengths_in_bins({3: 1, 15: 1, 16: 1, 40: 1})
    (2, 1, 1)
    """
    bins = [0] * (max(counts, default=-1) // LENGTH_STEP + 1)
    for length, n in counts.items():
        bins[length // LENGTH_STEP] += n
    return tuple(bins)
