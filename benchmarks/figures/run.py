"""What figures are taken for, how sure and how fast, and what is read on pictures, beside the bars.

PAGEMILL_BENCH names the folder of a benchmark kit, which holds figures and ocr with their scorers. Types come from
`classify_pictures`, which the refresh and `pagemill describe` call, texts from `pagemill describe --json`. The scorer of
texts runs in the peers' environment.
"""

import csv
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from benchmarks.figures.texts import say_texts
from benchmarks.parsing.peers import install
from benchmarks.parsing.scorers import report_of
from benchmarks.report import cache_folder, kit_folder, parts_to_run, say, say_bar, say_table
from flows.cli.main import silence_libraries
from schemas.options.sections import DescribeOptions
from tasks.describe.io.classify import classify_pictures
from tasks.file_tools.io.describe_images import AT_ONCE

CHARTS = ("bar chart", "line graph", "pie chart", "scatter plot")
PICTURES = ("photograph", "flow chart or diagram", "map", "screenshot", "logo", "handwriting or signature")
FINE = {kind: kind.replace(" ", "_") for kind in (*CHARTS, "table", "equation")} | dict.fromkeys(PICTURES, "picture")
"""The kit's label for a type. Text, and figures of no sure type, have none: they count as wrong."""
COARSE = dict.fromkeys((FINE[kind] for kind in CHARTS), "chart")
"""The kit's coarse label for a fine one, where they differ."""
NO_FINE = ("chart", "other_figure")
"""Labels of figures whose fine type is not known."""
CONFIDENT = 0.9
EDGES = (0.0, 0.4, 0.5, 0.6, 0.7, 0.8, CONFIDENT, 1.0)
ACCURACY_BAR, F1_BAR, CALIBRATION_BAR, TYPING_BAR = 0.85, 0.70, 0.95, 40.0
ROUNDS = 3


class Typed(NamedTuple):
    """A figure of the kit with its labels, what it was taken for, and with which confidence, in [0, 1]."""

    file: str
    label: str
    kind: str
    found: str
    confidence: float


class Bin(NamedTuple):
    """Figures of some confidence: how many, their mean confidence, and the share of them that is right."""

    n: int
    confidence: float
    right: float


class Pace(NamedTuple):
    """What typing took: seconds of the first batch, and each round's milliseconds a figure, by the clock and of computing."""

    first: float
    wall: list[float]
    cpu: list[float]


def fine_label(found: str) -> str:
    """Return the kit's fine label for a type that Pagemill gives; a type that has none stays as it is."""
    return FINE.get(found, found)


def coarse_label(found: str) -> str:
    """Return the kit's coarse label for a type that Pagemill gives; a type that has none stays as it is."""
    fine = fine_label(found)
    return COARSE.get(fine, fine)


def calibration(found: Sequence[tuple[float, bool]], edges: Sequence[float] = EDGES) -> dict[str, Bin]:
    """Return a Bin for each two edges that figures lie between; `found` says of each its confidence, and whether it is right.

    A confidence on an edge belongs to the bin above, that on the last edge to the last.
    """
    bins = {}
    for low, high in pairwise(edges):
        rows = [row for row in found if low <= row[0] < high or row[0] == high == edges[-1]]
        if rows:
            confidences, right = zip(*rows, strict=True)
            bins[f"{low:.1f} to {high:.1f}"] = Bin(len(rows), statistics.fmean(confidences), statistics.fmean(right))
    return bins


def type_figures(folder: Path) -> list[Typed]:
    """Type every figure of the kit as a refresh does."""
    rows = _read_labels(folder)
    classes = classify_pictures([(folder / "images" / row["file"]).read_bytes() for row in rows], DescribeOptions())
    return [
        Typed(row["file"], row["label"], row["kind"], figure_class.kind, figure_class.confidence or 0.0)
        for row, figure_class in zip(rows, classes, strict=True)
    ]


def _read_labels(folder: Path) -> list[dict[str, str]]:
    with (folder / "labels.csv").open(encoding="utf-8", newline="") as source:
        return list(csv.DictReader(source))


def say_types(folder: Path, typed: Sequence[Typed]) -> None:
    """Print the scorer's figures for fine and coarse types; the fine ones have bars."""
    say("\ntypes, by the kit's score_figures.py; no peer: no CLIP weights can be had without a network")
    fine = _score(folder, typed, "label", fine_label)
    by_class = _say_scores("fine types", fine, Counter(figure.label for figure in typed))
    lowest = min(by_class, key=by_class.__getitem__)
    say_bar("accuracy", fine["accuracy"], ACCURACY_BAR)
    say_bar(f"lowest F1, {lowest}", by_class[lowest], F1_BAR)
    coarse = _score(folder, typed, "kind", coarse_label)
    _say_scores("coarse types", coarse, Counter(figure.kind for figure in typed))


def _score(folder: Path, typed: Sequence[Typed], column: str, label: Callable[[str], str]) -> dict[str, float]:
    """Return what the scorer says of the types, compared with a column of the kit's labels."""
    with tempfile.TemporaryDirectory() as work:
        predictions = Path(work) / "predictions.csv"
        with predictions.open("w", encoding="utf-8", newline="") as sink:
            csv.writer(sink).writerows([("file", "label"), *((figure.file, label(figure.found)) for figure in typed)])
        scores: dict[str, float] = report_of(sys.executable, folder / "score_figures.py", predictions, "--column", column)
        return scores


def _say_scores(what: str, scores: Mapping[str, float], counts: Mapping[str, int]) -> dict[str, float]:
    """Print the scores, and return the F1 of each class."""
    by_class = {name.removeprefix("f1 "): score for name, score in scores.items() if name.startswith("f1 ")}
    say(f"  {what} of {sum(counts[name] for name in by_class)} figures")
    rows = {"accuracy": [scores["accuracy"]], "macro F1": [scores["macro_f1"]]}
    say_table(("score",), rows | {f"F1 {name} ({counts[name]})": [score] for name, score in by_class.items()})
    return by_class


def say_calibration(typed: Sequence[Typed]) -> None:
    """Print which share of the figures is right, by confidence."""
    say("\ncalibration: how many figures of a known fine type are right; those below 0.4 get no type")
    fine = [(figure.confidence, fine_label(figure.found) == figure.label) for figure in typed if figure.label not in NO_FINE]
    say_table(("confidence", "right"), {f"{name} ({found.n})": found[1:] for name, found in calibration(fine).items()})
    sure = [is_right for confidence, is_right in fine if confidence >= CONFIDENT]
    say_bar(f"share right of confidence {CONFIDENT} or more, {sum(sure)} of {len(sure)}", sum(sure) / len(sure), CALIBRATION_BAR)


def say_confusion(typed: Sequence[Typed]) -> None:
    """Print how many figures of each fine type were taken for what."""
    say("\nconfusion: a row for each true type, a column for each that was found")
    pairs = Counter((figure.label, fine_label(figure.found)) for figure in typed if figure.label not in NO_FINE)
    labels = list(dict.fromkeys(FINE.values()))
    columns = [*labels, *sorted({found for _, found in pairs} - set(labels))]
    rows = {true: [pairs[true, found] or None for found in columns] for true in labels}
    say_table([name.partition("_")[0] for name in columns], rows, digits=0)


def say_pace(folder: Path) -> None:
    """Print the milliseconds that typing a figure takes on one core, OCR aside."""
    paths = [str(folder / "images" / row["file"]) for row in _read_labels(folder)]
    with ProcessPoolExecutor(1, get_context("spawn"), _on_one_core) as process:
        pace = process.submit(pace_of, paths).result()
    say(f"\ntime on one core: {len(paths)} figures, {AT_ONCE} a batch, OCR aside; load of the machine {os.getloadavg()[0]:.1f}")
    say(f"  the model's loading and a first batch, not counted: {pace.first:.1f} s")
    rounds = [f"round {n + 1}" for n in range(ROUNDS)]
    say_table(rounds, {"ms a figure": pace.wall, "ms of computing": pace.cpu}, digits=1)
    say_bar(f"ms of computing a figure, median of {ROUNDS} rounds", statistics.median(pace.cpu), TYPING_BAR, at_most=True)


def _on_one_core() -> None:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    os.environ["OMP_THREAD_LIMIT"] = os.environ["OMP_NUM_THREADS"] = "1"


def pace_of(paths: Sequence[str]) -> Pace:
    """Type the pictures in batches, again in every round, in this process on one thread; their bytes are read before."""
    import torch

    torch.set_num_threads(1)
    images = [Path(path).read_bytes() for path in paths]
    started = time.perf_counter()
    classify_pictures(images[:AT_ONCE], DescribeOptions())
    pace = Pace(time.perf_counter() - started, [], [])
    for _ in range(ROUNDS):
        wall, cpu = time.perf_counter(), time.process_time()
        for at in range(0, len(images), AT_ONCE):
            classify_pictures(images[at : at + AT_ONCE], DescribeOptions())
        pace.wall.append(1000 * (time.perf_counter() - wall) / len(images))
        pace.cpu.append(1000 * (time.process_time() - cpu) / len(images))
    return pace


def main() -> None:
    """Run all parts and print their figures."""
    parts_to_run(__doc__, ())
    silence_libraries()
    kit = kit_folder("figures", "ocr", "requirements.txt")
    peers = install(cache_folder(), kit / "requirements.txt", ())
    say(f"figures, on {kit}")
    typed = type_figures(kit / "figures")
    say_types(kit / "figures", typed)
    say_calibration(typed)
    say_confusion(typed)
    say_pace(kit / "figures")
    say_texts(kit / "ocr", peers.python)


if __name__ == "__main__":
    main()
