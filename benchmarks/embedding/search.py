"""What vectors in 8 bits are worth for search: recall and IoU of questions with known answers, and which chunks come first.

As in a corpus, the chunks are embedded in 8 bits, the questions and the sentences of passages in float32.
"""

from pathlib import Path

import numpy as np

from benchmarks.chunking.retrieval import Bench, Recipe
from benchmarks.report import cache_folder, say, say_bar
from schemas.options.sections import ChunkOptions
from tasks.experiment.io.index import MemoryIndex

FIRST = 10
MOST_LOST = 0.2
LEAST_COMMON = 0.95


def run_search(data: Path) -> None:
    """Print what is lost against float32, for dense search with chunks and for the default with passages."""
    cache, chunks = cache_folder() / "embedding", ChunkOptions(strategy="sentence", size_tokens=128)
    exact = Bench(data, cache, plain=False, dtype="float32")
    whole = Bench(data, cache, plain=False, dtype="float32", chunk_engine="openvino")
    for recipe in (Recipe("sentence 128", chunks, "dense"), Recipe("sentence 128", chunks, "sum", "passages")):
        before, after = exact.measure(recipe), whole.measure(recipe)
        say(
            f"{recipe.title}: recall {100 * before.recall.mean():.2f} → {100 * after.recall.mean():.2f}, "
            f"IoU {100 * before.iou.mean():.2f} → {100 * after.iou.mean():.2f}"
        )
        say_bar("recall lost, points", 100 * float(before.recall.mean() - after.recall.mean()), MOST_LOST, at_most=True)
        say_bar("IoU lost, points", 100 * float(before.iou.mean() - after.iou.mean()), MOST_LOST, at_most=True)
    common = _common(exact.index(chunks), whole.index(chunks))
    say_bar(f"share of the first {FIRST} chunks that stay", common, LEAST_COMMON)


def _common(left: MemoryIndex, right: MemoryIndex) -> float:
    found = (index.search("dense", "chunks", [FIRST]).chunks for index in (left, right))
    first = ([{row["chunk_id"] for row in rows} for rows in of_all] for of_all in found)
    return float(np.mean([len(one & other) / FIRST for one, other in zip(*first, strict=True)]))
