"""Scoring: what converters make of cases, by the scorer of the benchmark kit."""

import shutil
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from benchmarks.parsing.peers import Converter
from benchmarks.parsing.scorers import report_of
from benchmarks.roundtrip.truth import comparable

METRICS = ("nid", "teds", "mhs")
PROCESSES = 2

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
        jobs = [threads.submit(_converted, name, peers, part, work / f"part-{number}") for number, part in enumerate(parts)]
        cpu = sum(job.result() for job in jobs)
        scored = [
            threads.submit(_scored, peers, scorer, part, truth, work / f"part-{number}") for number, part in enumerate(parts)
        ]
        scores = {case: found for job in scored for case, found in job.result().items()}
    predictions = work / "predictions"
    predictions.mkdir()
    for path in work.glob("part-*/read/*.md"):
        shutil.copy(path, predictions)
    return Outcome(scores, cpu)


def _converted(name: str, peers: str, pdfs: Sequence[Path], folder: Path) -> float:
    """Convert PDFs in a process of its own; return its seconds of CPU, without those of the first, which warms it up."""
    with Converter(name, peers, folder / "read") as converter:
        converter.convert(pdfs[:1], counted=False)
        converter.convert(pdfs)
        return sum(converter.run.cpu)


def _scored(peers: str, scorer: Path, pdfs: Sequence[Path], truth: Path, folder: Path) -> dict[str, Scores]:
    """Return the scores of the cases; a PDF that could not be read counts as empty."""
    for name in ("truth", "comparable"):
        (folder / name).mkdir()
    for pdf in pdfs:
        shutil.copy(truth / f"{pdf.stem}.md", folder / "truth")
        read = folder / "read" / f"{pdf.stem}.md"
        text = read.read_text(encoding="utf-8") if read.exists() else ""
        (folder / "comparable" / read.name).write_text(comparable(text), encoding="utf-8")
    found: dict[str, Scores] = report_of(peers, scorer, folder / "comparable", "--data", str(folder))["documents"]
    return found


def means_of(scores: Sequence[Scores]) -> list[float | None]:
    """Return the means of METRICS and, before them, their mean; None where no case has one."""
    means = []
    for metric in METRICS:
        values = [value for row in scores if (value := row[metric]) is not None]
        means.append(fmean(values) if values else None)
    known = [mean for mean in means if mean is not None]
    return [fmean(known) if known else None, *means]
