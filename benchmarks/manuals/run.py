"""What a page costs when the manuals of free programs, thousands of pages, are built into a corpus.

The manuals are packages of Debian, fetched by `apt-get download` and kept in the cache of the benchmarks.
"""

import argparse
import gzip
import os
import tempfile
from pathlib import Path

import pymupdf

from benchmarks.debian import unpack_package
from benchmarks.refresh.processes import pagemill
from benchmarks.report import say, say_bar

PACKAGES = (
    "r-doc-pdf",
    "octave-doc",
    "gretl-doc",
    "gnuplot-doc",
    "pari-doc",
    "gri-pdf-doc",
    "siscone-doc-pdf",
)
"""Manuals of programs for statistics, numerics and physics, by other hands and in other layouts than the kit's documents."""

SECONDS_A_PAGE = 0.08


def manuals(names: list[str], folder: Path) -> int:
    """Put the PDFs of the packages into `folder`, equal ones once; return how many pages they have."""
    folder.mkdir(parents=True)
    n_pages, known = 0, set()
    for name in names:
        for path in sorted(unpack_package(name).rglob("*.pdf*")):
            target = folder / f"{name}-{path.name.removesuffix('.gz')}"
            content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            if content in known:
                continue
            known.add(content)
            target.write_bytes(content)
            with pymupdf.open(target) as document:
                n_pages += document.page_count
                say(f"  {target.name}: {document.page_count} pages")
    return n_pages


def main() -> None:
    """Build a corpus of the manuals, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="*", default=list(PACKAGES), help="packages of Debian with PDFs")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "manuals"
        n_pages = manuals(given.packages, source)
        os.environ["PAGEMILL_RUN_DIR"] = os.devnull  # no server: a run must not report to one that happens to be up
        cost = pagemill("refresh", source, "--corpus", Path(folder) / "corpus")
        say(
            f"{n_pages:,} pages in {cost.seconds:.0f} s, {cost.cpu_seconds:.0f} s of CPU, largest process {cost.peak_mib:.0f} MiB"
        )
        say(f"  seconds by phase: {cost.printed['seconds']}")
        say_bar("CPU seconds a page", cost.cpu_seconds / n_pages, SECONDS_A_PAGE, at_most=True)


if __name__ == "__main__":
    main()
