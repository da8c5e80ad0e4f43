"""Long documents: seconds of computing that a page of a report or of a manual takes, beside PyMuPDF's own Markdown."""

from pathlib import Path

from benchmarks.parsing.pages import BASELINE
from benchmarks.parsing.peers import Peers, Run, convert_all
from benchmarks.parsing.speed import manuals
from benchmarks.report import say, say_bar, say_table

PARSE = "pagemill-parse"
PAGES = 10
"""Pages of a stretch: what depends on the length of a document, such as running headers, is as in a whole one."""
STRETCHES = 3
"""Stretches of a document, spread over it."""
BAR = 0.085


def say_long(kit: Path, cache: Path, work: Path, peers: Peers) -> None:
    """Print seconds of computing a page, of reports and of manuals, and the bar for reports: they mix prose and tables."""
    say(f"\nlong: seconds of computing a page, {STRETCHES} stretches of {PAGES} pages of every document, converters taking turns")
    kinds = {"reports": sorted((kit / "corpus" / "pdf").glob("*.pdf")), "manuals": manuals(cache)}
    rows: dict[str, list[float]] = {}
    reports = 0.0
    for kind, documents in kinds.items():
        stretches = [part for path in documents for part in stretches_of(path, work / kind / "pdf")]
        runs = convert_all((PARSE, BASELINE), peers, stretches, work / kind)
        per_page = {name: _a_page(run) for name, run in runs.items()}
        rows |= {f"{kind}, {name}": [PAGES * len(stretches), seconds] for name, seconds in per_page.items()}
        if kind == "reports":
            reports = per_page[PARSE]
    say_table(("pages", "CPU s a page"), rows)
    say_bar("parse, CPU seconds a page of reports", reports, BAR, at_most=True)


def stretches_of(document: Path, folder: Path) -> list[Path]:
    """Write stretches of a document as documents of their own; return their paths, those of a short one without repetition."""
    import pymupdf

    folder.mkdir(parents=True, exist_ok=True)
    found = []
    with pymupdf.open(document) as whole:
        most = max(1, whole.page_count // PAGES)
        for n in range(min(STRETCHES, most)):
            first = n * (most // min(STRETCHES, most)) * PAGES
            with pymupdf.open() as part:
                part.insert_pdf(whole, from_page=first, to_page=first + PAGES - 1)
                path = folder / f"{document.stem}-{first}.pdf"
                part.save(path, garbage=3, deflate=True)
            found.append(path)
    return found


def _a_page(run: Run) -> float:
    return run.mean_cpu() / PAGES
