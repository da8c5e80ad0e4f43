"""Regions of pages that are tables, and regions that are none: trains the judge of tables, and scores it on each source left out.

    python -m training.judges.table_regions OUT FOLDER...

Writes tables.npz and the figures of its card, scores.md, to OUT. Labelled PDFs are looked for in each FOLDER by their digests.
PAGEMILL_BENCH and PAGEMILL_BENCH_CACHE are as for `python -m training.judges`; books with HTML twins are those of
`make bench NAME=html_pairs`.
"""

import argparse
import hashlib
import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np

from benchmarks.html_pairs.books import BOOKS, book_of
from schemas.options.sections import ParseOptions
from tasks.parse.judge.table_features import FEATURES, features_of_tables
from tasks.parse.judge.tables import DOUBT
from tasks.parse.judge.trees import Array, Trees
from tasks.parse.layout.geometry import Box, centre, grown, holds, union
from tasks.parse.layout.page_model import PageModel, Source
from tasks.parse.layout.words import Word, words_in
from tasks.parse.passes.runner import run_passes
from tasks.parse.passes.table import TABLE_DETECTION
from tasks.parse.pdf.io.document import opened
from tasks.parse.pdf.io.page import see_page
from tasks.parse.tables.contents import entries_of
from tasks.parse.tables.text_lines import text_lines
from training.judges.boosting import train_trees

LABELS = Path(__file__).with_name("table_regions.jsonl")
"""Pages with boxes of tables, and of parts of these, and boxes of what is none, in points."""
WEIGHTS = {"round trip": 3.0, "twins": 3.0}
"""Weights of sources by the roots of their numbers of regions; that of others is 1."""
IS_TABLE, IS_NONE = 0.6, 0.25
"""Least share of its words in tables of a region that is one, and largest of one that is none."""
ONLY_IN_TABLE, ONLY_IN_TEXT, IN_TWIN = 0.75, 0.2, 0.85
"""Of what only tables say, or only the text: least share of a table, largest of none; and the least share of its words that a
twin's tables have.
"""
PARTS, FEWEST = 4, 3
"""Parts of a table that are examples, too, and fewest lines of one: passes see parts, but sources have mostly long tables."""

Label = Callable[[Sequence[Word]], int | None]
"""Says of the words of a region 1 for a table, 0 for none, None where it is not known."""


class Regions(NamedTuple):
    """Regions of one source: features (n, features), and labels (n), 1 for tables."""

    features: Array
    labels: Array


def regions_by_hand(folders: Sequence[Path]) -> dict[str, Regions]:
    """Return labelled regions by source, as far as their PDFs are somewhere below the `folders`."""
    files = {hashlib.sha256(path.read_bytes()).hexdigest(): path for folder in folders for path in sorted(folder.rglob("*.pdf"))}
    found: dict[str, list[Regions]] = {}
    for row in map(json.loads, LABELS.read_text().splitlines()):
        for page, _ in pages_of(files[row["sha256"]], row["page"]) if row["sha256"] in files else ():
            boxes = [tuple(box) for box in [*row["tables"], *row["others"]]]
            labels = [1] * len(row["tables"]) + [0] * len(row["others"])
            found.setdefault(row["source"], []).append(Regions(features_of_tables(boxes, page), np.array(labels)))
    return {source: join(parts) for source, parts in found.items()}


def pages_of(path: Path, number: int | None = None) -> Iterator[tuple[PageModel, tuple[int, float, float]]]:
    """Yield the digital pages of a PDF, or one, as their judge will see them, each with its number, width and height."""
    with opened(path.read_bytes()) as document:
        for n in [number] if number else range(1, document.page_count + 1):
            seen = see_page(document.load_page(n - 1), ParseOptions(ocr=False))
            for part in seen.parts:
                if part.source is Source.DIGITAL:
                    yield part, (n, seen.result.width, seen.result.height)


def regions_of_page(page: PageModel, label: Label) -> Regions:
    """Return what the rules take for tables on a page, and parts of those that are some, as far as their labels are known."""
    boxes, labels = [], []
    for region in run_passes(page, page.seen, TABLE_DETECTION, {"judged-tables"}):
        words = words_in(page.words, region.box) if region.kind == "table" else []
        known = label(words) if words and not entries_of(words) else None
        if known is not None:
            examples = [region.box, *(_parts(words) if known else [])]
            boxes += examples
            labels += [known] * len(examples)
    return Regions(features_of_tables(boxes, page), np.array(labels, int))


def _parts(words: Sequence[Word]) -> list[Box]:
    lines = text_lines([word for word in words if word.upright])
    parts = [lines[at : at + FEWEST] for at in range(0, len(lines) - FEWEST, FEWEST)][:PARTS]
    return [union(word.box for line in part for word in line) for part in parts]


def by_boxes(tables: Sequence[Box]) -> Label:
    """Return what labels regions by the boxes of all tables of a page."""

    def label(words: Sequence[Word]) -> int | None:
        inside = sum(any(holds(box, centre(word.box)) for box in tables) for word in words) / len(words)
        return 1 if inside >= IS_TABLE else 0 if inside < IS_NONE else None

    return label


def by_words(tables: str, text: str) -> Label:
    """Return what labels regions by words and pairs of words of a document that only its tables have, or only its text has.

    >>> label = by_words("hemp flax sisal", "a rope is made of")
    >>> label([Word((0, 0, 9, 9), text, 0, 0) for text in ("Hemp", "flax", "sisal")])
    1
    """
    of_tables, of_text = set(_terms(tables)), set(_terms(text))

    def label(words: Sequence[Word]) -> int | None:
        said = _terms(" ".join(word.text for word in words))
        table, other = (sum(one in here - there for one in said) for here, there in ((of_tables, of_text), (of_text, of_tables)))
        part = table / max(table + other, 1)
        sure = table + other >= FEWEST
        return 1 if sure and part >= ONLY_IN_TABLE else 0 if sure and part < ONLY_IN_TEXT else None

    return label


def by_twins(tables: Sequence[str]) -> Label:
    """Return what labels regions by the HTML of tables of a page: it may have others, so that nothing is known to be none."""
    known = Counter(_words(_without_tags(" ".join(tables))))

    def label(words: Sequence[Word]) -> int | None:
        said = Counter(one for word in words for one in _words(word.text))
        return 1 if said and (said & known).total() >= IN_TWIN * said.total() else None

    return label


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _terms(text: str) -> list[str]:
    """Return the words of a text, and its pairs of words."""
    words = _words(text)
    return [*words, *(" ".join(pair) for pair in pairwise(words))]


def _without_tags(html: str) -> str:
    return re.sub(r"<[^>]+>", " ", html)


def read_sources(folders: Sequence[Path], kit: Path, cases: Path) -> dict[str, Regions]:
    """Return the regions of all sources by their names."""
    with tempfile.TemporaryDirectory() as work:
        return {
            **regions_by_hand(folders),
            "ICDAR-2013 development": join(list(_icdar(kit / "tables"))),
            "DP-Bench development": join(list(_dpbench(kit / "parsing"))),
            "round trip": join(list(_roundtrip(cases))),
            "twins": join(list(_twins(Path(work)))),
        }


def _icdar(folder: Path) -> Iterator[Regions]:
    for path in sorted((folder / "pdf").glob("*.pdf")):
        tree = ElementTree.parse(folder / "truth" / f"{path.stem}-reg.xml")
        for page, (number, _, height) in pages_of(path):
            corners = [
                [float(box.get(name, "0")) for name in ("x1", "y1", "x2", "y2")]
                for region in tree.getroot().iter("region")
                for box in region.iter("bounding-box")
                if region.get("page") == str(number)
            ]
            yield regions_of_page(page, by_boxes([grown((x0, height - y1, x1, height - y0), 2, 2) for x0, y0, x1, y1 in corners]))


def _dpbench(folder: Path) -> Iterator[Regions]:
    for row in map(json.loads, (folder / "elements.jsonl").read_text().splitlines()):
        for page, (_, width, height) in pages_of(folder / "pdf" / f"{row['document']}.pdf"):
            corners = [one["coordinates"] for one in row["elements"] if one["category"] == "Table"]
            boxes = [union((p["x"] * width, p["y"] * height, p["x"] * width, p["y"] * height) for p in each) for each in corners]
            yield regions_of_page(page, by_boxes([grown(box, 2, 2) for box in boxes]))


def _roundtrip(folder: Path) -> Iterator[Regions]:
    for path in sorted((folder / "pdf").glob("*.pdf")):
        truth = (folder / "truth" / f"{path.stem}.md").read_text()
        tables = " ".join(re.findall(r"<table.*?</table>", truth, re.DOTALL))
        label = by_words(_without_tags(tables), _without_tags(re.sub(r"<table.*?</table>", " ", truth, flags=re.DOTALL)))
        for page, _ in pages_of(path):
            yield regions_of_page(page, label)


def _twins(work: Path) -> Iterator[Regions]:
    for book in filter(None, (book_of(name, work / name) for name in BOOKS["train"])):
        for path, tables in book.pages.items():
            for page, _ in pages_of(path) if tables else ():
                yield regions_of_page(page, by_twins(tables))


def join(parts: Sequence[Regions]) -> Regions:
    """Return the regions of several pages as those of one source."""
    return Regions(np.concatenate([part.features for part in parts]), np.concatenate([part.labels for part in parts]))


def train_tables(sources: Mapping[str, Regions]) -> Trees:
    """Return trees trained on all regions; those of a source weigh together the root of their number, times WEIGHTS."""
    counts = {name: len(regions.labels) for name, regions in sources.items()}
    each = np.concatenate([np.full(n, WEIGHTS.get(name, 1.0) / sqrt(n)) for name, n in counts.items()])
    whole = join(list(sources.values()))
    return train_trees(whole.features, whole.labels, each * len(each) / each.sum(), FEATURES, 200)


def write_scores(sources: Mapping[str, Regions]) -> str:
    """Return a table in Markdown: of each source, how a judge that was trained on all others does."""
    rows = ["| source left out | tables | none | tables lost | none left |", "|---|---|---|---|---|"]
    for name, (features, labels) in sources.items():
        trees = train_tables({other: regions for other, regions in sources.items() if other != name})
        kept = trees.probabilities(features)[:, 0] >= DOUBT
        lost, left = int((~kept & (labels == 1)).sum()), int((kept & (labels == 0)).sum())
        rows.append(f"| {name} | {int((labels == 1).sum())} | {int((labels == 0).sum())} | {lost} | {left} |")
    return "\n".join(rows) + "\n"


def main() -> None:
    """Read the command line, train and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("folders", type=Path, nargs="*", metavar="folder")
    given = parser.parse_args()
    cache = Path(os.environ.get("PAGEMILL_BENCH_CACHE", Path.home() / ".cache" / "pagemill-bench"))
    cases = max((cache / "roundtrip").glob("cases-*/train"), key=lambda folder: folder.stat().st_mtime)
    sources = read_sources(given.folders, Path(os.environ["PAGEMILL_BENCH"]), cases)
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "tables.npz").write_bytes(train_tables(sources).as_file())
    (given.out / "scores.md").write_text(write_scores(sources))


if __name__ == "__main__":
    main()
