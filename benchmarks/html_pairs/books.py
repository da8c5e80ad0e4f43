"""Books of Debian's packages, each in one split, and the pages of theirs that are read."""

import gzip
import hashlib
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from benchmarks.debian import unpack_package
from benchmarks.html_pairs.truth import Truth, truth_of
from benchmarks.report import say

BOOKS = {
    "train": (
        "autogen-doc",
        "bacula-doc",
        "bird2-doc",
        "dblatex-doc",
        "db5.3-doc",
        "gpsbabel-doc",
        "hackrf-doc",
        "krb5-doc",
        "libhsqldb-java-doc",
        "libmpfr-doc",
        "mit-scheme-doc",
        "nut-doc",
        "omniorb-doc",
        "openafs-doc",
        "pspp",
        "scons-doc",
        "swig4.0-doc",
        "valgrind",
        "verilator",
    ),
    "test": (
        "asymptote-doc",
        "bash-doc",
        "gdl-astrolib",
        "kannel-docs",
        "lirc-doc",
        "openocd",
        "qdbm-doc",
        "samhain",
        "sbcl-doc",
        "slurm-wlm-doc",
        "systemtap-doc",
        "uhd-doc",
        "xmds2-doc",
        "yaws-doc",
        "zsh-doc",
    ),
}
"""Packages by split: those of `train` may be looked at. Typesetters are TeX by Texinfo, dblatex, Sphinx and Doxygen, and FOP."""
MOST_PAGES = 700
"""Pages of a book that are looked through at most."""
TABLES, PAGES = 18, 8
"""Tables of a book whose pages are read at most, and other pages."""
COVERED, LEAST = 0.93, 8
"""Least share of a table's words that its page has, and fewest words of a table that can be found."""
WORDS = 60
"""Fewest words of a page that is read for its headings."""


class Book(NamedTuple):
    """A book: pages as PDFs of one page, the tables on each as HTML, and all headings of the book, as `plain_name` makes them."""

    name: str
    pages: dict[Path, list[str]]
    headings: frozenset[str]


def book_of(package: str, out: Path) -> Book | None:
    """Write pages of a package's largest PDF into `out`; return the book, None if the package or one of the two is not there."""
    found = find_book(package)
    truth = truth_of(sorted(found.folder.rglob("*.htm*"), key=lambda path: _spread(path.name))) if found else None
    if not found or not truth or not truth.headings:
        say(f"  {package} is left out: it has no PDF, or no HTML with headings")
        return None
    return _cut_pages(package, unzipped(found.pdf), truth, out)


class BookFiles(NamedTuple):
    """The folder of a package, and the largest PDF in it."""

    folder: Path
    pdf: Path


def find_book(package: str) -> BookFiles | None:
    """Return where a book is, None if the package is not there, which is said, or has no PDF."""
    try:
        folder = unpack_package(package)
    except SystemExit as error:
        say(f"  {package} is left out: {error}")
        return None
    pdfs = [path for path in folder.rglob("*.pdf*") if path.is_file()]
    return BookFiles(folder, max(pdfs, key=lambda path: path.stat().st_size)) if pdfs else None


def unzipped(path: Path) -> bytes:
    """Return the bytes of a file, unpacked if its name says that it is packed."""
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def _cut_pages(name: str, content: bytes, truth: Truth, out: Path) -> Book:
    import pymupdf

    out.mkdir(parents=True, exist_ok=True)
    pages: dict[Path, list[str]] = {}
    with pymupdf.open(stream=content) as document:
        words = [_words(document[n].get_text()) for n in range(min(document.page_count, MOST_PAGES))]
        placed = places_of(truth.tables, words)
        others = [n for n in range(len(words)) if words[n].total() >= WORDS and n not in placed]
        chosen = sorted(others, key=lambda n: _spread(f"{name} {n}"))[:PAGES]
        for number in sorted([*placed, *chosen]):
            with pymupdf.open() as alone:
                alone.insert_pdf(document, from_page=number, to_page=number, links=False)
                path = out / f"{name}-{number + 1}.pdf"
                alone.save(path)
            pages[path] = placed.get(number, [])
    return Book(name, pages, truth.headings)


def places_of(tables: list[str], pages: list[Counter[str]]) -> dict[int, list[str]]:
    """Return tables by the number of the page that has most of their words, as far as one has nearly all of them."""
    found: dict[int, list[str]] = {}
    for table in sorted(tables, key=_spread):
        words = _words(re.sub("<[^<>]*>", " ", table))
        if words.total() < LEAST or sum(map(len, found.values())) == TABLES:
            continue
        best = max(range(len(pages)), key=lambda n: (words & pages[n]).total())
        if (words & pages[best]).total() >= COVERED * words.total():
            found.setdefault(best, []).append(table)
    return found


def _words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.lower()))


def _spread(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()
