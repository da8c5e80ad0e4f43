"""What each pass of parsing is worth: scores with it minus those without it, on sets with known truth, and its time.

PAGEMILL_BENCH names the folder of a benchmark kit, whose scorers score; cases and books are kept in PAGEMILL_BENCH_CACHE (by
default ~/.cache/pagemill-bench), as `make bench NAME=roundtrip` and `NAME=html_pairs` keep them. `*` is behind what is more than
chance: the interval of 95 % of the paired bootstrap over documents is above 0, or below it. A dash: nothing is read otherwise.
"""

import argparse
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from pathlib import Path
from typing import NamedTuple

from benchmarks.ablation.readings import TOGETHER, WHOLE, read_with_each_left_out, read_without_all
from benchmarks.ablation.sets import SETS, Kit, Reading, Scores, TruthSet
from benchmarks.ablation.worth import Worth, compute_worth
from benchmarks.parsing.peers import install
from benchmarks.report import cache_folder, kit_folder, say
from flows.cli.main import silence_libraries
from schemas.options.sections import ParseOptions
from tasks.parse.passes.document import DOCUMENT_PASSES
from tasks.parse.passes.table import PASSES

ENOUGH = 2
"""Fewest sets on which a pass is worth more than chance that may stay for it."""


class SetResult(NamedTuple):
    """Scores by the pass that is left out, and document; without a pass only those read otherwise. And seconds of passes."""

    truth: TruthSet
    scores: dict[str, dict[str, Scores]]
    seconds: dict[str, float]
    n_pages: int

    def compute_worth(self, name: str, metric: str) -> Worth | None:
        """Return what a pass is worth by one score."""
        whole, without = ({doc: row[metric] for doc, row in self.scores.get(key, {}).items()} for key in (WHOLE, name))
        return compute_worth(whole, without)


def measure(truth: TruthSet, most: int, together: Set[str]) -> SetResult:
    """Read documents of a set, `most` of them, 0 for all, with all passes and without each, and score what differs.

    If passes to leave out `together` are named, no others are left out.
    """
    readings: list[tuple[str, Reading]] = []
    seconds: dict[str, float] = defaultdict(float)
    n_pages = 0
    for name, pdf in list(truth.pdfs.items())[: most or None]:
        content, options = pdf.read_bytes(), ParseOptions(ocr=truth.scanned)
        found = read_without_all(content, options, together) if together else read_with_each_left_out(content, options)
        readings += [(left_out, Reading(name, elements, found.heights)) for left_out, elements in found.elements.items()]
        for left_out, took in found.seconds.items():
            seconds[left_out] += took
        n_pages += found.n_pages
    scores: dict[str, dict[str, Scores]] = defaultdict(dict)
    for (left_out, one), row in zip(readings, truth.score([one for _, one in readings]), strict=True):
        scores[left_out][one.document] = row
    return SetResult(truth, dict(scores), seconds, n_pages)


def say_passes(names: Sequence[str], results: Mapping[str, SetResult]) -> None:
    """Print a row for each pass: what it is worth by each score of each set, documents that it changes, and its milliseconds."""
    columns = [(found, metric) for found, result in results.items() for metric in result.truth.metrics]
    width = max(map(len, names))
    say(" " * width + "".join(f"{name.partition('.')[0]:>10}" for name, _ in columns))
    say(" " * width + "".join(f"{metric:>10}" for _, metric in columns) + "   changes  ms/page")
    pages = sum(result.n_pages for result in results.values())
    for name in names:
        cells = [shown(results[found].compute_worth(name, metric)) for found, metric in columns]
        changed = sum(len(result.scores.get(name, ())) for result in results.values())
        timed = [result.seconds[name] for result in results.values() if name in result.seconds]
        took = f"{1000 * sum(timed) / max(pages, 1):.3f}" if timed else "-"
        say(f"{name:<{width}}" + "".join(f"{cell:>10}" for cell in cells) + f"{changed:>10}{took:>9}")


def shown(worth: Worth | None) -> str:
    """Return what is printed of a difference.

    >>> shown(Worth(0.0123, 0.001, 0.02)), shown(Worth(-0.0004, -0.001, 0.0)), shown(None)
    ('+.0123*', '-.0004 ', '- ')
    """
    if worth is None:
        return "- "
    return f"{worth.mean:+.4f}".replace("0.", ".", 1) + ("*" if worth.helps or worth.hurts else " ")


def say_verdicts(names: Sequence[str], results: Mapping[str, SetResult]) -> None:
    """Print which passes help more than chance does on at least ENOUGH sets, which hurt one, and which do neither.

    The figures are those that stand as `evidence` in the table of passes.
    """
    said: dict[str, list[str]] = defaultdict(list)
    for name in names:
        sure = {
            (found, metric): worth
            for found, result in results.items()
            for metric in result.truth.metrics
            if (worth := result.compute_worth(name, metric)) and (worth.helps or worth.hurts)
        }
        if not any(name in result.scores for result in results.values()):
            said["changes none of these documents, which says nothing of others"].append(name)
            continue
        helped = {found for (found, _), worth in sure.items() if worth.helps}
        hurt = any(worth.hurts for worth in sure.values())
        verdict = (
            "hurts" if hurt else f"helps on {ENOUGH} sets or more" if len(helped) >= ENOUGH else f"helps on fewer than {ENOUGH}"
        )
        evidence = ", ".join(f"{found} {metric} {shown(worth).strip('* ')}" for (found, metric), worth in sure.items())
        said[verdict].append(f"{name}: {evidence or 'none'}")
    for verdict, passes in sorted(said.items()):
        say(f"\n{verdict}\n  " + "\n  ".join(passes))


def say_groups(names: Sequence[str], results: Mapping[str, SetResult]) -> None:
    """Print for each pass the groups of documents, such as kinds and books, that it changes most."""
    for name in names:
        for found, result in results.items():
            for metric in result.truth.metrics:
                groups: dict[str, list[float]] = defaultdict(list)
                for document, row in result.scores.get(name, {}).items():
                    before, after = result.scores[WHOLE][document][metric], row[metric]
                    if before is not None and after is not None and before != after:
                        groups[result.truth.groups[document]].append(before - after)
                if groups:
                    parts = (f"{group or 'all'} {sum(each):+.3f} in {len(each)}" for group, each in sorted(groups.items()))
                    say(f"  {name}, {found} {metric}: " + "; ".join(parts))


def main() -> None:
    """Measure and print."""
    silence_libraries()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    parser.add_argument("--groups", action="store_true", help="also print sums of differences by group of documents")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="documents of a set; 0 for all")
    parser.add_argument("--together", nargs="+", metavar="PASS", help="passes to leave out all at once, and no others")
    given = parser.parse_args()
    folder = kit_folder("parsing", "tables", "requirements.txt")
    peers = install(cache_folder(), folder / "requirements.txt", ())
    known = [one.name for one in PASSES if not one.needed] + [one.name for one in DOCUMENT_PASSES]
    together = frozenset(given.together or ())
    if unknown := together - set(known):
        parser.error(f"no pass {', '.join(sorted(unknown))}: choose from {', '.join(known)}")
    names = [TOGETHER] if together else known
    with tempfile.TemporaryDirectory(prefix="pagemill-bench-") as work:
        results: dict[str, SetResult] = {}
        for name in given.sets:
            results[name] = measure(SETS[name](Kit(folder, peers.python, Path(work))), given.sample, together)
            say(f"\n{name}: {len(results[name].scores[WHOLE])} documents, {results[name].n_pages} pages")
            say_passes(names, {name: results[name]})
    say_verdicts(names, results)
    if given.groups:
        say_groups(names, results)


if __name__ == "__main__":
    main()
