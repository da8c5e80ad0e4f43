"""Labelled lines: those of pages whose headings are known, described as parsing describes them, by the name of their source."""

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from schemas.options.sections import ParseOptions
from schemas.tables.elements import HEADINGS
from tasks.parse.judge.line_features import features_of_lines, lines_to_judge
from tasks.parse.judge.trees import Array
from tasks.parse.layout.geometry import Box, area, common, grown
from tasks.parse.layout.page_model import PageModel, Source
from tasks.parse.layout.regions import Region
from tasks.parse.passes.table import classify_regions, place_regions
from tasks.parse.pdf.io.document import opened
from tasks.parse.pdf.io.page import see_page

LABELS = Path(__file__).with_name("labels.jsonl")
"""Lines of real pages that were labelled by hand: a digest of each heading, and of each line that nobody can be sure of."""
UNKNOWN = -1
"""The label of a line that may be a heading or not."""
INSIDE = 0.4
"""Least share of a line in the box of a heading."""
MATCHED, CLEAR = 0.5, 0.7
"""Least share of a line's words that the truth has too, and of these that headings have, or that none has."""


class LabelledLines(NamedTuple):
    """Lines of one source: features (n, features), labels (n) 1 for headings, 0 for others, or UNKNOWN, and documents (n).

    `ruled` tells which lines the rules take for headings (n).
    """

    features: Array
    labels: Array
    documents: Array
    ruled: Array


class LinesOfPage(NamedTuple):
    """The lines of a page: features (n, features), texts and boxes, and which of them the rules take for headings."""

    features: Array
    texts: Sequence[str]
    boxes: Sequence[Box]
    ruled: Sequence[bool]


def lines_by_hand(labels: Iterable[str], folders: Iterable[Path]) -> dict[str, LabelledLines]:
    """Return the lines that `labels` label, by source, as far as their PDFs are somewhere below the `folders`."""
    files = {hashlib.sha256(path.read_bytes()).hexdigest(): path for folder in folders for path in sorted(folder.rglob("*.pdf"))}
    found = defaultdict(list)
    for row in map(json.loads, labels):
        if row["sha256"] in files:
            for page in read_lines(files[row["sha256"]], [row["page"]]):
                digests = [digest(text) for text in page.texts]
                known = [1 if one in row["headings"] else UNKNOWN if one in row["unsure"] else 0 for one in digests]
                found[row["source"]].append((row["sha256"], page, known))
    return {source: _joined(pages) for source, pages in found.items()}


def digest(text: str) -> str:
    """Return what stands for the text of a line among labels, which hold no texts."""
    return hashlib.sha256(text.encode()).hexdigest()[:10]


def lines_in_boxes(folder: Path) -> LabelledLines:
    """Return the lines of pages whose elements and their places are known: of `parsing` of the benchmark kit."""
    found = []
    for row in map(json.loads, (folder / "elements.jsonl").read_text().splitlines()):
        path = folder / "pdf" / f"{row['document']}.pdf"
        for page, size in _pages_with_size(path):
            heads = [_box(one["coordinates"], *size) for one in row["elements"] if one["category"] == "Heading1"]
            known = [int(any(_is_in(box, head) for head in heads)) for box in page.boxes]
            found.append((row["document"], page, known))
    return _joined(found)


def lines_of_markdown(folder: Path) -> LabelledLines:
    """Return the lines of PDFs whose text is known as Markdown, aligned word by word: of cases of the round trip."""
    found: list[tuple[str, LinesOfPage, list[int]]] = []
    for path in sorted((folder / "pdf").glob("*.pdf")):
        pages = list(read_lines(path))
        known = align([text for page in pages for text in page.texts], (folder / "truth" / f"{path.stem}.md").read_text())
        for page in pages:
            found.append((path.stem, page, known[: len(page.texts)]))
            known = known[len(page.texts) :]
    return _joined(found)


def read_lines(path: Path, pages: Sequence[int] = ()) -> Iterator[LinesOfPage]:
    """Yield the lines of the digital pages of a PDF, of all or of those with these numbers, as its judge will see them."""
    for page, _ in _pages_with_size(path, pages):
        yield page


def _pages_with_size(path: Path, pages: Sequence[int] = ()) -> Iterator[tuple[LinesOfPage, tuple[float, float]]]:
    with opened(path.read_bytes()) as document:
        for number in pages or range(1, document.page_count + 1):
            seen = see_page(document.load_page(number - 1), ParseOptions(ocr=False))
            for part in seen.parts:
                if part.source in Source.TEXT_LAYER:
                    yield _lines_of(part), (seen.result.width, seen.result.height)


def _lines_of(page: PageModel) -> LinesOfPage:
    regions = classify_regions(page, place_regions(page), {"judged-headings"})
    lines = lines_to_judge(regions)
    features = features_of_lines(lines, regions, page.frames, page.lines)
    texts, boxes = [one.line.text for one in lines], [one.line.box for one in lines]
    return LinesOfPage(features, texts, boxes, [_is_heading(regions[one.region]) for one in lines])


def _is_heading(region: Region) -> bool:
    return region.kind in HEADINGS


def align(lines: Sequence[str], truth: str) -> list[int]:
    r"""Return a label for each of the lines of a document, whose words are aligned with those of its truth, in Markdown.

    >>> align(["Sails", "of", "linen", "and more"], "# Sails of\n\nlinen")
    [1, 1, 0, -1]
    """
    words = [(word, n) for n, text in enumerate(lines) for word in _words(text)]
    true = [(word, head) for head, text in _paragraphs(truth) for word in _words(text)]
    matcher = SequenceMatcher(None, [word for word, _ in words], [word for word, _ in true], autojunk=False)
    n_words, n_found, n_heads = np.zeros(len(lines)), np.zeros(len(lines)), np.zeros(len(lines))
    for _, line in words:
        n_words[line] += 1
    for match in matcher.get_matching_blocks():
        for offset in range(match.size):
            line = words[match.a + offset][1]
            n_found[line] += 1
            n_heads[line] += true[match.b + offset][1]
    unknown = (n_words > 0) & (n_found < MATCHED * n_words)
    heads, others = n_heads >= CLEAR * n_found, n_heads <= (1 - CLEAR) * n_found
    return [int(label) for label in np.where(unknown, UNKNOWN, np.where(others, 0, np.where(heads, 1, UNKNOWN)))]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _paragraphs(markdown: str) -> Iterator[tuple[bool, str]]:
    """Yield the lines of Markdown, and whether each is a heading; not the fences of code."""
    code = False
    for line in markdown.splitlines():
        if line.startswith("```"):
            code = not code
        elif line.strip():
            head = None if code else re.match(r"#{1,6}\s+(.*)", line)
            yield bool(head), re.sub(r"[\\`*_]", "", head[1]) if head else re.sub(r"<[^>]+>", " ", line)


def _box(corners: Sequence[dict[str, float]], width: float, height: float) -> Box:
    """Return the box around corners that are given as shares of the page, with a margin of two points."""
    xs, ys = [corner["x"] * width for corner in corners], [corner["y"] * height for corner in corners]
    return grown((min(xs), min(ys), max(xs), max(ys)), 2, 2)


def _is_in(line: Box, head: Box) -> bool:
    return area(common(line, head)) > INSIDE * area(line)


def _joined(pages: Sequence[tuple[str, LinesOfPage, Sequence[int]]]) -> LabelledLines:
    documents: list[Any] = [name for name, page, _ in pages for _ in page.texts]
    return LabelledLines(
        np.concatenate([page.features for _, page, _ in pages]),
        np.array([label for _, _, labels in pages for label in labels]),
        np.array(documents),
        np.array([ruled for _, page, _ in pages for ruled in page.ruled]),
    )
