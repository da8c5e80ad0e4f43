"""What a refresh costs when nothing, little or everything changed, and what Prefect adds to it.

Real documents are those of a benchmark kit: PAGEMILL_BENCH names its folder, which holds parsing/pdf, corpus/pdf and
robustness/pdf. Without it only the sources that the benchmark draws itself are measured.
"""

import argparse
import os
import shutil
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.refresh.orchestration import compare_orchestration
from benchmarks.refresh.processes import pagemill
from benchmarks.sources import draw_manuals, draw_texts
from flows.cli.main import silence_libraries

PEERS = "CocoIndex 2.4 s for 105 PDFs, 9.1 s for 10,000 files; LlamaIndex 12 s, 21 s (published with the kit, same two cores)"
RUNS = 5


def say(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)


def copy_source(folder: Path, to: Path) -> Path:
    """Copy a source, so that it can be edited."""
    shutil.copytree(folder, to)
    return to


def age(source: Path) -> None:
    """Make all files look a minute old: younger ones are read again on purpose."""
    for path in source.rglob("*"):
        if path.is_file():
            found = path.stat()
            os.utime(path, (found.st_atime - 60, found.st_mtime - 60))


def real_input(kit: Path, work: Path) -> None:
    """Every file ends as a document with chunks or as a reject."""
    say("\nReal input: every file is a document with chunks, or a reject")
    for name in ("parsing", "corpus", "robustness"):
        source, corpus = kit / name / "pdf", work / f"real-{name}"
        cost = pagemill("refresh", source, "--corpus", corpus)
        n_files = sum(1 for path in source.rglob("*") if path.is_file())
        live = pagemill("status", "--corpus", corpus).printed
        rejects = [row for row in pagemill("rejects", "--corpus", corpus).printed if row["page_number"] == 0]
        pages = [row for row in pagemill("rejects", "--corpus", corpus).printed if row["page_number"]]
        total = live["n_documents"] + len(rejects)
        say(
            f"  {name:<11} {n_files} files = {live['n_documents']} documents + {len(rejects)} rejects"
            f"{'' if total == n_files else '  MISSED'}; {live['n_chunks']} chunks, {len(pages)} pages rejected; "
            f"{cost.seconds:.1f} s, largest process {cost.peak_mib:.0f} MiB"
        )


def no_change(title: str, source: Path, corpus: Path, bar: float, aim: float) -> None:
    """The time of a refresh that has nothing to do, start of Python included."""
    if not corpus.exists():
        age(source)
        first = pagemill("refresh", source, "--corpus", corpus)
        say(f"  {title}: first build {first.seconds:.1f} s, largest process {first.peak_mib:.0f} MiB")
    pagemill("refresh", source, "--corpus", corpus)
    before = tables(corpus)
    seconds = []
    for _ in range(RUNS):
        cost = pagemill("refresh", source, "--corpus", corpus)
        assert cost.printed["outcome"] == "nothing changed", cost.printed
        seconds.append(cost.seconds)
    wrote = "nothing written" if tables(corpus) == before else "TABLES WRITTEN"
    say(
        f"  {title}: nothing changed {statistics.median(seconds):.2f} s (min {min(seconds):.2f}, max {max(seconds):.2f}), "
        f"bar {bar} s, aim {aim} s; {wrote}"
    )


def tables(corpus: Path) -> dict[str, float]:
    """Return the modification time of every file of the corpus's tables."""
    return {str(path): path.stat().st_mtime for path in corpus.glob("*.lance/**/*")}


def one_change(title: str, source: Path, corpus: Path, edit: Callable[[Path], None]) -> None:
    """What a refresh computes and takes when one document changed."""
    edit(source)
    cost = pagemill("refresh", source, "--corpus", corpus)
    computed = {step: int(done["computed"]) for step, done in cost.printed["steps"].items()}
    say(f"  {title}: one document changed {cost.seconds:.1f} s, computed {computed}, largest process {cost.peak_mib:.0f} MiB")


def memory(work: Path, n_files: int, n_pages: int) -> None:
    """Peak memory of 2,000 pages, and of one change in corpora of growing size."""
    say(f"\nMemory: {n_files * n_pages:,} drawn pages; bar 3,072 MiB in the largest process")
    source = work / "manuals"
    draw_manuals(source, n_files, n_pages)
    cost = pagemill("refresh", source, "--corpus", work / "manuals-corpus", "--set", "gate.accept_drift=true")
    say(f"  first build: {cost.seconds:.0f} s, largest process {cost.peak_mib:.0f} MiB")
    one_change("2,000 pages", source, work / "manuals-corpus", add_note)


def add_note(source: Path) -> None:
    """Add one small document."""
    (source / "added-note.txt").write_text("One more note, about the flood of the valley in winter.\n")


def parse_arguments() -> argparse.Namespace:
    """Read the command line: which parts to run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parts = ("real", "nochange", "memory", "orchestration")
    parser.add_argument("parts", nargs="*", default=list(parts), help=f"of {', '.join(parts)}; all by default")
    return parser.parse_args()


def main() -> None:
    """Run the parts and print their figures."""
    silence_libraries()
    arguments = parse_arguments()
    named = os.environ.get("PAGEMILL_BENCH")
    kit = Path(named) if named else None
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        parts: dict[str, Callable[[], Any]] = {
            "real": lambda: real_input(kit, work) if kit else say("no PAGEMILL_BENCH, no real input"),
            "nochange": lambda: changes(kit, work),
            "memory": lambda: memory(work, 20, 100),
            "orchestration": lambda: compare_orchestration(_pages(kit, work), work, say),
        }
        for part in arguments.parts:
            parts[part]()


def _pages(kit: Path | None, work: Path) -> Path:
    """Return the 99-page corpus of the kit, or one of 99 drawn pages."""
    if kit:
        return kit / "parsing" / "pdf"
    draw_manuals(work / "drawn-pages", 99, 1)
    return work / "drawn-pages"


def changes(kit: Path | None, work: Path) -> None:
    """Nothing and one document changed, on the 99-page corpus and on 10,000 small files."""
    say(f"\nNothing changed, and one document changed. Peers: {PEERS}")
    pages = copy_source(_pages(kit, work), work / "pages")
    no_change("99 pages", pages, work / "pages-corpus", 5, 2)
    one_change("99 pages", pages, work / "pages-corpus", add_note)
    draw_texts(work / "texts", 10_000)
    no_change("10,000 files", work / "texts", work / "texts-corpus", 5, 4)
    one_change("10,000 files", work / "texts", work / "texts-corpus", add_note)


if __name__ == "__main__":
    main()
