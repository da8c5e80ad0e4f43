"""`pagemill serve` under many clients: answers per second, and how long they take.

The corpus is drawn: PDFs of prose in random words, so every question has passages to join and trim. Server and clients share
the machine.
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
from benchmarks.report import cache_folder, say, say_table
from benchmarks.serve.clients import load
from benchmarks.sources import WORDS, draw_manuals

PAGES_A_FILE = 25
QUESTION_WORDS = (5, 12)
POPULAR = 50
"""So many questions are asked again and again, where questions repeat."""


def main() -> None:
    """Print a row of figures for each kind of request, alone and by many clients."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--pages", type=int, default=500)
    given = parser.parse_args()
    source, corpus = drawn_corpus(given.pages)
    documents = pagemill.open(corpus).documents(["document_id", "n_chunks"])
    n_chunks = sum(documents["n_chunks"].to_pylist())
    say(f"{documents.num_rows} documents, {given.pages} pages, {n_chunks} chunks; {len(os.sched_getaffinity(0))} cores")
    paths = [f"/documents/{name}" for name in documents["document_id"].to_pylist()]
    with serving(source, corpus) as (url, process):
        rows = {}
        for n in (1, given.clients):
            for name, requests in kinds(paths).items():
                met = load(url, requests, n, given.seconds if n > 1 else given.seconds / 3)
                rows[f"{name}, {n} client{'s' * (n > 1)}"] = [
                    met.per_second,
                    *(met.percentile(share) for share in (50, 95, 100)),
                    float(met.n_failed),
                ]
        say_table(["a second", "median ms", "p95 ms", "longest ms", "failed"], rows, digits=1)
        say(f"memory of the server: {process.memory_info().rss / 2**20:.0f} MiB in {process.num_threads()} threads")


def kinds(documents: list[str]) -> dict[str, list[tuple[str, dict[str, str]]]]:
    """Return many requests of each kind. A new question was never asked."""
    dice = random.Random(1)
    questions = (" ".join(dice.choices(WORDS, k=dice.randint(*QUESTION_WORDS))) for _ in itertools.count())
    popular = list(itertools.islice(questions, POPULAR))
    n = 100_000
    return {
        "new questions": [("/search", {"q": question}) for question in itertools.islice(questions, n)],
        "repeated questions": [("/search", {"q": dice.choice(popular)}) for _ in range(n)],
        "new questions, words only": [("/search", {"q": question, "mode": "fts"}) for question in itertools.islice(questions, n)],
        "documents": [(dice.choice(documents), {}) for _ in range(n)],
    }


def drawn_corpus(n_pages: int) -> tuple[Path, Path]:
    """Return source and corpus of a drawn collection. The source is drawn once, the corpus is made of it by today's code."""
    folder = cache_folder() / "serve" / str(n_pages)
    source, corpus = folder / "source", folder / "corpus"
    if not source.exists():
        draw_manuals(source, n_pages // PAGES_A_FILE, PAGES_A_FILE)
    shutil.rmtree(corpus, ignore_errors=True)
    pagemill.refresh(source, corpus)
    return source, corpus


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
