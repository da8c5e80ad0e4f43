"""What parse makes of documents with known truth and of odd ones, its peers beside it.

PAGEMILL_BENCH names the folder of a benchmark kit, which holds parsing, tables, robustness, ocr and corpus. The peers and the
kit's scorers get a virtual environment of their own in PAGEMILL_BENCH_CACHE (by default ~/.cache/pagemill-bench), made by the
first run; manuals are downloaded to it.
"""

import argparse
import tempfile
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from benchmarks.parsing.long import say_long
from benchmarks.parsing.many import say_many
from benchmarks.parsing.pages import convert, say_quality, say_time
from benchmarks.parsing.peers import REQUIREMENTS, Peers, Run, install
from benchmarks.parsing.robustness import say_robustness
from benchmarks.parsing.scans import say_pictures, say_scans
from benchmarks.parsing.speed import say_prose, say_ranges, say_refresh
from benchmarks.parsing.tables import say_tables
from benchmarks.report import cache_folder, kit_folder, say
from flows.cli.main import silence_libraries


class Bench:
    """What the parts share, made when the first of them asks for it."""

    def __init__(self, work: Path, alone: bool) -> None:
        self.work = work
        self.alone = alone
        self.kit = kit_folder("corpus", "ocr", "parsing", "tables", "robustness", "requirements.txt")

    @cached_property
    def peers(self) -> Peers:
        """The peers' environment."""
        return install(cache_folder(), self.kit / "requirements.txt", () if self.alone else REQUIREMENTS)

    @cached_property
    def pages(self) -> dict[str, Run]:
        """What all converters make of the pages with known text."""
        return convert(self.kit, self.work, self.peers)


PARTS: dict[str, Callable[[Bench], object]] = {
    "quality": lambda bench: say_quality(bench.kit, bench.pages, bench.peers),
    "time": lambda bench: say_time(bench.pages),
    "tables": lambda bench: say_tables(bench.kit, bench.work, bench.peers),
    "robustness": lambda bench: say_robustness(bench.kit),
    "scans": lambda bench: say_scans(bench.kit / "parsing", bench.peers.python),
    "pictures": lambda bench: say_pictures(bench.kit / "ocr", bench.peers.python),
    "long": lambda bench: say_long(bench.kit, cache_folder() / "manuals", bench.work / "long", bench.peers),
    "many": lambda bench: say_many(bench.kit, bench.work / "many", bench.peers),
    "prose": lambda bench: say_prose(cache_folder() / "manuals"),
    "ranges": lambda bench: say_ranges(cache_folder() / "manuals"),
    "refresh": lambda bench: say_refresh([bench.kit / "parsing" / "pdf", bench.kit / "corpus" / "pdf"]),
}
"""Each prints its figures beside the bars that they must reach."""


def parse_arguments() -> argparse.Namespace:
    """Read the command line: which parts to run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all by default")
    parser.add_argument("--alone", action="store_true", help="run no peers here; published figures are printed all the same")
    arguments = parser.parse_args()
    unknown = [part for part in arguments.parts if part not in PARTS]
    if unknown:
        parser.error(f"no part {', '.join(unknown)}: choose from {', '.join(PARTS)}")
    return arguments


def main() -> None:
    """Run the parts and print their figures."""
    silence_libraries()
    arguments = parse_arguments()
    with tempfile.TemporaryDirectory(prefix="pagemill-bench-") as folder:
        bench = Bench(Path(folder), arguments.alone)
        say(f"parsing, on {bench.kit}")
        for part in arguments.parts or PARTS:
            PARTS[part](bench)


if __name__ == "__main__":
    main()
