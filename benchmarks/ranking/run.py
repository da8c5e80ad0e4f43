"""Ranking on corpora of several kinds: each as shipped, and with the weights that are best for all the others.

    python -m benchmarks.ranking.run [--kinds texts,notes] [--grid] [--places] [--figures]

Texts and quarterly reports come from the benchmark kit, manuals and notes from packages of Debian, yearly reports are drawn.
Corpora are built once. The grid tries weights of hybrid ranking; a kind is then scored with those that are best for the others.
"""

import argparse
from collections.abc import Sequence

from benchmarks.debian import unpack_package
from benchmarks.ranking import grid
from benchmarks.ranking.corpora import PACKAGES, Kind, kinds, reports
from benchmarks.ranking.figured import run_figured
from benchmarks.ranking.measures import measure
from benchmarks.ranking.placed import run_places
from benchmarks.ranking.places import PACKAGES as BOOK_PACKAGES
from benchmarks.report import cache_folder, kit_folder, say, say_table
from tasks.embed.vectors import VectorCache
from tasks.search.io.retrieve import open_searcher

COLUMNS = ["first", "any of 5", "chunks", "passages", "IoU"]


def main() -> None:
    """Print a table of the kinds, and one of the kinds left out in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kinds", default="", help="some of the kinds, with commas between them")
    parser.add_argument("--grid", action="store_true", help="try other weights")
    parser.add_argument("--places", action="store_true", help="ask for pages, tables, figures and sections instead")
    parser.add_argument("--figures", action="store_true", help="look for pages with the figures of answers instead")
    given = parser.parse_args()
    for package in (*PACKAGES, *(BOOK_PACKAGES if given.places else ())):
        unpack_package(package)
    kit = kit_folder("chunking/questions.jsonl", "corpus/questions.jsonl")
    if given.places:
        run_places(cache_folder() / "places", cache_folder() / "debian", reports(cache_folder() / "ranking", kit).corpus)
        return
    if given.figures:
        run_figured(cache_folder() / "ranking", kit)
        return
    wanted = [name for name in given.kinds.split(",") if name]
    every = kinds(cache_folder() / "ranking", kit, cache_folder() / "debian")
    known = [kind for kind in every if not wanted or kind.name in wanted]
    if given.grid:
        _run_grid(known)
        return
    say("as shipped")
    say_table(COLUMNS, {kind.name: measure(open_searcher(kind.corpus), kind, VectorCache()) for kind in known})


def _run_grid(known: Sequence[Kind]) -> None:
    """Print scores as shipped, of each kind's own best weights, and of those that are best for the others."""
    found = {}
    for kind in known:
        found[kind.name] = grid.try_weights(open_searcher(kind.corpus), kind)
        say(f"tried {len(grid.ALL)} weights on {kind.name}")
    say(f"as shipped: {grid.SHIPPED}")
    say_table(grid.COLUMNS, {name: rows[grid.SHIPPED] for name, rows in found.items()})
    say("each kind's own best weights")
    best = {name: max(rows, key=lambda weights: grid.one(rows[weights])) for name, rows in found.items()}
    say_table(grid.COLUMNS, {f"{name}: {weights}": found[name][weights] for name, weights in best.items()})
    say("words alone varied, the rest as shipped: mean of the figures")
    varied = [grid.SHIPPED._replace(words=words) for words in grid.WORDS]
    means = {name: [grid.one(rows[weights]) for weights in varied] for name, rows in found.items()}
    say_table([f"{weights.words:g}" for weights in varied], means)
    if len(found) > 1:
        say("each with the weights that are best for the others (drawn reports count as one kind)")
        say_table(grid.COLUMNS, {f"{name}: {weights}": row for name, (weights, row) in grid.left_out(found).items()})


if __name__ == "__main__":
    main()
