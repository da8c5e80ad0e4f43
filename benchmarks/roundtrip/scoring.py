"""Scoring: what converters make of cases, by the scorer of the benchmark kit."""

import re
import shutil
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from benchmarks.parsing.peers import Converter
from benchmarks.parsing.scorers import report_of
from benchmarks.roundtrip.truth import comparable

METRICS = ("nid", "teds", "mhs")
PROCESSES = 2
_PIPES = re.compile(r"^\|.*\n\|(?: *:?-+:? *\|)+\n(?:\|.*(?:\n|\Z))*", re.MULTILINE)
_HTML = re.compile(r"<table[^>]*>.*?</table>", re.DOTALL | re.IGNORECASE)

Scores = Mapping[str, float | None]


class Outcome(NamedTuple):
    """Scores by case, and seconds of CPU that the converter took in all."""

    scores: dict[str, Scores]
    cpu: float


def outcome_of(name: str, peers: str, scorer: Path, pdfs: Sequence[Path], truth: Path, work: Path) -> Outcome:
    """Have a converter read the PDFs and score what it wrote; its Markdown stays in `work`/predictions.

    `peers` is the Python of the converters and of the scorer, `truth` the folder with a `.md` for every PDF.

    Raises:
        SystemExit: the converter or the scorer failed.
    """
    parts = [pdfs[number::PROCESSES] for number in range(PROCESSES)]
    with ThreadPoolExecutor(PROCESSES) as threads:
        jobs = [threads.submit(_convert, name, peers, part, work / f"part-{number}") for number, part in enumerate(parts)]
        cpu = sum(job.result() for job in jobs)
        scored = [
            threads.submit(_score, peers, scorer, part, truth, work / f"part-{number}") for number, part in enumerate(parts)
        ]
        scores = {case: found for job in scored for case, found in job.result().items()}
    predictions = work / "predictions"
    predictions.mkdir()
    for path in work.glob("part-*/read/*.md"):
        shutil.copy(path, predictions)
    return Outcome(scores, cpu)


def _convert(name: str, peers: str, pdfs: Sequence[Path], folder: Path) -> float:
    """Convert PDFs in a process of its own; return its seconds of CPU, without those of the first, which warms it up."""
    with Converter(name, peers, folder / "read") as converter:
        converter.convert(pdfs[:1], counted=False)
        converter.convert(pdfs)
        return sum(converter.run.cpu)


def _score(peers: str, scorer: Path, pdfs: Sequence[Path], truth: Path, folder: Path) -> dict[str, Scores]:
    """Return the scores of the cases; a PDF that could not be read counts as empty."""
    for name in ("truth", "comparable"):
        (folder / name).mkdir()
    for pdf in pdfs:
        read = folder / "read" / f"{pdf.stem}.md"
        text = read.read_text(encoding="utf-8") if read.exists() else ""
        told = (truth / read.name).read_text(encoding="utf-8")
        (folder / "truth" / read.name).write_text(drop_empty_cells(told), encoding="utf-8")
        (folder / "comparable" / read.name).write_text(drop_empty_cells(comparable(text)), encoding="utf-8")
    found: dict[str, Scores] = report_of(peers, scorer, folder / "comparable", "--data", str(folder))["documents"]
    return found


def drop_empty_cells(markdown: str) -> str:
    r"""Return comparable Markdown without the rows and columns of its tables that are empty throughout: no print shows them.

    A table that has none of them stays as it is, and one that has nothing else, too.

    >>> printed("| a | |\n| --- | --- |\n| b | |\n")
    '| a |\n| --- |\n| b |\n'
    >>> printed('<table><tr><th></th><th colspan="2">a</th></tr><tr><td></td><td>b</td><td></td></tr></table>')
    '<table><tr><th colspan="2">a</th></tr><tr><td>b</td><td></td></tr></table>'
    """
    return _HTML.sub(lambda table: _printed_html(table[0]), _PIPES.sub(lambda table: _printed_pipes(table[0]), markdown))


def _printed_pipes(table: str) -> str:
    lines = [line.strip().strip("|").split("|") for line in table.splitlines()]
    rows = [lines[0], *lines[2:]]
    columns = {x for row in rows for x, cell in enumerate(row) if cell.strip()}
    kept = [row for row in rows if any(cell.strip() for cell in row)]
    if not kept or (len(kept) == len(rows) and len(columns) == max(map(len, rows))):
        return table
    cut = [[cell.strip() for x, cell in enumerate(row) if x in columns] for row in kept]
    ruled = [cut[0], ["---"] * len(columns), *cut[1:]]
    return "".join(f"| {' | '.join(row)} |\n" for row in ruled)


def _printed_html(table: str) -> str:
    from lxml import etree, html

    found = html.fragment_fromstring(table)
    rows = found.findall(".//tr")
    places = _places_of(rows)
    filled = [place for cell, place in places if cell.text_content().strip()]
    kept_rows = {y for ys, _ in filled for y in ys}
    kept_columns = {x for _, xs in filled for x in xs}
    if not filled or all(kept_rows.issuperset(ys) and kept_columns.issuperset(xs) for _, (ys, xs) in places):
        return table
    for cell, (ys, xs) in places:
        if kept_rows.isdisjoint(ys) or kept_columns.isdisjoint(xs):
            cell.getparent().remove(cell)
        for name, covered, kept in (("rowspan", ys, kept_rows), ("colspan", xs, kept_columns)):
            cell.attrib.pop(name, None)
            if (n := len(kept.intersection(covered))) > 1:
                cell.set(name, str(n))
    for row in rows:
        if not len(row):
            row.getparent().remove(row)
    for cell in rows[min(kept_rows)]:
        cell.tag = "th"
    return str(etree.tostring(found, encoding="unicode", method="html"))


def _places_of(rows: Sequence[Any]) -> list[tuple[Any, tuple[range, range]]]:
    """Return the cells of a table with the rows and the columns that each covers."""
    taken: set[tuple[int, int]] = set()
    places = []
    for y, row in enumerate(rows):
        x = 0
        for cell in row:
            while (y, x) in taken:
                x += 1
            ys, xs = range(y, y + int(cell.get("rowspan", 1))), range(x, x + int(cell.get("colspan", 1)))
            taken.update((j, i) for j in ys for i in xs)
            places.append((cell, (ys, xs)))
    return places


def means_of(scores: Sequence[Scores]) -> list[float | None]:
    """Return the means of METRICS and, before them, their mean; None where no case has one."""
    means = []
    for metric in METRICS:
        values = [value for row in scores if (value := row[metric]) is not None]
        means.append(fmean(values) if values else None)
    known = [mean for mean in means if mean is not None]
    return [fmean(known) if known else None, *means]
