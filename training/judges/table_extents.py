"""Where tables begin and end: what parsing finds on real pages, against tables that were labelled by hand.

    python -m training.judges.table_extents FOLDER...

Prints scores and errors by source. PDFs are looked for in each FOLDER by their digests.
"""

import argparse
import hashlib
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from schemas.options.sections import ParseOptions
from tasks.parse.layout.geometry import Box, area, box_of, centre, holds
from tasks.parse.layout.words import Word
from tasks.parse.pdf.io.document import opened
from tasks.parse.pdf.io.page import read_page
from tasks.parse.tables.text_lines import text_lines

LABELS = Path(__file__).with_name("table_extents.jsonl")
"""Pages with the boxes of their tables in points, from the first line of the head to the last row, and of what may be a table."""
FOUND = 0.8
"""Least share of the lines of a table, and of what is found of it, that both have, for it to count as found."""
PART = 0.2
"""Least share of the words of the smaller one that tables have in common if one is found of the other."""
HALF = 0.5
"""Least share of the words of a line in both of two tables, of those in either, for it to be a line of both."""

Words = frozenset[int]
"""Words of a page, by their numbers."""


class Extent(NamedTuple):
    """How much of its lines a table has in common with what is found of it, and what is wrong with them."""

    share: float
    errors: Sequence[str]


def main() -> None:
    """Read the command line and print the scores."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+", metavar="folder")
    paths = [path for folder in parser.parse_args().folders for path in sorted(folder.rglob("*.pdf"))]
    files = {hashlib.sha256(path.read_bytes()).hexdigest(): path for path in paths}
    scores: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for label in map(json.loads, LABELS.read_text().splitlines()):
        if label["sha256"] in files:
            scores[label["source"]] += score_page(files[label["sha256"]], label)
    sys.stdout.write(write_scores({**scores, "all": sum(scores.values(), Counter())}) + "\n")


def score_page(path: Path, label: Mapping[str, Any]) -> Counter[str]:
    """Return how many tables a labelled page of a PDF has, how many are found, how many of these are right, and the errors."""
    with opened(path.read_bytes()) as document:
        page = document.load_page(label["page"] - 1)
        words = [Word((x0, y0, x1, y1), text, block, line) for x0, y0, x1, y1, text, block, line, _ in page.get_text("words")]
        elements = [element for element, _ in read_page(page, ParseOptions(ocr=False)).elements if element["bbox"]]
    unsure = frozenset(number for box in label["unsure"] for number in _words_in(words, tuple(box)))
    true = [_words_in(words, tuple(box)) - unsure for box in label["tables"]]
    boxes = [(box_of(element), element["kind"]) for element in elements]
    numbers = {id(word): number for number, word in enumerate(words)}
    lines = [[numbers[id(word)] for word in line] for line in text_lines(words)]
    return score_tables(true, [words - unsure for words in _tables(words, boxes)], lines)


def _tables(words: Sequence[Word], boxes: Sequence[tuple[Box, str]]) -> list[Words]:
    """Return the words of each table among elements, without those of smaller elements in it, such as its notes."""
    found = defaultdict(set)
    for number, word in enumerate(words):
        around = [(area(box), kind, box) for box, kind in boxes if holds(box, centre(word.box))]
        if around and min(around)[1] == "table":
            found[min(around)[2]].add(number)
    return [frozenset(numbers) for numbers in found.values()]


def _words_in(words: Sequence[Word], box: Box) -> Words:
    return frozenset(number for number, word in enumerate(words) if holds(box, centre(word.box)))


def score_tables(true: Sequence[Words], found: Sequence[Words], lines: Sequence[Sequence[int]]) -> Counter[str]:
    """Return how many tables of a page are true, found and right, and the errors, given the words of its lines.

    >>> sorted(score_tables([frozenset({0, 1})], [frozenset({0, 1}), frozenset({2})], [[0, 1], [2]]).items())
    [('false', 1), ('found', 2), ('right', 1), ('true', 1)]
    """
    found = [words for words in found if words]
    counts = Counter({"true": len(true), "found": len(found)})
    for table in true:
        parts = [words for words in found if _have_part(table, words)]
        best = max((compare(table, words, lines) for words in parts), default=Extent(0.0, ["missed"]), key=_share)
        counts["right"] += best.share >= FOUND
        whole = len(parts) == 1 and sum(_have_part(other, parts[0]) for other in true) > 1
        counts.update(["split"] if len(parts) > 1 else ["joined"] if whole else best.errors)
    counts["false"] += sum(not any(_have_part(table, words) for table in true) for words in found)
    return counts


def _have_part(one: Words, other: Words) -> bool:
    return len(one & other) >= PART * min(len(one), len(other))


def _share(extent: Extent) -> float:
    return extent.share


def compare(table: Words, found: Words, lines: Sequence[Sequence[int]]) -> Extent:
    """Return how well a table was found, given the words of the lines of its page, from top to bottom.

    >>> compare(frozenset({2, 3, 4, 5}), frozenset({0, 1, 2, 3}), [[0, 1], [2, 3], [4, 5]])
    Extent(share=0.3333333333333333, errors=['lines above', 'last rows lost'])
    """
    own = [n for n, line in enumerate(lines) if table.intersection(line)]
    seen = [n for n, line in enumerate(lines) if found.intersection(line)]
    both = [n for n in own if len(table & found & {*lines[n]}) >= HALF * len((table | found) & {*lines[n]})]
    errors = {
        "lines above": seen[0] < own[0],
        "first rows lost": seen[0] > own[0],
        "last rows lost": seen[-1] < own[-1],
        "lines below": seen[-1] > own[-1],
        "columns lost or added": len({*own} & {*seen}) > len(both),
    }
    return Extent(len(both) / len({*own, *seen}), [name for name, is_so in errors.items() if is_so])


def write_scores(scores: Mapping[str, Counter[str]]) -> str:
    """Return a table in Markdown: F1 of tables, and the errors, those that leave the table right included."""
    rows = ["| source | tables | found | F1 | errors |", "|---|---|---|---|---|"]
    for source, counts in scores.items():
        errors = ", ".join(f"{name} {n}" for name, n in _errors(counts))
        f1 = 2 * counts["right"] / max(1, counts["true"] + counts["found"])
        rows.append(f"| {source} | {counts['true']} | {counts['found']} | {f1:.3f} | {errors} |")
    return "\n".join(rows)


def _errors(counts: Counter[str]) -> Iterable[tuple[str, int]]:
    return ((name, n) for name, n in sorted(counts.items()) if n and name not in ("true", "found", "right"))


if __name__ == "__main__":
    main()
