"""Recipes of chunking and search, and how one is measured on texts and questions with known answers."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from schemas.hits import Hit
from schemas.options.experiment import Ranking
from schemas.options.search import Returned
from schemas.options.sections import ChunkOptions, DescribeOptions, EmbedEngine, EmbedOptions, ParseOptions
from tasks.describe.io.describe import describe_content
from tasks.describe.io.examine import OcrSettings
from tasks.embed.io.tokenizer import find_model_folder, load_tokenizer
from tasks.experiment.io.chunks import cut_texts_into_chunks
from tasks.experiment.io.documents import Library, Text
from tasks.experiment.io.index import MemoryIndex, Questions
from tasks.experiment.io.vectors import VectorFile
from tasks.parse.text.markdown import parse_markdown

K = 5
SAMPLES = 2000
MODEL = "all-MiniLM-L6-v2"
READ_TOKENS = 256
"""So many tokens of a chunk the embedder reads."""

DType = Literal["auto", "float32", "bfloat16"]
Span = tuple[str, int, int]
"""Corpus, start and end in characters."""


class Recipe(NamedTuple):
    """How chunks are cut, ranked and returned."""

    name: str
    chunk: ChunkOptions
    ranking: Ranking = "sum"
    returned: Returned = "chunks"

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


def describe_text(name: str, text: str, plain: bool) -> Text:
    """Return a Markdown text with its elements, or without any if it is to be taken as `plain`."""
    if plain:
        return Text(name, name, {"text": text, "elements": [], "figures": [], "rejects": []})
    settings = OcrSettings(DescribeOptions(), ParseOptions(ocr_languages="eng"))
    return Text(name, name, describe_content(parse_markdown(text.encode()), settings).to_pylist()[0])


class Bench:
    """The data, and the index that was built last."""

    def __init__(
        self,
        data: Path,
        cache: Path,
        plain: bool,
        dtype: DType = "auto",
        chunk_engine: EmbedEngine = "torch",
    ) -> None:
        """Read `corpora/*.md` and `questions.jsonl` of `data`; with `plain`, the corpora's Markdown is not looked at.

        The chunks are embedded by `chunk_engine`, the questions and sentences by torch.
        """
        self.data = data
        self.texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted((data / "corpora").glob("*.md"))}
        rows = [json.loads(line) for line in (data / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
        self.questions = {row["id"]: row["question"] for row in rows}
        self.corpora = np.array([row["corpus"] for row in rows])
        self.library = Library(describe_text(name, text, plain) for name, text in self.texts.items())
        exact = EmbedOptions(model=MODEL, too_long="truncate", dtype=dtype, engine="torch")
        self.vectors = VectorFile(cache, exact)
        self._chunk_vectors = VectorFile(cache, exact.model_copy(update={"engine": chunk_engine}))
        self._index: tuple[ChunkOptions, MemoryIndex] | None = None

    def index(self, options: ChunkOptions) -> MemoryIndex:
        """Return the index for these options; the last one is kept."""
        if self._index is None or self._index[0] != options:
            texts = list(self.questions.values())
            count = load_tokenizer(find_model_folder(MODEL)).count
            chunks = list(cut_texts_into_chunks(list(self.library.texts.values()), options, count, self.vectors.encode))
            vectors = self._chunk_vectors.encode([chunk["embedding_text"] for chunk in chunks])
            self._index = options, MemoryIndex(chunks, vectors, Questions(texts, self.vectors.encode(texts)), self.library)
        return self._index[1]

    def measure(self, recipe: Recipe) -> Measured:
        """Score a recipe with the data's own scorer."""
        index = self.index(recipe.chunk)
        found = index.search(recipe.ranking, recipe.returned, [K]).results[K]
        cut = [(chunk["path"], chunk["start_char"], chunk["end_char"]) for chunk in index.chunks]
        scores = self.scores(cut, [list(map(_span, hits)) for hits in found])
        recall, iou = (np.array([scores[name][measure] for name in self.questions]) for measure in ("recall", "iou"))
        return Measured(recall, iou, len(cut), sum(chunk["n_tokens"] > READ_TOKENS for chunk in index.chunks))

    def scores(self, chunks: Sequence[Span], found: Sequence[Sequence[Span]]) -> dict[str, dict[str, float]]:
        """Return recall and IoU of each question from the data's own scorer; `found` has what each question finds."""
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


def _span(hit: Hit) -> Span:
    return hit.path, hit.start_char, hit.end_char


def interval(values: Any) -> tuple[float, float, float]:
    """Return the mean in percent and its 95 % bootstrap interval."""
    dice = np.random.default_rng(0)
    means = 100 * values[dice.integers(0, len(values), (SAMPLES, len(values)))].mean(axis=1)
    return 100 * float(values.mean()), float(np.percentile(means, 2.5)), float(np.percentile(means, 97.5))


def format_mean(values: Any) -> str:
    """Return the mean with its interval as text."""
    mean, low, high = interval(values)
    return f"{mean:.1f} [{low:.1f}, {high:.1f}]"
