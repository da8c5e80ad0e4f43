"""Measure the same refresh by threads and through Dask on this machine, in turns; the bar is 1.25 times the seconds.

`ARGS="--source FOLDER --source FOLDER --rounds 2 --prefect"`; without a source it draws manuals. Every refresh is a new process;
Dask has a scheduler, and one worker that was started just before it.
"""

import argparse
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from statistics import median
from typing import NamedTuple

import psutil

from benchmarks.dask.costs import tell_costs
from benchmarks.refresh.processes import pagemill
from benchmarks.report import say, say_bar
from benchmarks.sources import draw_manuals
from schemas.corpus import Corpus
from tasks.store import published
from tests.flows.corpora import digest
from tests.flows.dask.dask_cluster import DaskCluster, dask_cluster

BAR = 1.25


class Timed(NamedTuple):
    """What a refresh took: elapsed seconds, and seconds of CPU of all its processes."""

    seconds: float
    cpu_seconds: float


def main() -> None:
    """Run both in turns, compare their rows, print the figures.

    Raises:
        SystemExit: the rows differ, or Dask takes longer than the bar allows.
    """
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--source", action="append", type=Path, help="folder of documents; may be repeated")
    given.add_argument("--rounds", type=int, default=2, help="refreshes of each kind")
    given.add_argument("--prefect", action="store_true", help="as runs of a Prefect server of its own")
    options = given.parse_args()
    with tempfile.TemporaryDirectory() as folder, prefect_server() if options.prefect else nullcontext():
        os.environ["PAGEMILL_RUN_DIR"] = os.devnull
        source = gather_documents(options.source or [], Path(folder) / "source")
        taken: dict[str, list[Timed]] = {"threads": [], "dask": []}
        for n in range(options.rounds):
            for kind, measure in {"threads": by_threads, "dask": through_dask}.items():
                taken[kind].append(measure(source, Path(folder) / f"{kind}-{n}"))
                say(f"  {kind}: {taken[kind][-1].seconds:.1f} s, {taken[kind][-1].cpu_seconds:.1f} s of CPU")
        tell(Path(folder), taken)


def tell(folder: Path, taken: dict[str, list[Timed]]) -> None:
    """Print the comparison."""
    tell_costs(folder / "source", folder / "threads-0", taken["threads"][0].cpu_seconds)
    rows = {kind: digest(folder / f"{kind}-0") for kind in taken}
    live = published.read_newest_generation(Corpus(str(folder / "dask-0")))
    say(f"rows: {'the same' if rows['threads'] == rows['dask'] else 'DIFFERENT'} ({live.counts if live else 'none'})")
    ratio = median(each.seconds for each in taken["dask"]) / median(each.seconds for each in taken["threads"])
    cpu = median(each.cpu_seconds for each in taken["dask"]) / median(each.cpu_seconds for each in taken["threads"])
    say(f"  CPU through Dask, by threads = 1: {cpu:.3f}")
    say_bar("seconds through Dask, by threads = 1", ratio, BAR, at_most=True)
    if ratio > BAR or rows["threads"] != rows["dask"]:
        raise SystemExit(1)


def gather_documents(folders: list[Path], source: Path) -> Path:
    """Return a folder with the documents of all folders, or with drawn ones."""
    for n, folder in enumerate(folders):
        shutil.copytree(folder, source / str(n))
    if not folders:
        draw_manuals(source, 24, 12)
    say(f"{sum(path.is_file() for path in source.rglob('*'))} files")
    return source


def by_threads(source: Path, corpus: Path) -> Timed:
    """Refresh by the threads and worker processes of one command."""
    cost = pagemill("refresh", source, "--corpus", corpus)
    return Timed(cost.seconds, cost.cpu_seconds)


def through_dask(source: Path, corpus: Path) -> Timed:
    """Refresh through a scheduler and a worker, which is new as the processes of the command are."""
    with tempfile.TemporaryDirectory() as folder, dask_cluster(Path(folder), []) as cluster:
        cluster.add_worker("one", n_threads=os.cpu_count() or 1)
        used = used_by(cluster)
        cost = pagemill("refresh", source, "--corpus", corpus, "--task-runner", "dask", "--dask-address", cluster.address)
        return Timed(cost.seconds, cost.cpu_seconds + used_by(cluster) - used)


def used_by(cluster: DaskCluster) -> float:
    """Return the seconds of CPU of a cluster's processes, and of those that they waited for."""
    times = [psutil.Process(process.pid).cpu_times() for process in cluster.processes.values()]
    return sum(each.user + each.system + each.children_user + each.children_system for each in times)


@contextmanager
def prefect_server() -> Iterator[None]:
    """Run a Prefect server that the commands report to."""
    from prefect.settings import get_current_settings
    from prefect.testing.utilities import prefect_test_harness

    with prefect_test_harness(server_startup_timeout=120):
        os.environ["PREFECT_API_URL"] = str(get_current_settings().api.url)
        yield


if __name__ == "__main__":
    main()
