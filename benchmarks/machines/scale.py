"""Measure what a plan of machines is made of, and compute it: `make bench-scale PARTS="scheduler costs plan"`.

`scheduler` sends 100,000 tasks to 64 simulated workers, `costs` measures a refresh (ARGS of sources as in bench-dask), `plan`
computes machines, hours and money for 10 thousand, 1 million and 100 million pages from the figures that FIGURES names.
"""

import argparse
import os
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.machines import scheduler
from benchmarks.machines.run import gathered
from benchmarks.refresh.processes import pagemill
from benchmarks.report import say
from schemas.corpus import Corpus
from tasks.store import published


class Figures(NamedTuple):
    """What was measured on one machine with the documents of one source, or assumed.

    Per core and second; bytes are per page; prices are of a core and a GPU for an hour, and of a GB kept for a month, in dollars.
    """

    pages_a_core: float
    chunks_a_core: float
    chunks_a_gpu: float
    chunks_a_page: float
    source_bytes: float
    staging_bytes: float
    table_bytes: float
    index_bytes: float
    core_hour: float = 0.045
    gpu_hour: float = 0.60
    gb_month: float = 0.023


FIGURES = Figures(1.0, 10.0, 1500.0, 3.0, 100_000, 100_000, 10_000, 5_000)
CORES = 16
"""Cores of a machine in the plan."""

PLANS = {10_000: 1, 1_000_000: 4, 100_000_000: 64}
"""Pages, and the machines for them."""


def main() -> None:
    """Run the parts that are asked for."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("parts", nargs="*", default=["scheduler", "plan"], choices=["scheduler", "costs", "plan"])
    given.add_argument("--source", action="append", type=Path, help="folder of documents for the part costs; may be repeated")
    given.add_argument("--tasks", type=int, default=100_000, help="tasks of the simulation without Prefect")
    given.add_argument("--prefect-tasks", type=int, default=800, help="tasks of the simulation with Prefect")
    given.add_argument("--workers", type=int, default=64, help="simulated workers")
    options = given.parse_args()
    if "scheduler" in options.parts:
        scheduler.tell("without Prefect", scheduler.measure_plain(options.tasks, options.workers, 2 * options.workers))
        scheduler.tell("with Prefect", scheduler.measure_prefect(options.prefect_tasks, options.workers, 2 * options.workers))
    if "costs" in options.parts:
        measure_costs(options.source or [])
    if "plan" in options.parts:
        for line in plan(FIGURES):
            say(line)


def measure_costs(folders: list[Path]) -> None:
    """Refresh once by threads, embed the chunks once more alone, and print the figures of a plan."""
    os.environ.setdefault("PAGEMILL_PORT", "1")
    with tempfile.TemporaryDirectory() as folder:
        source, corpus = gathered(folders, Path(folder) / "source"), Path(folder) / "corpus"
        cost = pagemill("refresh", source, "--corpus", corpus, "--set", "embed.engine=torch")
        live = published.newest(Corpus(str(corpus)))
        assert live
        documents = published.read_columns(Corpus(str(corpus)), live, "documents", ["n_pages"])
        n_pages = sum(n or 1 for n in documents["n_pages"].to_pylist())
        texts = published.read_columns(Corpus(str(corpus)), live, "chunks", ["text"])["text"].to_pylist()
        embedding = embedding_seconds(texts)
        say(f"{n_pages} pages, {len(texts)} chunks, {cost.cpu_seconds:.1f} s of CPU, {embedding:.1f} s of them embed")
        say(f"  pages a core and second, without embed: {n_pages / (cost.cpu_seconds - embedding):.2f}")
        say(f"  chunks a core and second: {len(texts) / embedding:.1f}, chunks a page: {len(texts) / n_pages:.2f}")
        sizes = {"source": source, "staging": corpus / ".pagemill/staging", "other private": corpus / ".pagemill"}
        for name, place in sizes.items():
            say(f"  {name}: {size_of(place) / n_pages:.0f} bytes a page")
        indexes = sum(size_of(place) for place in corpus.glob("*.lance/_indices"))
        tables = sum(size_of(place) for place in corpus.glob("*.lance")) - indexes
        say(f"  tables: {tables / n_pages:.0f} bytes a page, indexes: {indexes / n_pages:.0f}")


def embedding_seconds(texts: list[str]) -> float:
    """Return the seconds of CPU in which the default model embeds texts, once it is loaded."""
    from schemas.options.sections import EmbedOptions
    from tasks.embed.io.providers import open_provider

    provider = open_provider(EmbedOptions(engine="torch"))
    provider.encode(texts[:8])
    began = time.process_time()
    provider.encode(texts)
    return time.process_time() - began


def size_of(folder: Path) -> int:
    """Return the bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def plan(of: Figures) -> list[str]:
    """Return the rows of a Markdown table: what each number of pages takes, with embed on cores and on one GPU."""
    lines = ["| pages | machines | hours, all on cores | dollars | hours, embed on a GPU | dollars | GB kept | dollars a month |"]
    lines.append("|---:" * 8 + "|")
    for pages, machines in PLANS.items():
        cores = machines * CORES
        reading, chunks = pages / of.pages_a_core, pages * of.chunks_a_page
        alone = (reading + chunks / of.chunks_a_core) / cores / 3600
        beside = max(reading / cores, chunks / of.chunks_a_gpu) / 3600
        kept = pages * (of.staging_bytes + of.table_bytes + of.index_bytes) / 1e9
        money = (alone * cores * of.core_hour, beside * (cores * of.core_hour + of.gpu_hour))
        lines.append(
            f"| {pages:,} | {machines} | {alone:,.1f} | {money[0]:,.2f} | {beside:,.1f} | {money[1]:,.2f} "
            f"| {kept:,.1f} | {kept * of.gb_month:,.2f} |"
        )
    return lines


if __name__ == "__main__":
    main()
