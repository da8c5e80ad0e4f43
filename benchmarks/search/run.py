"""Milliseconds of a warm search at 100,000 and at a million chunks, by parts; what indexes of vectors find.

One client; NumPy's products have one core. Real text, vectors in clusters (see `drawn`). The old way embeds the sentences of
passages with every question, finds rows by their ids, and compares all vectors.
"""

import argparse
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.report import cache_folder, say, say_bar, say_table

ONE_THREAD = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
BARS = {100_000: (15.0, 40.0), 1_000_000: (20.0, 60.0)}
"""Milliseconds of a dense search, and of a hybrid one that returns passages."""
LEAST_RECALL = 0.95
PARTS = ("ways", "indexes")


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="100000,1000000", help="chunks of each corpus")
    parser.add_argument("--vectors", default="10000,100000,1000000", help="rows of each table of vectors alone")
    parser.add_argument("--parts", default=",".join(PARTS))
    parser.add_argument("--keep", action="store_true", help="keep the corpora in the benchmarks' cache")
    given = parser.parse_args()
    for name in ONE_THREAD:
        os.environ.setdefault(name, "1")
    with _folder(given.keep) as folder:
        if "ways" in given.parts:
            for size in map(int, given.sizes.split(",")):
                _search(folder, size)
        if "indexes" in given.parts:
            for rows in map(int, given.vectors.split(",")):
                _indexes(folder, rows)


@contextmanager
def _folder(keep: bool) -> Iterator[Path]:
    if keep:
        folder = cache_folder() / "search"
        folder.mkdir(exist_ok=True)
        yield folder
        return
    with tempfile.TemporaryDirectory(dir=cache_folder()) as made:
        yield Path(made)


def _search(folder: Path, size: int) -> None:
    from benchmarks.search.drawn import drawn_corpus
    from benchmarks.search.measured import memory_mib, recall, searches
    from benchmarks.search.old_way import time_sentences
    from benchmarks.search.texts import sentences

    drawn = drawn_corpus(folder, size, sentences())
    indexing = {name: round(value, 1) for name, value in drawn.seconds.items() if value > 0.1}
    say(f"{size:,} chunks; seconds of indexing: {indexing or 'made before'}")
    rows, parts = searches(drawn)
    say_table(["median ms", "p95 ms", "CPU ms"], rows, digits=1)
    say("the parts of a hybrid search that returns passages, median ms")
    say_table(["ms"], {name: [value] for name, value in parts.items()}, digits=1)
    say_table(["median ms", "p95 ms", "CPU ms"], {"the old way to trim, for that alone": time_sentences(drawn)}, digits=1)
    say(f"  memory of the process: {memory_mib():.0f} MiB")
    dense, hybrid = BARS.get(size, (None, None))
    if dense and hybrid:
        say_bar("dense, median ms", rows["dense, chunks"][0], dense, at_most=True)
        say_bar("hybrid passages, median ms", rows["hybrid, passages"][0], hybrid, at_most=True)
    say_bar("recall of the ten nearest", recall(drawn), LEAST_RECALL)


def _indexes(folder: Path, rows: int) -> None:
    from benchmarks.search.kinds import compare

    say(f"{rows:,} vectors in clusters; the 200 nearest, of which the share found counts, and that of the ten nearest")
    say_table(["build s", "MB", "ms", "CPU ms", "of 200", "of 10"], compare(folder, rows))


if __name__ == "__main__":
    main()
