"""Ten thousand pages, reports and manuals, parsed by the command, beside what PyMuPDF's own Markdown would take for them."""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from benchmarks.manuals.run import PACKAGES, manuals
from benchmarks.parsing.long import stretches_of
from benchmarks.parsing.pages import BASELINE
from benchmarks.parsing.peers import Peers, convert_all
from benchmarks.refresh.processes import pagemill
from benchmarks.report import say, say_bar

PAGES = 10_000
SAMPLED = 200
"""Pages that PyMuPDF gets, more or less."""
SECONDS = 360.0


def say_many(kit: Path, work: Path, peers: Peers) -> None:
    """Print the seconds of `pagemill parse` for the documents, start included, reckoned for PAGES pages, and PyMuPDF's for them.

    PyMuPDF gets some SAMPLED pages, in stretches spread over the documents, in one process; every core is reckoned to do as much
    at once.
    """
    say(f"\nmany: reports, single pages and manuals by one command, on {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    n_pages = manuals(list(PACKAGES), work / "source")
    others = [*(kit / "corpus" / "pdf").glob("*.pdf"), *(kit / "parsing" / "pdf").glob("*.pdf")]
    for path in others:
        shutil.copy(path, work / "source")
    n_pages += _n_pages(others)
    cost = pagemill("parse", work / "source", "--out", work / "parsed")
    seconds = cost.seconds * PAGES / n_pages
    say(f"  {n_pages:,} pages: {cost.seconds:.0f} s, {cost.cpu_seconds / n_pages:.3f} CPU s a page, {cost.peak_mib:.0f} MiB")
    parts = [part for path in sorted((work / "source").glob("*.pdf")) for part in stretches_of(path, work / "pdf")]
    sample = parts[:: max(1, _n_pages(parts) // SAMPLED)]
    runs = convert_all([BASELINE], peers, sample, work / "peers")
    n_sampled = _n_pages(sample)
    theirs = sum(runs[BASELINE].wall) * PAGES / n_sampled / (os.cpu_count() or 1)
    say(f"  PyMuPDF's Markdown, reckoned from {n_sampled} of these pages: {theirs:.0f} s, {theirs / seconds:.1f} times as long")
    say_bar(f"seconds for {PAGES:,} pages", seconds, SECONDS, at_most=True)


def _n_pages(paths: Iterable[Path]) -> int:
    import pymupdf

    n_pages = 0
    for path in paths:
        with pymupdf.open(path) as document:
            n_pages += document.page_count
    return n_pages
