"""Measure chunking: recipes against questions with known answers, and the speed beside other libraries.

    make bench NAME=chunking ARGS="[DATA] [--cache DIR] [--parts protocol,recipes,product,speed]"

DATA holds `corpora/*.md`, `questions.jsonl` and `score_chunking.py`, which scores. protocol: two recipes whose figures are known.
recipes: see `benchmarks.chunking.recipes`. product: see `benchmarks.chunking.product`. speed: see
`benchmarks.chunking.speed`.
"""

import argparse
import os
import time
from pathlib import Path

from benchmarks.chunking.product import run_product
from benchmarks.chunking.recipes import run_recipes
from benchmarks.chunking.retrieval import Bench, Recipe
from benchmarks.chunking.speed import run_speed
from benchmarks.report import kit_folder, say
from schemas.options.sections import ChunkOptions

PROTOCOL = (
    ("recursive 200/0", ChunkOptions(strategy="recursive", size_tokens=200, keep_separator="start", context=()), 80.2, 7.1),
    ("token-window 250/125", ChunkOptions(strategy="token-window", size_tokens=252, overlap_tokens=127, context=()), 83.9, 4.2),
)
"""Recipes with the recall and IoU in percent that the set's own README gives for them.

They are cut as there: a separator begins the part behind it, and the 250 tokens of a window are counted without special ones.
"""


def run_protocol(data: Path, cache: Path) -> None:
    """Print how far the protocol's recipes are from their known figures: plain texts, float32, dense search, 256 tokens read."""
    bench = Bench(data, cache, plain=True, dtype="float32")
    for name, options, recall, iou in PROTOCOL:
        found = bench.measure(Recipe(name, options, "dense"))
        say(
            f"{name:<22} recall {100 * found.recall.mean():.2f} (known {recall})  IoU {100 * found.iou.mean():.2f} "
            f"(known {iou})  texts cut at 256 tokens: {found.n_too_long}"
        )


def main() -> None:
    """Run the command line."""
    default = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "pagemill" / "bench-chunking"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, help="by default the folder chunking of PAGEMILL_BENCH")
    parser.add_argument("--cache", type=Path, default=default, help="folder for vectors, and for the libraries of the speed part")
    parser.add_argument("--plain", action="store_true", help="take the texts without Markdown's elements")
    parser.add_argument("--recipes", default="", help="regular expression: only recipes whose titles match")
    parser.add_argument("--parts", default="protocol,recipes,product,speed")
    args = parser.parse_args()
    args.data = args.data or kit_folder("chunking") / "chunking"
    started, bench = time.monotonic(), Bench(args.data, args.cache, args.plain)
    if "protocol" in args.parts:
        run_protocol(args.data, args.cache)
    if "recipes" in args.parts:
        run_recipes(bench, args.recipes)
    if "product" in args.parts:
        run_product(args.data, args.cache)
    if "speed" in args.parts:
        run_speed(bench.texts, args.cache)
    say(f"{time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
