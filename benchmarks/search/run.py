"""Milliseconds of a warm search at 100,000 and at a million chunks, by parts; what indexes of vectors find.

One client; NumPy's products have one core. Real text, vectors in clusters (see `drawn`). The old way embeds the sentences of
passages with every question, finds rows by their ids, and compares all vectors. `--sizes 10000000` takes 40 GB of disk; where
there is less, half as many chunks are measured, or a quarter.
"""

import argparse
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.report import cache_folder, say, say_bar, say_table

ONE_THREAD = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
BARS = {100_000: (15.0, 40.0), 1_000_000: (20.0, 60.0), 10_000_000: (25.0, 60.0)}
"""Median milliseconds of a dense search, and of a hybrid one that returns passages, of so many chunks at most."""
MOST_OF_P95, MOST_FILTERED, MOST_GIB = 2.0, 1.5, 8.0
"""The 95th percentile, by the bar of the median; a search of 1 % of the chunks, by one of all; the memory of the process."""
LEAST_RECALL = 0.95
BYTES_A_CHUNK = 4_000
"""On the disk, while a corpus is made."""
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
                _search(folder, _fit_to_disk(folder, size))
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


def _fit_to_disk(folder: Path, size: int) -> int:
    """Return the number of chunks of a corpus, halved until there is room for it; one that is there takes none."""
    free, wanted = shutil.disk_usage(folder).free, size
    while size * BYTES_A_CHUNK > free and not (folder / f"corpus-{size}").exists():
        size //= 2
    if size < wanted:
        need = f"{wanted:,} chunks need {wanted * BYTES_A_CHUNK / 1e9:.0f} GB of disk"
        say(f"{need}, and {free / 1e9:.0f} are free: {size:,} instead")
    return size


def _search(folder: Path, size: int) -> None:
    from benchmarks.search.drawn import drawn_corpus
    from benchmarks.search.measured import DENSE, FILTERED, HYBRID, memory_mib, recall, searches
    from benchmarks.search.old_way import time_sentences
    from benchmarks.search.texts import sentences

    drawn = drawn_corpus(folder, size, sentences())
    writing, indexing, peak = drawn.built
    taken = ", ".join(f"{name} {seconds:.0f} s" for name, seconds in indexing.items() if seconds > 0.5)
    say(f"{size:,} chunks: {writing:.0f} s to write, indexes: {taken or 'below a second'}; {peak:.0f} MiB at most")
    rows, parts = searches(drawn)
    memory = memory_mib()
    say_table(["median ms", "p95 ms", "CPU ms"], rows, digits=1)
    say("the parts of a hybrid search that returns passages, median ms")
    say_table(["ms"], {name: [value] for name, value in parts.items()}, digits=1)
    say_table(["median ms", "p95 ms", "CPU ms"], {"the old way to trim, for that alone": time_sentences(drawn)}, digits=1)
    bars = next((bars for most, bars in BARS.items() if size <= most), BARS[max(BARS)])
    for name, bar in zip((DENSE, HYBRID), bars, strict=True):
        median, p95, _ = rows[name]
        say_bar(f"{name}, median ms", median, bar, at_most=True)
        say_bar(f"{name}, 95th percentile ms", p95, MOST_OF_P95 * bar, at_most=True)
        say_bar(f"{name}, of 1 % by of all", rows[f"{FILTERED}{name}"][0] / median, MOST_FILTERED, at_most=True)
    say_bar("memory of the process, GiB", memory / 1024, MOST_GIB, at_most=True)
    say_bar("recall of the ten nearest", recall(drawn), LEAST_RECALL)


def _indexes(folder: Path, rows: int) -> None:
    from benchmarks.search.kinds import compare

    say(f"{rows:,} vectors in clusters; the 200 nearest, of which the share found counts, and that of the ten nearest")
    say_table(["build s", "MB", "ms", "CPU ms", "of 200", "of 10"], compare(folder, rows))


if __name__ == "__main__":
    main()
