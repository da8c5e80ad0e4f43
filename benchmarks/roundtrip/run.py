"""What parse makes of documents whose source knows the truth, typeset in many ways.

PAGEMILL_BENCH names the folder of a benchmark kit, whose scorer of parsing scores. Packages, typesetters and cases are kept in
PAGEMILL_BENCH_CACHE (by default ~/.cache/pagemill-bench); building all cases takes some minutes, once.
Of the split `test` only means are printed, and nothing is kept: a rule that helps the one split and not the other fits its files.
"""

import argparse
import os
import shutil
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from benchmarks.debian import unpack_package
from benchmarks.parsing.peers import Peers, install
from benchmarks.report import cache_folder, kit_folder, say, say_bar, say_table
from benchmarks.roundtrip.cases import Case, cases_of
from benchmarks.roundtrip.raster import rasterise
from benchmarks.roundtrip.scoring import METRICS, Outcome, Scores, means_of, outcome_of
from flows.cli.main import silence_libraries

CONVERTERS = ("pagemill-body", "pymupdf-body")
"""Running headers and page numbers are left out; docling and marker are not here, since they fetch models when they run."""
OWN = CONVERTERS[0]
COLUMNS = ("cases", "overall", *METRICS)
BARS = {"digital": {"nid": 0.985, "teds": 0.96, "mhs": 0.93}, "scans": {"nid": 0.95, "teds": 0.85}}
BASELINE: dict[tuple[str, str], dict[str, float]] = {("digital", "test"): {"nid": 0.9575, "teds": 0.787, "mhs": 0.8395}}
"""What the parser scored on SAMPLE cases before it had seen any, by part and split.

TEDS was .759 while five of 140 cases had only tables that lead to other pages, no more in the truth: .787 if it missed them.
"""
SAMPLE, SCANS = 350, 40
DPI = 200
READ = ("eng", "osd", "rus", "chi-sim", "ara")
"""The languages of the cases as Debian's packages of Tesseract call them: who scans them has these installed."""
WORST = 12


class Bench:
    """What the parts share."""

    def __init__(self, given: argparse.Namespace) -> None:
        kit = kit_folder("parsing", "requirements.txt")
        self.scorer = kit / "parsing" / "score_parsing.py"
        self.converters: list[str] = given.converters
        self.sample: int = given.sample
        self.keep: bool = given.keep
        self.peers: Peers = install(cache_folder(), kit / "requirements.txt", ("pymupdf",))


def say_part(bench: Bench, part: str, split: str, work: Path) -> None:
    """Print the scores of a split, its pages as they are or as pictures."""
    folder, cases = cases_of(split)
    chosen = cases[: bench.sample or None] if part == "digital" else cases[:SCANS]
    say(f"\n{split}, {part}: {len(chosen)} of {len(cases)} cases, {sum(case.pages for case in chosen)} pages")
    pdfs = [folder / "pdf" / f"{case.name}.pdf" for case in chosen]
    if part == "scans":
        pdfs = scan_pages(pdfs, work / "pdf")
    truth, names = folder / "truth", bench.converters
    found = {name: outcome_of(name, bench.peers.python, bench.scorer, pdfs, truth, work / name) for name in names}
    say_outcomes(chosen, found, split == "train")
    if OWN in found:
        if split == "train":
            say_worst(found[OWN].scores, pdfs[0].parent, work / OWN / "predictions")
        say_bars(part, split, found[OWN].scores)


def scan_pages(pdfs: Sequence[Path], out: Path) -> list[Path]:
    """Write pictures of all pages at 200 dpi, every second document worn; return the PDFs of the pictures."""
    os.environ["TESSDATA_PREFIX"] = str(languages_of_tesseract(out.parent / "tessdata"))
    made = [out / pdf.name for pdf in pdfs]
    for number, (pdf, scan) in enumerate(zip(pdfs, made, strict=True)):
        rasterise(pdf, scan, DPI, worn=number % 2 == 1)
    return made


def languages_of_tesseract(out: Path) -> Path:
    """Return a folder with Tesseract's data of the languages of the cases, from Debian's packages."""
    out.mkdir(parents=True, exist_ok=True)
    for name in READ:
        for data in unpack_package(f"tesseract-ocr-{name}").rglob("*.traineddata"):
            (out / data.name).symlink_to(data)
    return out


def say_bars(part: str, split: str, scores: dict[str, Scores]) -> None:
    """Print the means of a split beside the bars of the part: fixed ones, and half of the gap to 1 that BASELINE left."""
    means = dict(zip(METRICS, means_of(list(scores.values()))[1:], strict=True))
    for metric, bar in BARS[part].items():
        say_bar(metric, means[metric] or 0.0, bar)
    for metric, value in BASELINE.get((part, split), {}).items():
        say_bar(f"{metric}, half of the gap to 1 that {value:.3f} left", means[metric] or 0.0, (1 + value) / 2)


def say_outcomes(cases: Sequence[Case], found: dict[str, Outcome], closely: bool) -> None:
    """Print means by converter; of Pagemill, or of the first, by kind and typesetter too, and `closely` by style and language."""
    pages = sum(case.pages for case in cases)
    say_table(COLUMNS, {name: [len(cases), *means_of(list(outcome.scores.values()))] for name, outcome in found.items()})
    for name, outcome in found.items():
        say(f"  {name}: {outcome.cpu / pages:.3f} CPU seconds a page")
    scores = found.get(OWN, next(iter(found.values()))).scores
    for field in ("kind", "typesetter", "style", "language")[: 4 if closely else 2]:
        groups: dict[str, list[Scores]] = defaultdict(list)
        for case in cases:
            groups[getattr(case, field)].append(scores[case.name])
        say(f"  by {field}")
        say_table(COLUMNS, {name: [len(rows), *means_of(rows)] for name, rows in sorted(groups.items())})


def say_worst(scores: dict[str, Scores], folder: Path, predictions: Path) -> None:
    """Name the cases that lose most, to be looked at."""
    say(f"  PDFs and truth are in {folder}, predictions in {predictions}")
    for metric in METRICS:
        known = sorted((value, name) for name, row in scores.items() if (value := row[metric]) is not None)
        say(f"  lowest {metric}: " + ", ".join(f"{name} {value:.3f}" for value, name in known[:WORST]))


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", nargs="+", choices=BARS, default=["digital"])
    parser.add_argument("--split", choices=("train", "test", "both"), default="both")
    parser.add_argument("--sample", type=int, default=SAMPLE, metavar="N", help="cases of a split; 0 for all")
    parser.add_argument(
        "--converters", nargs="+", default=list(CONVERTERS), metavar="NAME", help="names of benchmarks.parsing.conversion"
    )
    parser.add_argument("--keep", action="store_true", help="keep the predictions of the split test too")
    return parser.parse_args()


def main() -> None:
    """Score the splits and print the figures."""
    silence_libraries()
    given = parse_arguments()
    bench = Bench(given)
    for split in ("train", "test") if given.split == "both" else (given.split,):
        for part in given.parts:
            work = cache_folder() / "roundtrip" / f"last-{split}-{part}"
            shutil.rmtree(work, ignore_errors=True)
            say_part(bench, part, split, work)
            if split == "test" and not bench.keep:
                shutil.rmtree(work)


if __name__ == "__main__":
    main()
