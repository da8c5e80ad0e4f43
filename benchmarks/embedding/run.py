"""Measure the embedder: time beside sentence-transformers, likeness of vectors, and search with vectors in 8 bits.

PAGEMILL_BENCH names the folder of the kit. Speed is a ratio to sentence-transformers in float32 in
the same process: the engines encode the same texts in turns, and the median of the turns counts.
"""

from pathlib import Path

from benchmarks.embedding.search import run_search
from benchmarks.embedding.speed import run_speed
from benchmarks.report import kit_folder, parts_to_run


def main() -> None:
    """Run the parts that the command line names, or all."""
    parts = parts_to_run(__doc__, ("speed", "search"))
    data: Path = kit_folder("chunking") / "chunking"
    if "speed" in parts:
        run_speed(data)
    if "search" in parts:
        run_search(data)


if __name__ == "__main__":
    main()
