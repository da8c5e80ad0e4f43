"""Recipes of chunking and search, and how one is measured on texts and questions with known answers."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.chunking.index import CachedEmbedder, ChunkIndex, DType, Span, described
from schemas.options.sections import ChunkOptions, SettledEngine

K = 5
SAMPLES = 2000


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


class Measured(NamedTuple):
    """Recall and IoU of each question, for one recipe, and the chunks that were made."""

    recall: Any
    iou: Any
    n_chunks: int
    n_too_long: int


class Bench:
    """The data, and the indexes that were built last."""

    def __init__(
        self,
        data: Path,
        cache: Path,
        plain: bool,
        dtype: DType = "auto",
        chunk_cache: Path | None = None,
        engine: SettledEngine = "torch",
    ) -> None:
        """Read `corpora/*.md` and `questions.jsonl` of `data`; with `plain`, the corpora's Markdown is not looked at.

        With a `chunk_cache` of their own, the chunks are embedded by `engine`.
        """
        self.data = data
        self.texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted((data / "corpora").glob("*.md"))}
        rows = [json.loads(line) for line in (data / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
        self.questions = {row["id"]: row["question"] for row in rows}
        self.corpora = np.array([row["corpus"] for row in rows])
        self.described = [described(name, text, plain) for name, text in self.texts.items()]
        self.embedder = CachedEmbedder(cache, dtype)
        self.chunk_embedder = CachedEmbedder(chunk_cache, engine=engine) if chunk_cache else self.embedder
        self._index: tuple[ChunkOptions, ChunkIndex] | None = None

    def index(self, options: ChunkOptions) -> ChunkIndex:
        """Return the index for these options; the last one is kept."""
        if self._index is None or self._index[0] != options:
            questions = list(self.questions.values())
            self._index = options, ChunkIndex(self.described, options, self.embedder, questions, self.chunk_embedder)
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


def shown(values: Any) -> str:
    """Return the mean with its interval as text."""
    mean, low, high = interval(values)
    return f"{mean:.1f} [{low:.1f}, {high:.1f}]"
