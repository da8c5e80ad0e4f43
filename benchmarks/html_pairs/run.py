"""What parse makes of books that their authors publish as HTML too, typeset by tools of theirs.

PAGEMILL_BENCH names the folder of a benchmark kit, whose scorer of parsing scores tables. Books are packages of Debian, kept in
PAGEMILL_BENCH_CACHE (by default ~/.cache/pagemill-bench). HTML and PDF differ here and there: compare converters and versions by
the figures; that none is 1 says little. Of the split `test` only means are printed.
"""

import argparse
import shutil
from pathlib import Path

from benchmarks.html_pairs.books import BOOKS, Book, book_of
from benchmarks.html_pairs.listings import PAGES, Share, listings_of, listings_row, share_of
from benchmarks.html_pairs.scoring import Scores, row_of, scores_of
from benchmarks.parsing.peers import Converter, Peers, install
from benchmarks.report import cache_folder, kit_folder, say, say_table
from flows.cli.main import silence_libraries

CONVERTERS = ("pagemill-body", "pymupdf-body")
COLUMNS = ("tables", "teds", "headings", "precision", "recall")
CODE_COLUMNS = ("lines of code", "recall", "precision")


def say_split(split: str, converters: list[str], peers: Peers, scorer: Path, work: Path) -> None:
    """Print the scores of converters on the books of a split, and of the first of them on each book of `train`."""
    books = [book for package in BOOKS[split] if (book := book_of(package, work / "pdf")) is not None]
    say(f"\n{split}: {len(books)} books, {sum(len(book.pages) for book in books)} pages")
    rows: dict[str, list[Scores]] = {}
    for name in converters:
        with Converter(name, peers.python, work / name) as converter:
            converter.convert([pdf for book in books for pdf in book.pages])
        rows[name] = [scores_of(book, work / name, peers.python, scorer, work / "tables") for book in books]
    say_table(COLUMNS, {name: row_of(scores) for name, scores in rows.items()})
    if split == "train":
        say_books(books, rows[converters[0]])


def say_books(books: list[Book], scores: list[Scores]) -> None:
    """Print the scores of each book."""
    say_table(COLUMNS, {book.name: row_of([one]) for book, one in zip(books, scores, strict=True)})


def say_listings(converters: list[str], peers: Peers, work: Path) -> None:
    """Print how many lines of code converters find in books of both splits, each a PDF of many pages."""
    books = [one for packages in BOOKS.values() for name in packages if (one := listings_of(name, work / "pdf")) is not None]
    say(f"\nlines of code of {len(books)} books, {PAGES} pages of each")
    shares: dict[str, list[Share]] = {}
    for name in converters:
        with Converter(name, peers.python, work / name) as converter:
            converter.convert([book.pdf for book in books])
        texts = [work / name / f"{book.pdf.stem}.md" for book in books]
        read = [text.read_text(encoding="utf-8") if text.exists() else "" for text in texts]
        shares[name] = [share_of(book, text) for book, text in zip(books, read, strict=True)]
    say_table(CODE_COLUMNS, {name: listings_row(found) for name, found in shares.items()})
    train = [(book.name, one) for book, one in zip(books, shares[converters[0]], strict=True) if book.name in BOOKS["train"]]
    say_table(CODE_COLUMNS, {name: listings_row([one]) for name, one in train})


def _emptied(name: str) -> Path:
    """Return a folder of the cache, without what an earlier run left in it."""
    folder = cache_folder() / "twins" / name
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def main() -> None:
    """Score the splits and print the figures."""
    silence_libraries()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--split", choices=(*BOOKS, "both"), default="both")
    parser.add_argument("--converters", nargs="+", default=list(CONVERTERS), metavar="NAME")
    parser.add_argument("--listings", action="store_true", help="score lines of code, and nothing else")
    given = parser.parse_args()
    kit = kit_folder("parsing", "requirements.txt")
    peers = install(cache_folder(), kit / "requirements.txt", ("pymupdf",))
    if given.listings:
        say_listings(given.converters, peers, _emptied("listings"))
        return
    for split in BOOKS if given.split == "both" else (given.split,):
        work = _emptied(split)
        say_split(split, given.converters, peers, kit / "parsing" / "score_parsing.py", work)
        if split == "test":
            shutil.rmtree(work)


if __name__ == "__main__":
    main()
