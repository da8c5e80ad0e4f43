"""Documents: the files of packages as sources, cut into pieces of some pages."""

import gzip
import hashlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.roundtrip.normal import normalised, ranked
from benchmarks.roundtrip.packages import Shelf, folder_of
from benchmarks.roundtrip.pieces import pieces
from benchmarks.roundtrip.source import Source

A_DOCUMENT = 4
"""Sources taken from one document at most, so that documents count alike."""
READ = 80
"""Files of a shelf that are read at most."""


def shelved(shelves: Sequence[Shelf]) -> Iterator[Source]:
    """Yield the sources of the shelves; those of one shelf are chosen by a hash, in turns over its files, with tables first."""
    for shelf in shelves:
        folder = folder_of(shelf)
        if folder is not None:
            yield from _chosen(shelf, sorted(path for path in folder.glob(shelf.pattern) if path.is_file()))


def _chosen(shelf: Shelf, paths: list[Path]) -> list[Source]:
    read = sorted(paths, key=lambda path: spread(path.name))[:READ]
    found = [_of_document(shelf, path) for path in read]
    in_turns = [sources[turn] for turn in range(A_DOCUMENT) for sources in found if turn < len(sources)]
    return in_turns[: shelf.most]


def _of_document(shelf: Shelf, path: Path) -> list[Source]:
    """Return the sources of a document, those with a table first."""
    name = slug(f"{shelf.package.partition('=')[0]}-{shelf.language}-{path.name.split('.')[0]}")
    made = [
        Source(f"{name}-{number}", shelf.package, shelf.kind, shelf.language, ranked(body))
        for number, body in enumerate(pieces(html_of(path)), 1)
    ]
    return sorted(made, key=lambda source: ("<table>" not in source.body, spread(source.name)))[:A_DOCUMENT]


def html_of(path: Path) -> str:
    """Return a document as normalised HTML, by the reader that its name asks for."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return normalised(data)


def spread(name: str) -> str:
    """Return a hash of a name: an order that has nothing to do with the alphabet."""
    return hashlib.sha256(name.encode()).hexdigest()


def slug(name: str) -> str:
    """Return a name in [a-z0-9-].

    >>> slug("What's New_3")
    'what-s-new-3'
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
