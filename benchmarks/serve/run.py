"""`pagemill serve` under many clients: answers per second, and how long they take.

The corpus is drawn: PDFs of prose in random words, so every question has passages to join and trim; or, with `--chunks`, the
texts of manuals, as many as the benchmark of searches draws. Server and clients share the machine.
"""

import argparse
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

import pagemill
from benchmarks.report import cache_folder, say, say_bar, say_table
from benchmarks.search import texts
from benchmarks.search.drawn import drawn_corpus
from benchmarks.serve.clients import load
from benchmarks.sources import WORDS, draw_manuals

PAGES_A_FILE = 25
QUESTION_WORDS = (5, 12)
LEAST_ANSWERS, MOST_MS = 35, 1500
"""Bars of new questions by many clients: answers a second, and the 95th percentile."""
POPULAR = 50
"""So many questions are asked again and again, where questions repeat."""
NEW, MANY = 50_000, 200_000
"""So many requests of a kind are drawn, more than are answered."""


def main() -> None:
    """Print a row of figures for each kind of request, alone and by many clients."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--chunks", type=int, default=0, help="so many chunks of manuals in place of pages")
    given = parser.parse_args()
    source, corpus, questions = _draw_chunks(given.chunks) if given.chunks else _draw_pages(given.pages)
    documents = pagemill.open(corpus).documents(["document_id", "n_chunks"])
    n_chunks = sum(documents["n_chunks"].to_pylist())
    say(f"{documents.num_rows} documents, {n_chunks} chunks; {len(os.sched_getaffinity(0))} cores")
    paths = [f"/documents/{name}" for name in documents["document_id"].to_pylist()]
    with serving(source, corpus) as (url, process):
        rows = {}
        for n in (1, given.clients):
            for name, requests in kinds(paths, questions).items():
                met = load(url, requests, n, given.seconds if n > 1 else given.seconds / 3)
                rows[f"{name}, {n} client{'s' * (n > 1)}"] = [
                    met.per_second,
                    *(met.percentile(share) for share in (50, 95, 100)),
                    float(met.n_failed),
                    process.memory_info().rss / 2**20,
                ]
        say_table(["a second", "median ms", "p95 ms", "longest ms", "failed", "MiB then"], rows, digits=1)
        new = rows[f"new questions, {given.clients} clients"]
        say_bar("new questions, answers a second", new[0], LEAST_ANSWERS)
        say_bar("new questions, p95 ms", new[2], MOST_MS, at_most=True)


def kinds(documents: list[str], questions: Iterator[str]) -> dict[str, list[tuple[str, dict[str, str]]]]:
    """Return many requests of each kind. A new question was never asked."""
    dice = random.Random(1)
    popular = list(itertools.islice(questions, POPULAR))
    return {
        "new questions": [("/search", {"q": question}) for question in itertools.islice(questions, NEW)],
        "repeated questions": [("/search", {"q": dice.choice(popular)}) for _ in range(MANY)],
        "new questions, words only": [("/search", {"q": words, "mode": "fts"}) for words in itertools.islice(questions, NEW)],
        "documents": [(dice.choice(documents), {}) for _ in range(MANY)],
    }


def _draw_pages(n_pages: int) -> tuple[Path, Path, Iterator[str]]:
    """Return source, corpus and questions of drawn PDFs. The source is drawn once, the corpus is made of it by today's code."""
    folder = cache_folder() / "serve" / str(n_pages)
    source, corpus = folder / "source", folder / "corpus"
    if not source.exists():
        draw_manuals(source, n_pages // PAGES_A_FILE, PAGES_A_FILE)
    shutil.rmtree(corpus, ignore_errors=True)
    pagemill.refresh(source, corpus)
    dice = random.Random(1)
    return source, corpus, (" ".join(dice.choices(WORDS, k=dice.randint(*QUESTION_WORDS))) for _ in itertools.count())


def _draw_chunks(n: int) -> tuple[Path, Path, Iterator[str]]:
    """Return source, corpus and questions of drawn chunks, which the benchmark of searches keeps too."""
    folder = cache_folder() / "search"
    folder.mkdir(exist_ok=True)
    sentences = texts.sentences()
    drawn = drawn_corpus(folder, n, sentences)
    return folder / "source", Path(drawn.corpus.uri), iter(texts.questions(sentences, 2 * (POPULAR + 2 * NEW)))


@contextmanager
def serving(source: Path, corpus: Path) -> Iterator[tuple[str, psutil.Process]]:
    """Serve the corpus for the length of the block; its URL and its process."""
    call = [sys.executable, "-m", "flows.cli", "serve", "--corpus", str(corpus), "--source", str(source), "--port", "0", "--json"]
    with subprocess.Popen(call, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield json.loads(process.stdout.readline())["url"], psutil.Process(process.pid)
        finally:
            process.terminate()


if __name__ == "__main__":
    main()
