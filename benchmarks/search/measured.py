"""What searches of an open corpus take, as a whole and by parts."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any
from unittest.mock import patch

import numpy as np
import psutil

from benchmarks.search.drawn import SHELF, Drawn
from schemas.corpus import Corpus
from schemas.options.search import Mode, Returned
from tasks.embed.provider import Provider
from tasks.publish.io.recall import measure_index_recall
from tasks.search import passages
from tasks.search.io.chunks import Chunks
from tasks.search.io.retrieve import CorpusEmbedder, Searcher
from tasks.search.io.texts import DocumentTexts
from tasks.search.ranker import Ranker
from tasks.store import published

K = 5
WARM_UP = 5
DENSE, HYBRID, FILTERED = "dense, chunks", "hybrid, passages", "of 1 %: "
WAYS: tuple[tuple[Mode, Returned], ...] = (
    ("dense", "chunks"),
    ("fts", "chunks"),
    ("hybrid", "chunks"),
    ("dense", "passages"),
    ("hybrid", "passages"),
)
WHERE = f"{SHELF} = 7"
TIMED: Mapping[str, tuple[Any, str]] = {
    "embedding the question": (Provider, "encode_queries"),
    "nearest vectors": (Chunks, "find_nearest"),
    "meanwhile: chunks that have its words": (Ranker, "match_words"),
    "meanwhile: documents that the question means": (Ranker, "find_intent"),
    "vectors and rows of chunks, texts that show rare words": (Chunks, "read"),
    "scores": (Ranker, "rank_hybrid"),
    "texts of documents": (DocumentTexts, "load"),
    "joining": (passages, "join_neighbouring_chunks"),
    "sentences": (passages, "split_units"),
    "trimming": (passages, "choose_unit_runs"),
    "elements for citations, mostly while texts are read": (DocumentTexts, "_read_elements"),
}
"""Parts of a search, by the functions that do them. While the question is embedded, another thread does what needs no vector."""

Seconds = dict[str, float]


def open_light_searcher(corpus: Corpus) -> Searcher:
    """Open the live generation as a server does."""
    live = published.read_live_generation(corpus)
    return Searcher(corpus, live, embedding=CorpusEmbedder(corpus, live, light=True))


def searches(drawn: Drawn) -> tuple[dict[str, list[float]], dict[str, float]]:
    """Return median, 95th percentile and CPU in ms of each way to search, and the median of each part of the last one.

    The process has answered `drawn.others` before.
    """
    searcher = open_light_searcher(drawn.corpus)
    for question in drawn.others:
        searcher.search(question, K)
    searcher.chunks.resident.wait()
    found: dict[str, list[float]] = {}
    for mode, returned in WAYS:
        ask = partial(searcher.search, k=K, mode=mode, returned=returned)
        found[f"{mode}, {returned}"] = milliseconds(drawn.questions, ask)
        if f"{mode}, {returned}" in (DENSE, HYBRID):
            found[f"{FILTERED}{mode}, {returned}"] = milliseconds(drawn.questions, partial(ask, where=WHERE))
    parts: dict[str, list[float]] = defaultdict(list)
    with _time_parts() as seconds:
        for question in drawn.questions:
            seconds.clear()
            began = time.perf_counter()
            searcher.search(question, K)
            whole = time.perf_counter() - began
            for name in TIMED:
                parts[name].append(seconds.get(name, 0.0))
            parts["all of it"].append(whole)
    return found, {name: float(np.median(values)) * 1000 for name, values in parts.items()}


def milliseconds(questions: list[str], ask: Callable[[str], object]) -> list[float]:
    """Return median, 95th percentile and median CPU in ms of asking `questions`, after some to warm up."""
    for question in questions[:WARM_UP]:
        ask(question)
    walls, cpus = [], []
    for question in questions[WARM_UP:]:
        began, cpu = time.perf_counter(), time.process_time()
        ask(question)
        walls.append(time.perf_counter() - began)
        cpus.append(time.process_time() - cpu)
    return [1000 * float(value) for value in (np.median(walls), np.percentile(walls, 95), np.median(cpus))]


def recall(drawn: Drawn) -> float:
    """Return what the index finds of the ten nearest, as the gate measures it."""
    return measure_index_recall(published.open_published(drawn.corpus, published.read_live_generation(drawn.corpus), "chunks"))


def memory_mib() -> float:
    """Return the memory of this process."""
    return float(psutil.Process().memory_info().rss) / 2**20


@contextmanager
def _time_parts() -> Iterator[Seconds]:
    """Add up the seconds of each part in the block."""
    seconds: Seconds = defaultdict(float)
    patches = [patch.object(owner, name, _counting(getattr(owner, name), part, seconds)) for part, (owner, name) in TIMED.items()]
    for one in patches:
        one.start()
    try:
        yield seconds
    finally:
        for one in patches:
            one.stop()


def _counting(function: Callable[..., Any], part: str, seconds: Seconds) -> Callable[..., Any]:
    def counted(*values: Any, **named: Any) -> Any:
        began = time.perf_counter()
        try:
            return function(*values, **named)
        finally:
            seconds[part] += time.perf_counter() - began

    return counted
