"""Documents: the files of packages as sources, cut into pieces of some pages."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.roundtrip.normal import rank_headings
from benchmarks.roundtrip.packages import Shelf, folder_of
from benchmarks.roundtrip.pieces import pieces
from benchmarks.roundtrip.readers import html_of
from benchmarks.roundtrip.source import Source

A_DOCUMENT = 4
"""Sources taken from one document at most, so that documents count alike."""
SCRIPTS = {"ru": "[\u0400-\u04ff]", "zh": "[\u3400-\u9fff]", "ar": "[\u0600-\u06ff]"}
READ = 80
"""Files of a shelf that are read at most."""


def draw_sources(shelves: Sequence[Shelf]) -> Iterator[Source]:
    """Yield the sources of the shelves; those of one shelf are chosen by a hash, in turns over its files, with tables first."""
    for shelf in shelves:
        folder = folder_of(shelf)
        if folder is not None:
            yield from _chosen(shelf, sorted(path for path in folder.glob(shelf.pattern) if path.is_file()))


def _chosen(shelf: Shelf, paths: list[Path]) -> list[Source]:
    read = sorted(paths, key=lambda path: spread(path.name))[:READ]
    found = [_of_document(shelf, path, html) for path, html in html_of(read).items()]
    in_turns = [sources[turn] for turn in range(A_DOCUMENT) for sources in found if turn < len(sources)]
    return in_turns[: shelf.most]


def _of_document(shelf: Shelf, path: Path, html: str) -> list[Source]:
    """Return the sources of a document, those with a table first."""
    stem = re.sub(r"(\.(html|rst|md|txt|gz|[a-z]{2}))+$", "", path.name)
    name = slug(f"{shelf.package.partition('=')[0]}-{shelf.language}-{path.parent.name}-{stem}")
    made = [
        Source(f"{name}-{number}", shelf.package.partition("=")[0], shelf.kind, shelf.language, rank_headings(body))
        for number, body in enumerate(pieces(html), 1)
        if is_in_script(body, shelf.language)
    ]
    return sorted(made, key=lambda source: ("<table>" not in source.body, spread(source.name)))[:A_DOCUMENT]


def is_in_script(body: str, language: str) -> bool:
    """Return whether a fragment is in the script of a language: translations often leave chapters in English.

    >>> is_in_script("<p>text</p>", "ru"), is_in_script("<p>текст</p>", "ru"), is_in_script("<p>text</p>", "en")
    (False, True, True)
    """
    script = SCRIPTS.get(language.split("-")[0])
    letters = re.sub(r"<[^<>]*>|[\W\d_]", "", body)
    return script is None or len(re.findall(script, letters)) > 0.3 * len(letters)


def spread(name: str) -> str:
    """Return a hash of a name: an order that has nothing to do with the alphabet."""
    return hashlib.sha256(name.encode()).hexdigest()


def slug(name: str) -> str:
    """Return a name in [a-z0-9-].

    >>> slug("What's New_3")
    'what-s-new-3'
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
