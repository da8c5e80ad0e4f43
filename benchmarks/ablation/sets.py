"""Sets of documents with known truth, and how readings of them are scored: by the scorers of the benchmark kit."""

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from benchmarks.html_pairs.books import BOOKS, book_of
from benchmarks.html_pairs.scoring import headings_in, tables_in
from benchmarks.parsing.scorers import report_of
from benchmarks.roundtrip.cases import cases_of
from benchmarks.roundtrip.run import SCANS, scan_pages
from benchmarks.roundtrip.scoring import drop_empty_cells
from benchmarks.roundtrip.truth import comparable
from schemas.records import Element
from tasks.file_tools.rendering import render_as_markdown
from tasks.parse.tables.html_cells import grid_of

Scores = Mapping[str, float | None]


class Reading(NamedTuple):
    """What was read of a document in one way: its elements, and the heights of its pages in points by their numbers."""

    document: str
    elements: Sequence[Element]
    heights: Mapping[int, float]


class TruthSet(NamedTuple):
    """PDFs by name, the group of each, the names of scores, and what scores readings, each in its turn."""

    pdfs: dict[str, Path]
    groups: dict[str, str]
    metrics: tuple[str, ...]
    score: Callable[[Sequence[Reading]], list[Scores]]
    scanned: bool = False


class Kit(NamedTuple):
    """Where truth and scorers are, the Python that runs these, and a folder for what is made."""

    folder: Path
    python: str
    work: Path


def roundtrip(kit: Kit) -> TruthSet:
    """Return documents whose source is known, typeset in many ways; groups are their kinds."""
    folder, cases = cases_of("train")
    pdfs = {case.name: folder / "pdf" / f"{case.name}.pdf" for case in cases}
    return TruthSet(pdfs, {case.name: case.kind for case in cases}, ("nid", "teds", "mhs"), _of_sources(kit, folder))


def scans(kit: Kit) -> TruthSet:
    """Return pictures of the pages of some of these documents."""
    folder, cases = cases_of("train")
    chosen = cases[:SCANS]
    pdfs = scan_pages([folder / "pdf" / f"{case.name}.pdf" for case in chosen], kit.work / "scans" / "pdf")
    named = {path.stem: path for path in pdfs}
    return TruthSet(named, {case.name: case.kind for case in chosen}, ("nid", "teds", "mhs"), _of_sources(kit, folder), True)


def _of_sources(kit: Kit, folder: Path) -> Callable[[Sequence[Reading]], list[Scores]]:
    def score(readings: Sequence[Reading]) -> list[Scores]:
        pairs = [
            (
                drop_empty_cells((folder / "truth" / f"{one.document}.md").read_text("utf-8")),
                drop_empty_cells(comparable(render_as_markdown(one.elements, False))),
            )
            for one in readings
        ]
        return _score_markdown(kit, pairs)

    return score


def dpbench(kit: Kit) -> TruthSet:
    """Return the development half of DP-Bench."""
    folder = kit.folder / "parsing"
    pdfs = {path.stem: path for path in sorted((folder / "pdf").glob("*.pdf"))}

    def score(readings: Sequence[Reading]) -> list[Scores]:
        texts = [
            ((folder / "truth" / f"{one.document}.md").read_text("utf-8"), render_as_markdown(one.elements, True))
            for one in readings
        ]
        return _score_markdown(kit, texts)

    return TruthSet(pdfs, dict.fromkeys(pdfs, ""), ("nid", "teds", "mhs"), score)


def icdar(kit: Kit) -> TruthSet:
    """Return the development half of ICDAR-2013's tables."""
    folder = kit.folder / "tables"
    pdfs = {path.stem: path for path in sorted((folder / "pdf").glob("*.pdf"))}

    def score(readings: Sequence[Reading]) -> list[Scores]:
        work = _emptied(kit.work / "icdar")
        (work / "truth").mkdir()
        found = {}
        for number, one in enumerate(readings):
            for truth in (folder / "truth").glob(f"{one.document}-*.xml"):
                shutil.copy(truth, work / "truth" / f"{number:06}{truth.name.removeprefix(one.document)}")
            tables = [element for element in one.elements if element["kind"] == "table"]
            found[f"{number:06}.pdf"] = [_table(table, one.heights[table["page_number"]]) for table in tables]
        predictions = work / "tables.json"
        predictions.write_text(json.dumps(found))
        scorer = folder / "score_tables.py"
        rows: dict[str, Scores] = report_of(kit.python, scorer, predictions, "--data", str(work))["documents"]
        return [rows[f"{number:06}"] for number in range(len(readings))]

    return TruthSet(pdfs, dict.fromkeys(pdfs, ""), ("f1", "teds", "row"), score)


def _table(found: Element, height: float) -> dict[str, Any]:
    box = found["bbox"]
    corners = [box["x0"], height - box["y1"], box["x1"], height - box["y0"]] if box else None
    return {"page": found["page_number"], "bbox": corners, "rows": grid_of(found["html"] or "")}


def twins(kit: Kit) -> TruthSet:
    """Return pages of books that are HTML as well: their tables, and which of their lines are headings (F1); groups are books."""
    books = [book for name in BOOKS["train"] if (book := book_of(name, kit.work / "twins" / "pdf")) is not None]
    tables = {pdf.stem: found for book in books for pdf, found in book.pages.items()}
    headings = {pdf.stem: book.headings for book in books for pdf in book.pages}

    def score(readings: Sequence[Reading]) -> list[Scores]:
        texts = [render_as_markdown(one.elements, False) for one in readings]
        pairs = [
            (number, n, (table, comparable(found)))
            for number, one in enumerate(readings)
            for n, table in enumerate(tables[one.document])
            for found in tables_in(texts[number]) or [""]
        ]
        best: dict[tuple[int, int], float] = {}
        for (number, n, _), row in zip(pairs, _score_markdown(kit, [pair for *_, pair in pairs]), strict=True):
            best[number, n] = max(best.get((number, n), 0.0), row["teds"] or 0.0)
        scores: list[Scores] = []
        for number, one in enumerate(readings):
            right, wrong, missed = headings_in(texts[number], headings[one.document])
            teds = [best[number, n] for n in range(len(tables[one.document]))]
            told = 2 * right + wrong + missed
            scores.append({"teds": fmean(teds) if teds else None, "headings": 2 * right / told if told else None})
        return scores

    pdfs = {pdf.stem: pdf for book in books for pdf in book.pages}
    groups = {pdf.stem: book.name for book in books for pdf in book.pages}
    return TruthSet(pdfs, groups, ("teds", "headings"), score)


SETS: dict[str, Callable[[Kit], TruthSet]] = {
    "roundtrip": roundtrip, "twins": twins, "dpbench": dpbench, "icdar": icdar, "scans": scans,
}  # fmt: skip


def _score_markdown(kit: Kit, pairs: Sequence[tuple[str, str]]) -> list[Scores]:
    """Return the scores of pairs of truth and what was read; equal ones are scored once."""
    work = _emptied(kit.work / "scored")
    for part in ("truth", "found"):
        (work / part).mkdir()
    numbers = {pair: number for number, pair in enumerate(dict.fromkeys(pairs))}
    for pair, number in numbers.items():
        for part, text in zip(("truth", "found"), pair, strict=True):
            (work / part / f"{number:06}.md").write_text(text, "utf-8")
    if not pairs:
        return []
    scorer = kit.folder / "parsing" / "score_parsing.py"
    rows: dict[str, Scores] = report_of(kit.python, scorer, work / "found", "--data", str(work))["documents"]
    return [rows[f"{numbers[pair]:06}"] for pair in pairs]


def _emptied(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
