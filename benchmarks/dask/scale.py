"""Measure what a plan of machines is made of, and compute machines, hours and money.

`scheduler` sends 100,000 tasks to 64 simulated workers, `costs` measures a refresh (sources as in the benchmark dask), `plan`
computes machines, hours and money for 10 thousand, 1 million and 100 million pages from the figures that FIGURES names.
"""

import argparse
import math
import os
import tempfile
from pathlib import Path

from benchmarks.dask import scheduler
from benchmarks.dask.costs import tell_costs
from benchmarks.dask.figures import FIGURES, Figures
from benchmarks.dask.run import gather_documents
from benchmarks.refresh.processes import pagemill
from benchmarks.report import say

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
        threads = 2 * options.workers
        scheduler.tell("without Prefect", scheduler.measure(options.tasks, options.workers, threads))
        scheduler.tell("with Prefect", scheduler.measure(options.prefect_tasks, options.workers, threads, with_prefect=True))
    if "costs" in options.parts:
        measure_costs(options.source or [])
    if "plan" in options.parts:
        for line in plan(FIGURES):
            say(line)


def measure_costs(folders: list[Path]) -> None:
    """Refresh once by threads, and print the figures of a plan."""
    os.environ["PAGEMILL_RUN_DIR"] = os.devnull
    with tempfile.TemporaryDirectory() as folder:
        source, corpus = gather_documents(folders, Path(folder) / "source"), Path(folder) / "corpus"
        cost = pagemill("refresh", source, "--corpus", corpus)
        tell_costs(source, corpus, cost.cpu_seconds)


def plan(of: Figures) -> list[str]:
    """Return a Markdown table: what each number of pages takes, with embed on cores, or on as many GPUs as keep up with them."""
    columns = (
        "pages",
        "machines",
        "hours, all on cores",
        "dollars",
        "GPUs",
        "hours with them",
        "dollars",
        "GB kept",
        "dollars a month",
    )
    lines = [f"| {' | '.join(columns)} |", "|---:" * len(columns) + "|"]
    for pages, machines in PLANS.items():
        cores = machines * CORES
        reading, chunks = pages / of.pages_a_core / cores, pages * of.chunks_a_page
        alone = (reading + chunks / of.chunks_a_core / cores) / 3600
        gpus = math.ceil(chunks / of.chunks_a_gpu / reading)
        beside = reading / 3600
        kept = pages * (of.staging_bytes + of.table_bytes + of.index_bytes) / 1e9
        money = (alone * cores * of.core_hour, beside * (cores * of.core_hour + gpus * of.gpu_hour))
        row = (f"{pages:,}", f"{machines}", f"{alone:.2g}", f"{money[0]:,.2f}", f"{gpus}", f"{beside:.2g}", f"{money[1]:,.2f}")
        lines.append(f"| {' | '.join(row)} | {kept:,.1f} | {kept * of.gb_month:,.2f} |")
    return lines


if __name__ == "__main__":
    main()
