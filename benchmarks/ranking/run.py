"""Ranking on corpora of several kinds: each as shipped, and with the weights that are best for all the others.

    python -m benchmarks.ranking.run [--kinds texts,notes] [--grid] [--places]

Texts and quarterly reports come from the benchmark kit, manuals and notes from packages of Debian, yearly reports are drawn.
Corpora are built once. The grid tries weights of hybrid ranking; a kind is then scored with those that are best for the others.
"""

import argparse
import itertools
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.debian import unpacked
from benchmarks.ranking.corpora import PACKAGES, Kind, kinds, reports
from benchmarks.ranking.measures import Scores, measure
from benchmarks.ranking.placed import run_places
from benchmarks.ranking.places import PACKAGES as BOOK_PACKAGES
from benchmarks.report import cache_folder, kit_folder, say, say_table
from tasks.embed.remembered import Memory
from tasks.search import hybrid
from tasks.search.io.retrieve import Searcher, open_searcher

COLUMNS = ["first", "any of 5", "chunks", "passages", "IoU"]
SCENTS, SECTIONS = (0.0, 0.75, 1.25, 2.0), (0.0, 0.25, 0.5)
"""Weights that are tried."""

Weights = tuple[float, float]
"""Of the document's scent, and of the section's words."""
SHIPPED: Weights = (hybrid.SCENT_WEIGHT, hybrid.SECTION_WEIGHT)
PLAIN: Weights = (0.0, 0.0)


def main() -> None:
    """Print a table of the kinds, and one of the kinds left out in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kinds", default="", help="some of the kinds, with commas between them")
    parser.add_argument("--grid", action="store_true", help="try other weights")
    parser.add_argument("--places", action="store_true", help="ask for pages, tables, figures and sections instead")
    given = parser.parse_args()
    for package in (*PACKAGES, *(BOOK_PACKAGES if given.places else ())):
        unpacked(package)
    kit = kit_folder("chunking/questions.jsonl", "corpus/questions.jsonl")
    if given.places:
        run_places(cache_folder() / "places", cache_folder() / "debian", reports(cache_folder() / "ranking", kit).corpus)
        return
    wanted = [name for name in given.kinds.split(",") if name]
    weights = {*itertools.product(SCENTS, SECTIONS)} if given.grid else {SHIPPED}
    tried = {
        kind.name: _tried(kind, weights)
        for kind in kinds(cache_folder() / "ranking", kit, cache_folder() / "debian")
        if not wanted or kind.name in wanted
    }
    say("as shipped")
    say_table(COLUMNS, {name: found[SHIPPED] for name, found in tried.items()})
    if given.grid:
        say("without weight of scent and sections")
        say_table(COLUMNS, {name: found[PLAIN] for name, found in tried.items()})
        _say_left_out(tried)


def _tried(kind: Kind, weights: set[Weights]) -> dict[Weights, Scores]:
    searcher, memory = open_searcher(kind.corpus), Memory()
    return {pair: _with(searcher, kind, memory, pair) for pair in sorted(weights)}


def _with(searcher: Searcher, kind: Kind, memory: Memory, weights: Weights) -> Scores:
    with _weights(weights):
        return measure(searcher, kind, memory)


@contextmanager
def _weights(weights: Weights) -> Iterator[None]:
    hybrid.SCENT_WEIGHT, hybrid.SECTION_WEIGHT = weights
    try:
        yield
    finally:
        hybrid.SCENT_WEIGHT, hybrid.SECTION_WEIGHT = SHIPPED


def _say_left_out(tried: dict[str, dict[Weights, Scores]]) -> None:
    rows = {}
    for name, found in tried.items():
        others = [one for other, one in tried.items() if other.split("-")[0] != name.split("-")[0]]
        if others:
            best = max(found, key=lambda pair: sum(one[pair].one for one in others))
            rows[f"{name}: scent {best[0]:g}, section {best[1]:g}"] = found[best]
    say("each with the weights that are best for the others (drawn reports count as one kind)")
    say_table(COLUMNS, rows)


if __name__ == "__main__":
    main()
