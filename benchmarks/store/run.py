"""A refresh into an object store beside one into a folder, its requests, and a night without news.

The store is SeaweedFS on loopback: its requests cost a millisecond, where those of a service in a data centre cost twenty. The
counts are those of the server, Lance's among them.
"""

import argparse
import statistics
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from benchmarks.growth.notes import draw_notes, write_note
from benchmarks.peers.pipelines import make_stub
from benchmarks.refresh.processes import pagemill
from benchmarks.report import say, say_bar
from benchmarks.sources import draw_manuals, draw_texts
from benchmarks.store.seaweed import Environment, Seaweed
from schemas.corpus import place_of
from tasks.store import files
from tasks.store.objects.client import AT_ONCE

ROUNDS = 3
SHARE, NIGHT_SECONDS = 1.5, 15.0
"""The bars: seconds in a store by those in a folder, and seconds of a night without news."""


class Cost(NamedTuple):
    """The seconds of a command, and its requests by kind."""

    seconds: float
    requests: dict[str, int]


def measure_requests(server: Seaweed, *arguments: str | Path) -> Cost:
    """Run a command, and count what it asks of the store."""
    before = server.requests()
    seconds = pagemill(*arguments).seconds
    after = server.requests()
    return Cost(seconds, {kind: n - before.get(kind, 0) for kind, n in after.items() if n > before.get(kind, 0)})


def compare(server: Seaweed, work: Path) -> None:
    """Print what the same documents take into a folder and into a store, in turns."""
    source = work / "documents"
    draw_texts(source / "notes", 300)
    draw_manuals(source / "manuals", 12, 8)
    n = sum(path.is_file() for path in source.rglob("*"))
    costs: dict[str, list[Cost]] = {"folder": [], "store": []}
    for turn in range(ROUNDS):
        for place, corpus in (("folder", str(work / f"corpus-{turn}")), ("store", f"s3://corpora/{turn}")):
            costs[place].append(measure_requests(server, "refresh", source, "--corpus", corpus))
    folder, store = (statistics.median(cost.seconds for cost in of_place) for of_place in costs.values())
    say(f"{n} documents, first refresh, median of {ROUNDS}: folder {folder:.1f} s, store {store:.1f} s")
    say_bar("seconds in the store by seconds in the folder", store / folder, SHARE, at_most=True)
    say_requests("first refresh", costs["store"][-1], n)
    (source / "notes/0000/00000.txt").write_text("Something else altogether.")
    say_requests("one document changed", measure_requests(server, "refresh", source, "--corpus", "s3://corpora/0"), n)
    say_requests("search", measure_requests(server, "search", "river mill", "--corpus", "s3://corpora/0"), 1)


def say_requests(what: str, cost: Cost, n: int) -> None:
    """Print the requests of a command, and how many they are for each of `n` documents."""
    total = sum(cost.requests.values())
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(cost.requests.items()))
    say(f"  {what}: {cost.seconds:.1f} s, {total} requests, {total / n:.3f} a document ({kinds})")


def night(server: Seaweed, work: Path, n: int) -> None:
    """Print what a night costs whose source of `n` objects has not changed, and one in which one of them has."""
    draw_notes(work / "notes", n)
    model = make_stub(work / "model")
    source, options = "s3://sources/notes", ("--embedder", str(model))
    upload(work / "notes", source)
    build = measure_requests(server, "refresh", source, "--corpus", "s3://corpora/nights", *options)
    say_requests(f"{n:,} objects, first refresh", build, n)
    nights = [measure_requests(server, "refresh", source, "--corpus", "s3://corpora/nights", *options) for _ in range(ROUNDS)]
    seconds = statistics.median(one.seconds for one in nights)
    say_bar(f"{n:,} objects, seconds when nothing changed", seconds, NIGHT_SECONDS, at_most=True)
    say_requests("nothing changed", nights[-1], n)
    write_note(work / "notes", 7, night=1)
    files.write_atomically(place_of(source) / "000/000007.txt", (work / "notes/000/000007.txt").read_bytes())
    say_requests(
        "one object changed", measure_requests(server, "refresh", source, "--corpus", "s3://corpora/nights", *options), n
    )


def upload(folder: Path, place: str) -> None:
    """Copy the files of a folder to a store."""

    def put(path: Path) -> None:
        files.write_atomically(place_of(place) / path.relative_to(folder).as_posix(), path.read_bytes())

    with ThreadPoolExecutor(AT_ONCE) as threads:
        list(threads.map(put, [path for path in folder.rglob("*") if path.is_file()]))


def main() -> None:
    """Start a server, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--objects", type=int, default=10_000, help="objects of the source of the nights")
    parser.add_argument("--parts", nargs="+", default=["compare", "night"], choices=["compare", "night"])
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pagemill-bench-store-") as folder:
        work = Path(folder)
        server = Seaweed(work / "store")
        parts: dict[str, Callable[[], None]] = {
            "compare": lambda: compare(server, work),
            "night": lambda: night(server, work, given.objects),
        }
        try:
            with Environment({**server.environment(), "XDG_CACHE_HOME": str(work / "cache")}):
                for bucket in ("corpora", "sources"):
                    files.write_atomically(place_of(f"s3://{bucket}/.made"), b"")
                for part in given.parts:
                    parts[part]()
        finally:
            server.close()


if __name__ == "__main__":
    main()
