"""What one changed document costs a corpus of 1,000, 10,000, … documents, and what thirty nights do to it.

Documents are notes of two hundred made-up words; the embedder is a model without layers. Sizes above BUILT are made of copies.
"""

import argparse
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.growth import measures, plots
from benchmarks.growth.measures import OneChange
from benchmarks.growth.multiplied import multiply_corpus, multiply_source
from benchmarks.growth.notes import draw_notes
from benchmarks.peers.pipelines import make_stub
from benchmarks.report import say, say_bar, say_table
from schemas.tables.generations import VERSIONED

BUILT = 100_000
"""Up to so many documents a corpus is built by refreshes; a larger one is made of copies of one of COPIED."""
COPIED = 10_000
UNCHANGED_SECONDS = {10_000: 1, 100_000: 5, 1_000_000: 10}
"""What a refresh takes that has nothing to do, up to so many documents."""
CHANGED_SECONDS = {1_000_000: 15}
"""What one takes of so many documents of which one changed."""
CHANGES = 3
"""Changes of one document that are measured: the median counts, and the most that was written."""
DOCS = Path("docs")
MEMORY_MIB = {100_000: 150, 1_000_000: 4096}
PURGED = 300_000
PURGE_SECONDS, PURGE_MIB, PURGE_SHARE = 120, 4096, 2
"""What a purge of one of PURGED documents, or of fewer, takes: seconds, MiB, and bytes written, of those of the tables."""


def grow(work: Path, model: Path, n: int) -> tuple[Path, Path]:
    """Make a source of `n` documents and its corpus; return both."""
    source, corpus = work / f"source-{n}", work / f"corpus-{n}"
    if n <= BUILT:
        draw_notes(source, n)
        seconds, peak = measures.build(source, corpus, model)
        say(f"  {n:,} documents built in {seconds:.0f} s, largest process {peak:.0f} MiB")
        measures.build(source, corpus, model)
        return source, corpus
    draw_notes(work / "copied", COPIED)
    measures.build(work / "copied", corpus, model)
    multiply_source(work / "copied", source, n // COPIED)
    multiply_corpus(str(corpus), n // COPIED)
    measures.build(source, corpus, model)  # nothing changed; what the files hold is remembered from now on
    return source, corpus


def changes_of(source: Path, corpus: Path, model: Path, n: int) -> OneChange:
    """Return what one change costs: medians, and the most that was written."""
    folder = source if n <= BUILT else source / "0000"
    runs = [measures.refresh_one(source, folder, corpus, model, night, n) for night in range(1, CHANGES + 1)]
    unchanged, _ = measures.build(source, corpus, model)
    bar = UNCHANGED_SECONDS[next((most for most in UNCHANGED_SECONDS if n <= most), max(UNCHANGED_SECONDS))]
    say_bar(f"{n:,} documents, seconds when nothing changed", unchanged, bar, at_most=True)
    middle = sorted(runs, key=lambda one: one.seconds)[CHANGES // 2]
    return middle._replace(written_mb=max(one.written_mb for one in runs), peak_mib=max(one.peak_mib for one in runs))


def keep_up(source: Path, corpus: Path, model: Path, n: int) -> None:
    """Roll back, refresh and purge, and print what each took."""
    tables = sum(measures.size_of(corpus / f"{name}.lance") for name in VERSIONED) / measures.MEGABYTE
    found = measures.keep_up(source, corpus, model)
    say_table(["seconds", "CPU s", "written MB", "peak MiB"], found, digits=1)
    purge = found["purge of a document"]
    share = purge.written_mb / tables
    say_bar(f"{n:,} documents, bytes that a purge wrote, of those of the tables", share, PURGE_SHARE, at_most=True)
    if n <= PURGED:
        say_bar(f"{n:,} documents, seconds of a purge", purge.seconds, PURGE_SECONDS, at_most=True)
        say_bar(f"{n:,} documents, MiB of a purge", purge.peak_mib, PURGE_MIB, at_most=True)


def report(changes: Sequence[OneChange]) -> None:
    """Print the table and the bars."""
    rows = {f"{one.documents:,}": one[1:] for one in changes}
    say_table(["written MB", "own MB", "seconds", "publish s", "peak MiB"], rows, digits=2)
    least = changes[0]
    for one in changes:
        say_bar(f"{one.documents:,} documents, MB written", one.written_mb, 1 + 10 * one.own_mb, at_most=True)
        if one.documents in MEMORY_MIB:
            more = one.peak_mib - (least.peak_mib if one.documents < 1_000_000 else 0)
            say_bar(f"{one.documents:,} documents, MiB", more, MEMORY_MIB[one.documents], at_most=True)
        if one.documents in CHANGED_SECONDS:
            say_bar(f"{one.documents:,} documents, seconds", one.seconds, CHANGED_SECONDS[one.documents], at_most=True)
        if one.documents == BUILT:
            say_bar("seconds above those of the smallest", one.seconds - least.seconds, 3, at_most=True)


def nights(source: Path, corpus: Path, model: Path, n: int) -> None:
    """Measure and draw thirty nights."""
    sizes, written = [], []
    for night, size, new in measures.thirty_nights(source, corpus, model, n):
        say(f"  night {night}: {size:.1f} MB, {new:.1f} MB written")
        sizes.append(size)
        written.append(new)
    fresh = measures.rebuilt(source, corpus.with_name("fresh"), model)
    say_bar(f"room after thirty nights, of {fresh:.1f} MB", max(sizes) / fresh, 2.5, at_most=True)
    plots.plot_nights(sizes, written, fresh, DOCS / "growth-nights.svg")


@contextmanager
def scratch(given: str | None) -> Iterator[Path]:
    """Give a folder to work in: a temporary one, or that of a name."""
    if given:
        Path(given).mkdir(parents=True, exist_ok=True)
        yield Path(given).resolve()
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1000,10000", help="numbers of documents, with commas between them")
    parser.add_argument("--nights", type=int, default=1000, help="documents of the corpus of thirty nights; 0: none")
    parser.add_argument("--upkeep", action="store_true", help="roll back and purge too")
    parser.add_argument("--work", help="a folder for sources and corpora; a temporary one else")
    given = parser.parse_args()
    os.environ["PAGEMILL_RUN_DIR"] = os.devnull  # no server: a run must not report to one that happens to be up
    with scratch(given.work) as work:
        model, changes = make_stub(work / "model"), []
        for n in map(int, given.sizes.split(",")):
            source, corpus = grow(work, model, n)
            changes.append(changes_of(source, corpus, model, n))
            say(json.dumps(changes[-1]._asdict()))
            if given.upkeep:
                keep_up(source, corpus, model, n)
        report(changes)
        plots.plot_changes(changes, DOCS / "growth-change.svg")
        if given.nights:
            draw_notes(work / "nights", given.nights)
            measures.build(work / "nights", work / "corpus-nights", model)
            nights(work / "nights", work / "corpus-nights", model, given.nights)


if __name__ == "__main__":
    main()
