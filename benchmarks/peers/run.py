"""Pagemill, CocoIndex and LlamaIndex on the same folders, one after the other, in the same hour.

PAGEMILL_PEERS names the folder of the peers' programs, PAGEMILL_BENCH that of the data. Seconds are to go by on a machine
with nothing else to do; elsewhere only ratios are.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pymupdf

from benchmarks.peers.pipelines import Cost, Pipeline, make_stub, pagemill, peer, time_command
from benchmarks.refresh.run import age
from benchmarks.report import kit_folder, processor, say
from benchmarks.sources import draw_texts
from flows.cli.main import silence_libraries

PEERS = ("CocoIndex", "LlamaIndex")
DOCUMENT = Path(__file__).parents[2] / "docs" / "peers.md"

Step = tuple[str, dict[str, Cost]]
"""What was done, and what it cost each pipeline."""


def peers_folder() -> Path:
    """Return the folder of the peers' programs.

    Raises:
        SystemExit: PAGEMILL_PEERS does not name it.
    """
    folder = Path(os.environ.get("PAGEMILL_PEERS", ""))
    if not (folder / "run_cocoindex.py").exists():
        raise SystemExit("PAGEMILL_PEERS must name the folder with the peers' programs, such as run_cocoindex.py")
    return folder.resolve()


def pdfs(kit: Path, folder: Path) -> Path:
    """Put the kit's PDFs into one folder."""
    folder.mkdir(parents=True)
    for part in ("parsing", "corpus"):
        for path in sorted((kit / part / "pdf").glob("*.pdf")):
            shutil.copy(path, folder / path.name)
    return folder


def add_page(source: Path) -> None:
    """Append a page to the first PDF."""
    path = min(source.glob("*.pdf"))
    with pymupdf.open(path) as document:
        page = document.new_page()
        page.insert_text((72, 72), "One page more: the ledger of the mill was found in the archive of the county.")
        data = document.tobytes(garbage=3, deflate=True)
    path.write_bytes(data)


def add_sentence(source: Path) -> None:
    """Append a sentence to the first text."""
    path = min(source.rglob("*.txt"))
    path.write_text(path.read_text() + "One sentence more.\n")


def warm(pipelines: list[Pipeline], work: Path) -> None:
    """Run every pipeline once: the first run after an installation compiles modules, and measures what it computes with."""
    draw_texts(work / "texts", 3)
    for pipeline in pipelines:
        for stub in (True, False):
            pipeline.refresh(work / "texts", work / f"{pipeline.name}-{stub}", stub)


def course(pipelines: list[Pipeline], source: Path, work: Path, edit: Callable[[Path], None], stub: bool) -> Iterator[Step]:
    """Yield a first build, runs without and with one change: every pipeline does a step before the next begins."""
    age(source)
    for name, change in (
        ("first build", None),
        ("no change", None),
        ("no change again", None),
        ("one document changed", edit),
        ("another change of it", edit),
    ):
        if change:
            change(source)
            age(source)
        costs = {}
        for pipeline in pipelines:
            os.sync()  # else one waits for the disk because another wrote before it
            costs[pipeline.name] = pipeline.refresh(source, work / pipeline.name, stub)
            say(f"  {name}: {pipeline.name} {costs[pipeline.name].wall:.1f} s, {costs[pipeline.name].cpu:.1f} s of CPU")
        yield name, costs


def table(title: str, steps: list[Step]) -> list[str]:
    """Return Markdown: seconds by the clock and of CPU of every step, and Pagemill's time as a multiple of each peer's."""
    names = [name for name in steps[0][1] if name != "Pagemill"]
    head = ["step", "Pagemill", *names, *(f"{name} = 1" for name in names)]
    lines = [f"## {title}", "", f"| {' | '.join(head)} |", "|---|" + "---:|" * (len(head) - 1)]
    for step, costs in steps:
        ours = costs["Pagemill"]
        cells = [f"{cost.wall:.1f} / {cost.cpu:.1f}" for cost in (ours, *(costs[name] for name in names))]
        ratios = [f"{ours.wall / costs[name].wall:.2f}" for name in names]
        lines.append(f"| {' | '.join([step, *cells, *ratios])} |")
    return [*lines, ""]


def searches(corpus: Path, runs: int = 5) -> list[str]:
    """Return Markdown: the time of `pagemill search`, from the start of the process."""
    question = "how was revenue in the last quarter"
    command = [sys.executable, "-m", "flows.cli", "search", question, "--corpus", str(corpus)]
    walls = sorted(time_command(command).wall for _ in range(runs))
    return [
        "## Search by command",
        "",
        f"{walls[runs // 2]:.2f} s in the middle of {runs} runs, {walls[0]:.2f} at best; bar 1 s",
        "",
    ]


def parse_arguments() -> argparse.Namespace:
    """Read the command line: how many small texts, and whether to leave out a part."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=10_000, help="small text files; 0 leaves them out")
    parser.add_argument("--no-pdfs", action="store_true", help="leave out the PDFs")
    return parser.parse_args()


def main() -> None:
    """Run all pipelines, print what they took, and write docs/peers.md."""
    silence_libraries()
    given, programs = parse_arguments(), peers_folder()
    lines = ["# Pagemill beside its peers", "", *conditions()]
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        pipelines = [pagemill(make_stub(work / "stub")), *(peer(name, programs) for name in PEERS)]
        warm(pipelines, work / "warm")
        if not given.no_pdfs:
            source = pdfs(kit_folder("parsing/pdf", "corpus/pdf"), work / "pdfs")
            n = len(list(source.iterdir()))
            lines += table(f"{n} PDFs, real embeddings", list(course(pipelines, source, work / "a", add_page, stub=False)))
            lines += searches(work / "a/Pagemill/corpus")
        if given.texts:
            draw_texts(work / "texts", given.texts)
            steps = list(course(pipelines, work / "texts", work / "b", add_sentence, stub=True))
            lines += table(f"{given.texts:,} small texts, stub embeddings", steps)
    say("\n" + "\n".join(lines))
    DOCUMENT.write_text("\n".join(lines))


def conditions() -> list[str]:
    """Return Markdown: where and when this was measured."""
    cores, load = len(os.sched_getaffinity(0)), os.getloadavg()[0]
    return [
        f"Measured by `make bench NAME=peers` on {datetime.now(UTC):%Y-%m-%d}: {cores} cores ({processor()}), no GPU, "
        f"load {load:.1f} at the beginning. Cells are seconds by the clock / of CPU; the last columns are Pagemill's clock "
        "divided by the peer's.",
        "",
        "Pagemill reads layout, tables, scans and figures, and cuts chunks of 128 tokens; the peers take PyMuPDF's plain text, "
        "and cut chunks of 256. All embed with all-MiniLM-L6-v2 and write LanceDB tables.",
        "",
    ]


if __name__ == "__main__":
    main()
