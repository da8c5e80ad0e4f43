"""Measure chunking: recipes against questions with known answers, and the speed beside other libraries.

    python -m benchmarks.chunking DATA [--cache DIR] [--parts protocol,recipes,speed]

DATA holds `corpora/*.md`, `questions.jsonl` and `score_chunking.py`, which scores. protocol: two recipes whose figures are known.
recipes: recall and IoU of five results, with 95 % bootstrap intervals over the questions. speed: see `benchmarks.chunk_speed`.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.chunk_index import CachedEmbedder, ChunkIndex, Span, described
from schemas.options import ChunkOptions

K = 5
SAMPLES = 2000
PROTOCOL = {"recursive 200/0": (80.2, 7.1), "token-window 250/125": (83.9, 4.2)}
"""Recall and IoU in percent that the set's own README gives for these recipes."""


class Recipe(NamedTuple):
    """How chunks are cut, ranked (dense, lexical, rrf, sum) and returned (chunks, passages, parents)."""

    name: str
    chunk: ChunkOptions
    ranking: str = "sum"
    returned: str = "chunks"

    @property
    def title(self) -> str:
        """The recipe in one line."""
        return f"{self.name}, {self.ranking}, {self.returned}"


def _chunkings() -> Iterator[tuple[str, ChunkOptions, tuple[str, ...]]]:
    """Yield a name, how to cut, and rankings with what is returned: `sum` for chunks, `sum+` for passages, `sum^` for parents."""

    def options(strategy: Any, size: int, **own: Any) -> ChunkOptions:
        return ChunkOptions(strategy=strategy, size_tokens=size, **own)

    full = ("dense", "lexical", "rrf", "sum", "dense+", "sum+")
    yield "recursive 200/0", options("recursive", 200), ("dense", "sum", "sum+")
    yield "token-window 250/125", options("token-window", 250, overlap_tokens=125), ("dense", "sum")
    yield "sentence 128", options("sentence", 128), full
    yield "sentence 200", options("sentence", 200), ("dense", "sum", "sum+")
    yield "sentence 256", options("sentence", 256), ("sum", "sum+")
    yield "sentence 64", options("sentence", 64), ("sum", "sum+")
    yield "sentence 96", options("sentence", 96), ("sum", "sum+")
    yield "sentence 160", options("sentence", 160), ("dense", "sum", "sum+")
    yield "sentence 256/75", options("sentence", 256, overlap_tokens=75), ("sum",)
    yield (
        "sentence 128 with title and section",
        options("sentence", 128, context=("title", "section", "header", "caption")),
        ("sum+",),
    )
    yield "recursive 128/0", options("recursive", 128), ("sum", "sum+")
    yield "token-window 128/0", options("token-window", 128), ("sum", "sum+")
    yield "token-window 500/250, truncated", options("token-window", 500, overlap_tokens=250), ("sum",)
    yield "sentence-window 10/3", options("sentence-window", 256), ("sum",)
    yield "structural 256", options("structural", 256), ("sum",)
    yield "semantic-percentile 95", options("semantic-percentile", 256), ("sum",)
    yield "semantic-percentile 75", options("semantic-percentile", 256, percentile=75.0), ("sum", "sum+")
    yield "semantic-threshold 0.5", options("semantic-threshold", 256), ("sum",)
    yield "semantic-merge 0.5", options("semantic-merge", 256), ("sum",)
    yield "cluster 200", options("cluster", 200), ("sum", "sum+")
    yield "parent-child 128 in 1000", options("parent-child", 128), ("sum^", "sum+")
    yield "adaptive 128", options("adaptive", 128), ("sum+",)


def recipes() -> list[Recipe]:
    """Return the recipes that are compared."""
    marks = {"+": "passages", "^": "parents"}
    return [
        Recipe(name, chunk, ranking.rstrip("+^"), marks.get(ranking[-1], "chunks"))
        for name, chunk, rankings in _chunkings()
        for ranking in rankings
    ]


class Measured(NamedTuple):
    """Recall and IoU of each question, for one recipe, and the chunks that were made."""

    recall: Any
    iou: Any
    n_chunks: int
    n_too_long: int


class Bench:
    """The data, and the indexes that were built last."""

    def __init__(self, data: Path, cache: Path, plain: bool) -> None:
        self.data = data
        self.texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted((data / "corpora").glob("*.md"))}
        rows = [json.loads(line) for line in (data / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
        self.questions = {row["id"]: row["question"] for row in rows}
        self.described = [described(name, text, plain) for name, text in self.texts.items()]
        self.embedder = CachedEmbedder(cache)
        self._index: tuple[ChunkOptions, ChunkIndex] | None = None

    def index(self, options: ChunkOptions) -> ChunkIndex:
        """Return the index for these options; the last one is kept."""
        if self._index is None or self._index[0] != options:
            self._index = options, ChunkIndex(self.described, options, self.embedder, list(self.questions.values()))
        return self._index[1]

    def measure(self, recipe: Recipe) -> Measured:
        """Score a recipe with the data's own scorer."""
        index = self.index(recipe.chunk)
        results = {"chunks": index.chunk_results, "passages": index.passage_results, "parents": index.parent_results}
        found = results[recipe.returned](index.rank(recipe.ranking), K)
        scores = self._score([(row["corpus"], row["start_char"], row["end_char"]) for row in index.chunks], found)
        recall, iou = (np.array([scores[name][measure] for name in self.questions]) for measure in ("recall", "iou"))
        return Measured(recall, iou, len(index.chunks), index.n_too_long)

    def _score(self, chunks: Sequence[Span], found: Sequence[Sequence[Span]]) -> dict[str, dict[str, float]]:
        with tempfile.TemporaryDirectory() as folder:
            cut, retrieved, report = (Path(folder) / name for name in ("chunks.jsonl", "retrieved.json", "report.json"))
            cut.write_text(
                "".join(json.dumps(dict(zip(("corpus", "start", "end"), span, strict=True))) + "\n" for span in chunks)
            )
            retrieved.write_text(json.dumps(dict(zip(self.questions, found, strict=True))))
            command = [sys.executable, str(self.data / "score_chunking.py"), str(cut), str(retrieved), "--json", str(report)]
            subprocess.run([*command, "--k", str(K)], check=True, stdout=subprocess.DEVNULL)
            scores: dict[str, dict[str, float]] = json.loads(report.read_text())["questions"]
            return scores


def interval(values: Any) -> tuple[float, float, float]:
    """Return the mean in percent and its 95 % bootstrap interval."""
    dice = np.random.default_rng(0)
    means = 100 * values[dice.integers(0, len(values), (SAMPLES, len(values)))].mean(axis=1)
    return 100 * float(values.mean()), float(np.percentile(means, 2.5)), float(np.percentile(means, 97.5))


def run_protocol(bench: Bench) -> None:
    """Print how far two recipes are from their known figures."""
    for recipe in recipes():
        if recipe.name in PROTOCOL and recipe.ranking == "dense":
            found, known = bench.measure(recipe), PROTOCOL[recipe.name]
            print(
                f"{recipe.title:<40} recall {100 * found.recall.mean():.1f} (known {known[0]})  "
                f"IoU {100 * found.iou.mean():.2f} (known {known[1]})  texts cut at 256 tokens: {found.n_too_long}"
            )


def run_recipes(bench: Bench, wanted: str) -> None:
    """Print recall and IoU of every recipe whose title the expression `wanted` matches."""
    print(f"{'recipe':<58} {'chunks':>6} {'recall':>22} {'IoU':>20} {'halves':>22}")
    odd = np.arange(len(bench.questions)) % 2 == 1
    for recipe in (recipe for recipe in recipes() if re.search(wanted, recipe.title)):
        found = bench.measure(recipe)
        cells = [f"{mean:.1f} [{low:.1f}, {high:.1f}]" for mean, low, high in map(interval, (found.recall, found.iou))]
        halves = "  ".join(f"{100 * found.recall[half].mean():.1f}/{100 * found.iou[half].mean():.1f}" for half in (odd, ~odd))
        print(f"{recipe.title:<58} {found.n_chunks:>6} {cells[0]:>22} {cells[1]:>20} {halves:>22}", flush=True)


def main() -> None:
    """Run the command line."""
    default = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "pagemill" / "bench-chunking"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--cache", type=Path, default=default, help="folder for vectors, and for the libraries of the speed part")
    parser.add_argument("--plain", action="store_true", help="take the texts without Markdown's elements")
    parser.add_argument("--recipes", default="", help="regular expression: only recipes whose titles match")
    parser.add_argument("--parts", default="protocol,recipes,speed")
    args = parser.parse_args()
    started, bench = time.monotonic(), Bench(args.data, args.cache, args.plain)
    if "protocol" in args.parts:
        run_protocol(bench)
    if "recipes" in args.parts:
        run_recipes(bench, args.recipes)
    if "speed" in args.parts:
        from benchmarks.chunk_speed import run_speed

        run_speed(bench.texts, args.cache)
    print(f"{time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
