"""Measure the embedder: time beside sentence-transformers, likeness of vectors, and search with vectors in 8 bits.

    python -m benchmarks.embedding.run [PARTS…]

PARTS are speed and search; the kit's folder is taken from PAGEMILL_BENCH. Speed is a ratio to sentence-transformers in float32 in
the same process: the engines encode the same texts in turns, and the median of the turns counts.
"""

import sys
from pathlib import Path

from benchmarks.embedding.search import run_search
from benchmarks.embedding.speed import run_speed
from benchmarks.report import kit_folder


def main() -> None:
    """Run the parts that the command line names, or all."""
    data: Path = kit_folder("chunking") / "chunking"
    parts = sys.argv[1:] or ["speed", "search"]
    if "speed" in parts:
        run_speed(data)
    if "search" in parts:
        run_search(data)


if __name__ == "__main__":
    main()
