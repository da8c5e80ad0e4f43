"""The product: the same questions asked of a corpus that a refresh built, and how far that is from the benchmark's figures."""

import json
import shutil
import tempfile
from pathlib import Path

import numpy as np

import pagemill
from benchmarks.chunking.recipes import DEFAULT, recipes
from benchmarks.chunking.retrieval import Bench, K, Measured
from benchmarks.report import say, say_bar
from schemas.corpus import Corpus
from tasks.search.io.retrieve import Searcher, open_searcher
from tasks.store import published

NEAR = 0.1
"""Percent by which the product may differ from the benchmark."""


def run_product(data: Path, cache: Path) -> None:
    """Print recall and IoU of a search in a corpus, and those of the default recipe with vectors of the same engine."""
    with tempfile.TemporaryDirectory() as folder:
        source, corpus = Path(folder) / "source", Path(folder) / "corpus"
        shutil.copytree(data / "corpora", source)
        pagemill.refresh(source, corpus)
        searcher = open_searcher(Corpus(str(corpus)))
        bench = Bench(data, cache, plain=False, chunk_engine="openvino" if _in_8_bits(searcher) else "torch")
        [recipe] = [recipe for recipe in recipes() if recipe.title == DEFAULT]
        expected, found = bench.measure(recipe), _search(bench, searcher)
    for name, measured in (("the product", found), ("the benchmark", expected)):
        recall, iou = 100 * measured.recall.mean(), 100 * measured.iou.mean()
        say(f"{name:<16} recall {recall:.2f}  IoU {iou:.2f}  {measured.n_chunks} chunks")
    differing = int(np.sum(np.abs(found.recall - expected.recall) > 0.001))
    say(f"questions whose recall differs: {differing}")
    for what, one, other in (("recall", found.recall, expected.recall), ("IoU", found.iou, expected.iou)):
        say_bar(f"{what}, product beside benchmark", 100 * abs(one.mean() - other.mean()), NEAR, at_most=True)


def _in_8_bits(searcher: Searcher) -> bool:
    details: dict[str, dict[str, object]] = json.loads(searcher.live.recipe_details)
    arithmetic = details["embed"].get("arithmetic")
    return isinstance(arithmetic, dict) and "int8" in arithmetic


def _search(bench: Bench, searcher: Searcher) -> Measured:
    hits = searcher.search_ranked(list(bench.questions.values()), (K,)).results[K]
    spans = [[(hit.path.removesuffix(".md"), hit.start_char, hit.end_char) for hit in found] for found in hits]
    table = published.read_columns(searcher.corpus, searcher.live, "chunks", ["path", "start_char", "end_char"])
    cut = [(row["path"].removesuffix(".md"), row["start_char"], row["end_char"]) for row in table.to_pylist()]
    scores = bench.scores(cut, spans)
    recall, iou = (np.array([scores[name][measure] for name in bench.questions]) for measure in ("recall", "iou"))
    return Measured(recall, iou, len(cut), 0)
