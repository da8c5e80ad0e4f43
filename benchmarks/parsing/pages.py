"""Pages with known text: what Pagemill and its peers make of them, and how long they take."""

import json
import statistics
from pathlib import Path

from benchmarks.parsing.peers import OWN, Peers, Run, convert_all
from benchmarks.parsing.scorers import means_of
from benchmarks.report import say, say_bar, say_table

COLUMNS = ("overall", "nid", "teds", "mhs", "nid_s", "teds_s", "mhs_s")
BARS = {"overall": 0.9, "nid": 0.93, "teds": 0.92, "mhs": 0.84}
TIME_BAR = 0.5
BASELINE = "pymupdf"
"""PyMuPDF's own Markdown: its layout models are Pagemill's too."""
CONVERTERS = (*OWN, BASELINE, "opendataloader", "edgeparse", "liteparse", "markitdown", "pdfplumber")


def convert(kit: Path, work: Path, peers: Peers) -> dict[str, Run]:
    """Have all converters turn the pages of known text into Markdown."""
    return convert_all(CONVERTERS, peers, sorted((kit / "parsing" / "pdf").glob("*.pdf")), work / "markdown")


def say_quality(kit: Path, runs: dict[str, Run], peers: Peers) -> None:
    """Print the scores of all converters, and those that the publisher of the set measured."""
    say("\nquality: text and order (NID), tables (TEDS), headings (MHS); _s: without tables, cells' text, text under headings")
    scorer = kit / "parsing" / "score_parsing.py"
    own = {name: means_of(peers.python, scorer, run.out) for name, run in runs.items()}
    published = json.loads((kit / "parsing" / "peers.json").read_text())["means"]
    rows = {f"{name}, here": means for name, means in own.items()}
    rows |= {f"{name}, published": means for name, means in published.items()}
    ordered = sorted(rows.items(), key=lambda item: -(item[1]["overall"] or 0.0))
    say_table(COLUMNS, {name: [means[column] for column in COLUMNS] for name, means in ordered})
    for column, bar in BARS.items():
        say_bar(column, own[OWN[0]][column] or 0.0, bar)


def say_time(runs: dict[str, Run]) -> None:
    """Print the seconds a page of all converters, in turns on the same documents."""
    n_pages = len(runs[OWN[0]].cpu)
    say(f"\ntime: seconds a page, {n_pages} documents of one page, converters taking turns, each in one process")
    columns = ("CPU mean", "CPU median", "wall mean", "of pymupdf")
    base = runs[BASELINE].mean_cpu() if BASELINE in runs else None
    rows = {
        name: [run.mean_cpu(), statistics.median(run.cpu), statistics.fmean(run.wall), run.mean_cpu() / base if base else None]
        for name, run in sorted(runs.items(), key=lambda item: item[1].mean_cpu())
    }
    say_table(columns, rows)
    if base:
        for name in OWN:
            say_bar(f"{name}, CPU as a share of {BASELINE}'s own Markdown", runs[name].mean_cpu() / base, TIME_BAR, at_most=True)
            ratio = statistics.fmean(runs[name].wall) / statistics.fmean(runs[BASELINE].wall)
            say_bar(f"{name}, wall time as a share of it", ratio, TIME_BAR, at_most=True)
