"""Labelled tables: lines of tables in PDFs whose cells are known, and where rows begin among them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pymupdf

from tasks.parse.judge.trees import Array
from tasks.parse.layout.geometry import centre, grown, holds, union
from tasks.parse.layout.rules import Rules, rules_in
from tasks.parse.layout.words import Word
from tasks.parse.pdf.io.drawings import rules_of
from tasks.parse.pdf.io.page_text import page_content_of
from tasks.parse.tables.spaced.pieces import Line
from tasks.parse.tables.spaced.reader import lines_of_table, row_starts_of
from tasks.parse.tables.spaced.row_features import TableLines, row_features
from training.judges.rows.coded import Place

FEWEST_WORDS, FEWEST_LINES = 6, 3
"""Smaller tables show nothing."""


class Labelled(NamedTuple):
    """A table: what is seen of each line but the first, and whether it `begins` a row.

    A line is `known` unless it has text of cells over several rows alone, and neither has the one above it: then only the number
    of rows counts. Lines without words of known cells have no `weight`.
    """

    source: str
    document: str
    table: TableLines
    features: Array
    begins: Sequence[bool]
    known: Sequence[bool]
    weight: Sequence[float]


def read_coded(path: Path, places: Mapping[int, Place], source: str) -> Iterator[Labelled]:
    """Give the tables of a PDF whose cells are in colours of their own."""
    with pymupdf.open(path) as document:
        for page in document:
            words = page_content_of(page).words
            rules = rules_of(page.get_cdrawings())
            tables: dict[int, dict[Word, Place]] = defaultdict(dict)
            for word in words:
                if word.ink in places:
                    tables[places[word.ink].table][word] = places[word.ink]
            for table in tables.values():
                yield from _labelled(source, f"{path.stem}-{page.number}", table, rules)


def read_icdar(kit: Path) -> Iterator[Labelled]:
    """Give the tables of ICDAR-2013 in a folder of `pdf` and `truth`; a document's tables belong together."""
    for path in sorted((kit / "pdf").glob("*.pdf")):
        tree = ElementTree.parse(kit / "truth" / f"{path.stem}-str.xml")
        with pymupdf.open(path) as document:
            for region in tree.getroot().iter("region"):
                page = document[int(region.get("page", "1")) - 1]
                words = page_content_of(page).words
                table: dict[Word, Place] = {}
                for cell in region.iter("cell"):
                    at = cell.find("bounding-box")
                    if at is None:
                        continue
                    x0, y0, x1, y1 = (float(at.get(name, "0")) for name in ("x1", "y1", "x2", "y2"))
                    box = grown((x0, page.rect.height - y1, x1, page.rect.height - y0), 1, 1)
                    first = int(cell.get("start-row", "0"))
                    place = Place(0, first, int(cell.get("end-row", first)) - first + 1)
                    table.update({word: place for word in words if word not in table and holds(box, centre(word.box))})
                yield from _labelled("icdar", path.stem, table, rules_of(page.get_cdrawings()))


def _labelled(source: str, document: str, words: Mapping[Word, Place], rules: Rules) -> Iterator[Labelled]:
    if len(words) < FEWEST_WORDS:
        return
    own = rules_in(rules, grown(union([word.box for word in words]), 2, 4))
    table = lines_of_table(list(words), own)
    if len(table.lines) < FEWEST_LINES or len(table.columns) < 2:
        return
    rows = [_rows_of(line, words) for line in table.lines]
    settled = _settled([found and found[:2] for found in rows], [bool(found and found[2]) for found in rows])
    pairs = list(pairwise(settled))
    sure = [bool(found and found[2]) for found in rows]
    yield Labelled(
        source,
        document,
        table,
        row_features(table),
        [bool(a and b and b[0] > a[0] and b[1] > a[1]) for a, b in pairs],
        [a and b for a, b in pairwise(sure)],
        [float(bool(a and b)) for a, b in pairs],
    )


def _rows_of(line: Line, words: Mapping[Word, Place]) -> tuple[int, int, bool] | None:
    """Return the first and the last row that a line has text of, and whether a cell of one row says so; None if it has none."""
    places = [words[word] for piece in line for word in piece.words if word in words]
    single = [place.row for place in places if place.rows == 1]
    if single:
        return min(single), max(single), True
    if not places:
        return None
    first, last = max(place.row for place in places), min(place.row + place.rows - 1 for place in places)
    return min(first, last), max(first, last), first == last


def _settled(rows: Sequence[tuple[int, int] | None], sure: Sequence[bool]) -> list[tuple[int, int] | None]:
    """Return the rows of lines, each that is not sure in the row of the line above it, or in its own first one below that."""
    found: list[tuple[int, int] | None] = []
    for row, is_sure in zip(rows, sure, strict=True):
        if row is None or is_sure:
            found.append(row)
            continue
        above = next((known[1] for known in reversed(found) if known), row[0])
        at = min(max(row[0], above), row[1])
        found.append((at, at))
    return found


def starts_by_rules(labelled: Labelled) -> list[bool]:
    """Return whether each line but the first begins a row by the distances of lines alone."""
    return _as_flags(labelled, [0.0] * len(labelled.table.lines))


def starts_with_odds(labelled: Labelled, odds: Sequence[float]) -> list[bool]:
    """Return the same with a judge's log-odds for each line but the first."""
    return _as_flags(labelled, [0.0, *odds])


def _as_flags(labelled: Labelled, odds: Sequence[float]) -> list[bool]:
    head, body = row_starts_of(labelled.table, odds)
    starts = {*head, *body}
    return [n in starts for n in range(1, len(labelled.table.lines))]
