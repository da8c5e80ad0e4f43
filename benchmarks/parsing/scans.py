"""Scans: pages with known text as they are and as scans, and pictures of pages.

A scan is a page rendered at 200 dpi and put back into a PDF without its text.
"""

import json
import multiprocessing
import re
import subprocess
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from benchmarks.report import say, say_bar
from schemas.errors import DocumentError
from schemas.options.sections import ParseOptions
from tasks.file_tools.rendering import render_as_markdown
from tasks.parse.pdf.io.document import parse_pdf

DPI = 200
PROCESSES = 2
METRICS = ("nid", "teds", "mhs")
SCAN_BAR = 0.93
_MARKUP = re.compile(r"<[^<>]*>|^#+ |^- |[| ]--- |\|", re.MULTILINE)
"""What Markdown adds to the words of a page."""


def say_scans(parsing: Path, python: str) -> None:
    """Print the mean scores of the pages as they are, as scans, and the second by the first."""
    say("\nscans: pages as they are (furniture kept, figures not read) and as pictures of 200 dpi")
    paths = sorted(parsing.glob("pdf/*.pdf"))
    with tempfile.TemporaryDirectory() as folder:
        scans = [_scan(path, Path(folder) / path.name) for path in paths]
        born = _scores(_parse(paths), parsing, python)
        scanned = _scores(_parse(scans), parsing, python)
    for metric in METRICS:
        shared = [name for name in born if born[name][metric] is not None]
        a, b = (sum(scores[name][metric] or 0 for name in shared) / len(shared) for scores in (born, scanned))
        say(f"  {metric}: born digital {a:.3f}, scanned {b:.3f}, share {b / a:.3f}, {len(shared)} pages")
        if metric == "nid":
            say_bar("nid, share", b / a, SCAN_BAR)


def say_pictures(ocr: Path, python: str) -> None:
    """Print the scorer's figures for pictures of pages and receipts."""
    say("\npictures of pages and receipts; Tesseract alone by --psm 1: nid 0.984 and 0.892 (published)")
    with tempfile.TemporaryDirectory() as folder:
        documents = [_document(path, Path(folder) / f"{path.stem}.pdf") for path in sorted(ocr.glob("images/*"))]
        for name, text in _parse(documents).items():
            (Path(folder) / f"{name}.txt").write_text(_MARKUP.sub(" ", text), encoding="utf-8")
        subprocess.run([python, str(ocr / "score_ocr.py"), folder], check=True)


def _scan(path: Path, target: Path) -> Path:
    """Write a copy of a document whose pages are pictures."""
    import pymupdf

    with pymupdf.open(path) as source, pymupdf.open() as copy:
        for page in source:
            copied = copy.new_page(width=page.rect.width, height=page.rect.height)
            copied.insert_image(copied.rect, pixmap=page.get_pixmap(dpi=DPI, alpha=False))
        copy.save(target, deflate=True)
    return target


def _document(path: Path, target: Path) -> Path:
    """Write a picture as a PDF."""
    import pymupdf

    with pymupdf.open(path) as picture:
        target.write_bytes(picture.convert_to_pdf())
    return target


def _parse(paths: Iterable[Path]) -> dict[str, str]:
    """Return the Markdown of every document by its name."""
    with multiprocessing.get_context("spawn").Pool(PROCESSES) as pool:
        rows = pool.map(_markdown, paths, chunksize=1)
    say(f"  {sum(seconds for *_, seconds in rows) / len(rows):.2f} s a document, {PROCESSES} at a time")
    return {name: text for name, text, _ in rows}


def _markdown(path: Path) -> tuple[str, str, float]:
    started = time.perf_counter()
    try:
        elements = parse_pdf(path.read_bytes(), ParseOptions(), lambda _: None)["elements"]
    except DocumentError:
        elements = []
    return path.stem, render_as_markdown(elements, furniture=True), time.perf_counter() - started


def _scores(texts: dict[str, str], parsing: Path, python: str) -> dict[str, dict[str, float | None]]:
    """Return what the scorer says of each document."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in texts.items():
            (Path(folder) / f"{name}.md").write_text(text, encoding="utf-8")
        report = Path(folder) / "report.json"
        scorer = [python, str(parsing / "score_parsing.py"), folder, "--json", str(report)]
        subprocess.run(scorer, check=True, stdout=subprocess.DEVNULL)
        documents = json.loads(report.read_text())["documents"]
    return {name: documents[name] for name in texts}
