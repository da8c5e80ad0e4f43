"""How fast documents are parsed, and a whole corpus is built.

Manuals are those of the Debian packages octave-doc and r-doc-pdf; they are downloaded to a cache once.
"""

import hashlib
import json
import os
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from benchmarks.refresh.processes import pagemill
from benchmarks.report import say, say_bar, say_table
from schemas.options.sections import LimitOptions, ParseOptions
from tasks.store.files import compute_sha256
from tasks.workers.environment import SINGLE_THREADED

PACKAGES = ("octave-doc", "r-doc-pdf")
PROSE_BAR, RANGES_BAR, REFRESH_BAR = 40.0, 1.8, 78.0
RANGED_PAGES = 1500


class Took(NamedTuple):
    """What something took: pages, seconds, seconds of computing, and which share of the pages no model looked at."""

    pages: int
    seconds: float
    cpu: float
    plain: float = 0.0


def manuals(cache: Path) -> list[Path]:
    """Return the manuals, downloaded if they are not there; the reference manual of R is left out, it is half tables.

    Raises:
        SystemExit: they cannot be had.
    """
    cache.mkdir(parents=True, exist_ok=True)
    for package in PACKAGES:
        if not list(cache.glob(f"{package}_*.deb")):
            if subprocess.run(
                ["apt-get", "-qq", "download", package], cwd=cache, stderr=subprocess.DEVNULL, check=False
            ).returncode:
                raise SystemExit(f"{package} cannot be downloaded: run apt-get update, on Debian or Ubuntu")
            (archive,) = cache.glob(f"{package}_*.deb")
            subprocess.run(["dpkg", "-x", archive.name, "files"], cwd=cache, check=True)
    found = [cache / "files/usr/share/doc/octave/octave.pdf", *sorted((cache / "files/usr/share/R/doc/manual").glob("R-*.pdf"))]
    return [path for path in found if path.exists()]


def prose(cache: Path) -> list[tuple[str, Took]]:
    """Parse every manual in a process of its own; return its name and what that took, the loading of models aside."""
    found = []
    for path in manuals(cache):
        with _process() as process:
            process.submit(_load).result()
            found.append((path.name, process.submit(_parse, str(path)).result()))
    return found


def _sum(each: list[Took]) -> Took:
    pages = sum(took.pages for took in each)
    plain = sum(took.plain * took.pages for took in each) / max(pages, 1)
    return Took(pages, sum(took.seconds for took in each), sum(took.cpu for took in each), plain)


def _process() -> ProcessPoolExecutor:
    """Return one process that computes on one thread, as a worker does."""
    return ProcessPoolExecutor(1, get_context("spawn"), _one_thread)


def _one_thread() -> None:
    os.environ.update(SINGLE_THREADED)


def _load() -> None:
    from tasks.parse.layout.io.layout_model import load

    load()


def _parse(path: str) -> Took:
    from schemas.errors import DocumentError
    from tasks.parse.pdf.io import page as pdf_page
    from tasks.parse.pdf.io.document import parse_pdf

    data, ticks = Path(path).read_bytes(), [1]
    with mock.patch.object(pdf_page, "_see_plain", wraps=pdf_page._see_plain) as plain:
        started, cpu = time.monotonic(), _cpu()
        with suppress(DocumentError):
            parse_pdf(data, ParseOptions(), ticks.append)
        seconds, computed = time.monotonic() - started, _cpu() - cpu
    return Took(ticks[-1], seconds, computed, plain.call_count / ticks[-1])


def _cpu() -> float:
    """Return the seconds that this process and those that it has waited for have computed."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def ranges(cache: Path, workers: int) -> tuple[Took, str]:
    """Parse a manual of 1,500 pages with so many worker processes that have loaded their models; also return its rows' digest."""
    from schemas.references import Content
    from tasks.parse.io.ranges import RangedParser, map_ranged
    from tasks.workers.pool import WorkerPool

    path, limits, options = _long_manual(cache), LimitOptions(workers=workers), ParseOptions()
    content = Content(sha256=compute_sha256(path), media_type="application/pdf", path=str(path), size=path.stat().st_size)
    with WorkerPool(limits) as pool:
        list(pool.map(_warm, [(0.5,)] * workers))
        started = time.monotonic()
        [(_, table)] = map_ranged(pool, [content], options, RangedParser(options, limits, None))
        seconds = time.monotonic() - started
    rows = hashlib.sha256(json.dumps(table.drop_columns(["figures"]).to_pylist()).encode()).hexdigest()
    return Took(len(table["pages"][0]), seconds, 0.0), rows


def _warm(seconds: float, tick: Callable[[int], None]) -> None:
    _load()
    time.sleep(seconds)


def _long_manual(cache: Path) -> Path:
    """Return the manuals joined to one document of so many pages, made once."""
    import pymupdf

    joined = cache / f"manual-{RANGED_PAGES}.pdf"
    if not joined.exists():
        with pymupdf.open() as document:
            for path in manuals(cache):
                with pymupdf.open(path) as part:
                    if (room := RANGED_PAGES - document.page_count) > 0:
                        document.insert_pdf(part, to_page=min(room, part.page_count) - 1)
            document.save(joined, garbage=3, deflate=True)
    return joined


def refresh(folders: list[Path]) -> tuple[int, float, dict[str, float]]:
    """Build a corpus of the documents by `pagemill refresh`; return files, seconds with start-up, and those of phases."""
    with tempfile.TemporaryDirectory() as work:
        source = Path(work) / "source"
        for n, folder in enumerate(folders):
            shutil.copytree(folder, source / f"{n}-{folder.parent.name}")
        cost = pagemill("refresh", source, "--corpus", Path(work) / "corpus")
        return sum(1 for path in source.rglob("*") if path.is_file()), cost.seconds, cost.printed["seconds"]


def say_prose(cache: Path) -> None:
    """Print pages a second, of the clock and of computing: the second does not know what else the machine does."""
    say("\nprose: manuals in one process")
    found = prose(cache)
    rows = {
        name: [took.pages, 100 * took.plain, took.pages / took.seconds, took.pages / took.cpu]
        for name, took in [*found, ("all", _sum([took for _, took in found]))]
    }
    say_table(("pages", "plain, %", "pages a second", "a second of computing"), rows, digits=1)
    say_bar("pages a second of computing", rows["all"][3], PROSE_BAR)


def say_ranges(cache: Path) -> None:
    """Print the seconds on one and on two processes, and their ratio, beside what two cores can do at all.

    That is found by parsing the manual twice at once, by processes apart from each other. It needs two cores that
    nobody else uses.
    """
    say(f"\nranges: a manual of {RANGED_PAGES:,} pages on one process and on two, load of the machine {os.getloadavg()[0]:.1f}")
    (one, rows), (two, same_rows) = ranges(cache, 1), ranges(cache, 2)
    with ProcessPoolExecutor(2, get_context("spawn")) as apart:
        both = max(took.seconds for took, _ in apart.map(ranges, [cache] * 2, [1] * 2))
    say(f"  {one.seconds:.1f} s and {two.seconds:.1f} s; {'equal rows' if rows == same_rows else 'ROWS DIFFER'}")
    say(f"  the manual twice at once, apart: {both:.1f} s, {2 * one.seconds / both:.3f} times faster than one after the other")
    say_bar("how many times faster", one.seconds / two.seconds, RANGES_BAR)


def say_refresh(folders: list[Path]) -> None:
    """Print the seconds of the whole command and of its phases, beside those of peers that read plain text."""
    n_files, seconds, phases = refresh(folders)
    say(f"\nrefresh: the first of {n_files} files, start of Python included; LlamaIndex 78 s, CocoIndex 86 s (published)")
    say("  " + ", ".join(f"{phase} {took:.1f} s" for phase, took in phases.items()))
    say_bar("seconds", seconds, REFRESH_BAR, at_most=True)
