"""Lines of code of a book: those of its HTML against what a converter makes of as many pages of its PDF in one piece."""

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from benchmarks.html_pairs.books import find_book, unzipped
from benchmarks.html_pairs.truth import LARGEST

FIRST, PAGES = 20, 40
"""Pages of a book that are left out at its beginning, where it is long enough, and pages that are read."""
SHORTEST = 4
"""Characters of a line; brackets and the like stand anywhere."""
FENCE = "```"


class Listings(NamedTuple):
    """Some pages of a book as a PDF, and how often each line of code is among them."""

    name: str
    pdf: Path
    lines: Counter[str]


class Share(NamedTuple):
    """Lines of code of a book: that are there, that are found as lines of code, and that are such a line in Markdown."""

    n_lines: int
    n_right: int
    n_found: int


def listings_of(package: str, out: Path) -> Listings | None:
    """Write pages of a package's largest PDF into `out`, and return them; None if it has no PDF, or no code that is in it."""
    import pymupdf

    found = find_book(package)
    if not found:
        return None
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{package}.pdf"
    with pymupdf.open(stream=unzipped(found.pdf)) as book, pymupdf.open() as part:
        first = FIRST if book.page_count > FIRST + PAGES else 0
        part.insert_pdf(book, from_page=first, to_page=first + PAGES - 1)
        part.save(path)
        text = " ".join(plain(page.get_text()) for page in part)
    pages = [page for page in found.folder.rglob("*.htm*") if page.is_file() and page.stat().st_size <= LARGEST]
    lines = code_in_html(map(unzipped, pages))
    known = Counter({line: min(n, text.count(line)) for line, n in lines.items() if line in text})
    return Listings(package, path, known) if known else None


def code_in_html(pages: Iterable[bytes]) -> Counter[str]:
    r"""Return how often each line of code is in pages of HTML.

    >>> code_in_html([b"<p>Text<pre>for sack in sacks:\n    pour(<b>sack</b>)</pre>"])
    Counter({'for sack in sacks:': 1, 'pour(sack)': 1})
    """
    from selectolax.lexbor import LexborHTMLParser

    return count_lines(line for page in pages for part in LexborHTMLParser(page).css("pre") for line in part.text().split("\n"))


def code_in_markdown(text: str) -> Counter[str]:
    r"""Return how often each line is in blocks of code of a Markdown text.

    >>> code_in_markdown("text of a mill\n```\n  pour(sack)\n```\nmore text")
    Counter({'pour(sack)': 1})
    """
    return count_lines(line for part in text.split(f"\n{FENCE}")[1::2] for line in part.split("\n")[1:])


def count_lines(lines: Iterable[str]) -> Counter[str]:
    """Count lines that are long enough, whatever white space they have."""
    return Counter(line for line in map(plain, lines) if len(line) >= SHORTEST)


def plain(text: str) -> str:
    """Return a text with single spaces for all white space."""
    return re.sub(r"\s+", " ", text).strip()


def share_of(listings: Listings, markdown: str) -> Share:
    """Return which share of the lines is code in Markdown."""
    found = code_in_markdown(f"\n{markdown}")
    return Share(listings.lines.total(), (listings.lines & found).total(), found.total())


def listings_row(shares: list[Share]) -> list[float | None]:
    """Return lines of code, which share of them is found, and which share of what is found is among them."""
    lines, right, found = (sum(column) for column in zip(*shares, strict=True)) if shares else (0, 0, 0)
    return [lines, right / lines if lines else None, right / found if found else None]
