"""`make bench-roundtrip`: what parse makes of documents whose source knows the truth, typeset in many ways.

PAGEMILL_BENCH names the folder of a benchmark kit, whose scorer of parsing scores. Packages, typesetters and cases are kept in
PAGEMILL_BENCH_CACHE (by default ~/.cache/pagemill-bench); building all cases takes some minutes, once for each state of this code.
Of the split `test` only means are printed, and nothing is kept: a rule that helps the one split and not the other fits its files.
"""

import argparse
import shutil
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from benchmarks.parsing.peers import Peers, install
from benchmarks.report import cache_folder, kit_folder, say, say_bar, say_table
from benchmarks.roundtrip.cases import Case, cases_of
from benchmarks.roundtrip.scoring import METRICS, Outcome, Scores, means_of, outcome_of
from flows.cli.main import be_quiet

CONVERTERS = ("pagemill-body", "pymupdf-body")
"""Running headers and page numbers are left out; docling and marker are not here, since they fetch models when they run."""
OWN = CONVERTERS[0]
COLUMNS = ("cases", "overall", *METRICS)
BARS = {"nid": 0.985, "teds": 0.96, "mhs": 0.93}
SAMPLE = 350
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


def say_digital(bench: Bench, split: str, work: Path) -> None:
    """Print the scores of a split, born digital."""
    folder, cases = cases_of(split)
    chosen = cases[: bench.sample or None]
    pages = sum(case.pages for case in chosen)
    say(f"\n{split}, born digital: {len(chosen)} of {len(cases)} cases, {pages} pages")
    pdfs = [folder / "pdf" / f"{case.name}.pdf" for case in chosen]
    kept = work / f"{split}-digital"
    found = {
        name: outcome_of(name, bench.peers.python, bench.scorer, pdfs, folder / "truth", kept / name) for name in bench.converters
    }
    say_outcomes(chosen, found)
    if split == "train" and OWN in found:
        say_worst(found[OWN].scores, folder, kept / OWN / "predictions")
    elif OWN in found:
        for metric, bar in BARS.items():
            say_bar(metric, means_of(list(found[OWN].scores.values()))[METRICS.index(metric) + 1] or 0.0, bar)


def say_outcomes(cases: Sequence[Case], found: dict[str, Outcome]) -> None:
    """Print means in all by converter; by kind, typesetter, style and language of Pagemill, or of the first converter."""
    pages = sum(case.pages for case in cases)
    say_table(COLUMNS, {name: [len(cases), *means_of(list(outcome.scores.values()))] for name, outcome in found.items()})
    for name, outcome in found.items():
        say(f"  {name}: {outcome.cpu / pages:.3f} CPU seconds a page")
    scores = found.get(OWN, next(iter(found.values()))).scores
    for field in ("kind", "typesetter", "style", "language"):
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
    parser.add_argument("--split", choices=("train", "test", "both"), default="both")
    parser.add_argument("--sample", type=int, default=SAMPLE, metavar="N", help="cases of a split; 0 for all")
    parser.add_argument(
        "--converters", nargs="+", default=list(CONVERTERS), metavar="NAME", help="names of benchmarks.parsing.conversion"
    )
    parser.add_argument("--keep", action="store_true", help="keep the predictions of the split test too")
    return parser.parse_args()


def main() -> None:
    """Score the splits and print the figures."""
    be_quiet()
    given = parse_arguments()
    bench = Bench(given)
    for split in ("train", "test") if given.split == "both" else (given.split,):
        work = cache_folder() / "roundtrip" / f"last-{split}"
        shutil.rmtree(work, ignore_errors=True)
        say_digital(bench, split, work)
        if split == "test" and not bench.keep:
            shutil.rmtree(work)


if __name__ == "__main__":
    main()
