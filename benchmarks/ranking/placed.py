"""How well what lies at named places is found, without and with the weight of places."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import pagemill
from benchmarks.ranking.measures import K, measure_cover
from benchmarks.ranking.places import BOOKS, TONGUES, Placed, copy_books, placed_questions
from benchmarks.report import say, say_table
from schemas.corpus import Corpus
from tasks.embed.vectors import VectorCache
from tasks.search import ranking
from tasks.search.io.retrieve import Searcher, open_searcher

COLUMNS = ["first chunk", "5 chunks", "passages"]
WEIGHTS = (0.0, 0.25, 0.5, 1.0, 2.0)


def run_places(folder: Path, packages: Path, reports: Corpus) -> None:
    """Print shares of the gold that is found, by kind of place and by how its document is told, for some weights of places."""
    for name, corpus in (("reports", reports), *_books(folder, packages)):
        questions, memory = placed_questions(corpus), VectorCache()
        searcher = open_searcher(corpus)
        shipped = ranking.LOCATION_WEIGHT
        try:
            for weight in WEIGHTS:
                ranking.LOCATION_WEIGHT = weight
                say(f"{name}, {len(questions)} questions, weight of places {weight:g}")
                say_table(COLUMNS, _measure(searcher, questions, memory))
        finally:
            ranking.LOCATION_WEIGHT = shipped


def _books(folder: Path, packages: Path) -> Iterator[tuple[str, Corpus]]:
    for name, files in (("books", BOOKS), ("tongues", TONGUES)):
        source, corpus = folder / "sources" / name, folder / "corpora" / name
        if not source.exists():
            source.mkdir(parents=True)
            copy_books(source, packages, files)
        pagemill.refresh(source, corpus)
        yield name, Corpus(str(corpus))


def _measure(searcher: Searcher, questions: list[Placed], memory: VectorCache) -> dict[str, list[float]]:
    rows: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for question in questions:
        for told, text, where in _forms(question):
            found = searcher.search_ranked([text], (K,), where=where, memory=memory)
            chunks = [(chunk["path"], chunk["start_char"], chunk["end_char"]) for chunk in found.chunks[0][:K]]
            passages = [(hit.path, hit.start_char, hit.end_char) for hit in found.results[K][0]]
            shares = [measure_cover([question.gold], places)[0] for places in (chunks[:1], chunks, passages)]
            rows[f"{question.kind}, {told}"].append(tuple(shares))
    return {name: np.mean(values, axis=0).tolist() for name, values in sorted(rows.items())}


def _forms(question: Placed) -> Iterator[tuple[str, str, str | None]]:
    yield "document named", f"{question.title}: {question.text}", None
    yield "within the document", question.text, f"document_id = '{question.document_id}'"
    yield "document not told", question.text, None
    if question.wrong:
        yield "document named, page wrong", f"{question.title}: {question.wrong}", None
