"""Training: `python -m training.judges.rows.train DATA KIT WORK` makes the judge of rows, and the figures of its card.

DATA holds the public tables that `card.md` names, KIT the ICDAR-2013 documents of development, WORK what is typeset.
"""

import argparse
import json
import subprocess
import tempfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.report import say
from benchmarks.roundtrip.cases import styles_of
from benchmarks.roundtrip.drawn import drawn_sources
from benchmarks.roundtrip.drawn.pen import Pen
from benchmarks.roundtrip.styles import STYLES
from benchmarks.roundtrip.typeset import chromium, weasy
from benchmarks.roundtrip.typeset.environment import python, surroundings
from tasks.parse.judge.trees import Trees
from tasks.parse.tables.spaced.row_features import FEATURES
from training.judges.boosting import train_trees
from training.judges.rows.coded import INHERIT, code_cells
from training.judges.rows.drawn import draw_reference, draw_table
from training.judges.rows.grids import Grid, cut, visible
from training.judges.rows.labelled import Labelled, read_coded, read_icdar, starts_by_rules, starts_with_odds
from training.judges.rows.looks import set_page
from training.judges.rows.public_tables import read_aitqa, read_saus, read_statcan, read_tatqa

PAGES = {"saus": 100, "accounts": 150, "statcan": 50, "drawn": 250, "reference": 100}
"""Pages of each source that is typeset here."""
BATCH = 50
"""Pages of a PDF."""
TWO_TABLES = 0.2
"""Share of pages with two tables."""
WEIGHTS = {"icdar": 3.0, "roundtrip": 1.5}
"""Weights of a table of these sources, which are few and unlike the others; those of others are 1."""
ROUNDS = 200
MODEL = Path(__file__).parents[3] / "tasks/parse/judge/io/rows.npz"
CSS = "h2 { font-size: 1.3em; margin: .8em 0 .4em } p { margin: .4em 0 } td, th { font-weight: normal } body { margin: 0 }"


def main() -> None:
    """Typeset, train, and print how well sources are read that were left out of the training."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("data", "kit", "work"):
        parser.add_argument(name, type=Path)
    asked = parser.parse_args()
    tables = [*typeset_tables(asked.data, asked.work), *roundtrip_tables(asked.work), *read_icdar(asked.kit)]
    for source in sorted({table.source for table in tables}):
        judge = train([table for table in tables if table.source != source])
        say(score([table for table in tables if table.source == source], judge))
    MODEL.write_bytes(train(tables).as_file())


def train(tables: Sequence[Labelled]) -> Trees:
    """Return the judge of these tables: trees whose score is the log-odds that a line begins a row."""
    rows = np.vstack([table.features for table in tables])
    labels = np.concatenate([table.begins for table in tables]).astype(int)
    weights = np.concatenate([np.array(table.weight) * _weight(table) for table in tables])
    return train_trees(rows, labels, weights, FEATURES, ROUNDS)


def _weight(table: Labelled) -> float:
    """Return the weight of a line: long tables have many that are alike."""
    return float(WEIGHTS.get(table.source, 1.0) / max(1.0, len(table.begins) / 10) ** 0.5)


def score(tables: Sequence[Labelled], judge: Trees) -> str:
    """Return in words how many lines and whole tables are right, by rules alone and with the judge."""

    def judged(table: Labelled) -> list[bool]:
        return starts_with_odds(table, judge.scores(table.features)[:, 0].tolist())

    def alone(table: Labelled) -> list[bool]:
        return (judge.scores(table.features)[:, 0] > 0).tolist()  # type: ignore[no-any-return]

    before, after, only = (_counts(tables, read) for read in (starts_by_rules, judged, alone))
    better = sum(b and not a for a, b in zip(before[2], after[2], strict=True))
    worse = sum(a and not b for a, b in zip(before[2], after[2], strict=True))
    told = "; ".join(
        f"{name} {counts[0] / counts[1]:.4f} {np.mean(counts[2]):.3f}"
        for name, counts in (("rules", before), ("rules and judge", after), ("judge alone", only))
    )
    return f"{tables[0].source:10s} {len(tables)} tables, lines and tables right: {told}; tables better {better}, worse {worse}"


def _counts(tables: Sequence[Labelled], read: Callable[[Labelled], Sequence[bool]]) -> tuple[int, int, list[bool]]:
    """Return how many lines are right, of how many, and whether each table is: its known lines and its number of rows."""
    right, count, whole = 0, 0, []
    for table in tables:
        found = read(table)
        same = [a == b for a, b, weight in zip(found, table.begins, table.weight, strict=True) if weight]
        right, count = right + sum(same), count + len(same)
        known = all(a == b for a, b, k in zip(found, table.begins, table.known, strict=True) if k)
        whole.append(known and sum(found) == sum(table.begins))
    return right, count, whole


def typeset_tables(data: Path, work: Path) -> Iterator[Labelled]:
    """Give tables of public data and drawn ones, set by Chromium and WeasyPrint in turn."""
    for source, count in PAGES.items():
        rng = Random(zlib.crc32(source.encode()))
        grids = read_grids(data, source, rng)
        for start in range(0, count, BATCH):
            rules, sections = [], []
            for number in range(start, start + BATCH):
                pen = Pen("train" if number % 2 else "test", f"{source}-{number}")
                drawn = [visible(cut(_choose(source, grids, pen), pen.rng)) for _ in range(1 + pen.chance(TWO_TABLES))]
                rule, section = set_page(drawn, pen, number)
                rules.append(rule)
                sections.append(section)
            head = f'<meta charset="utf-8"><title>{source}</title><style>{"".join(rules)}{CSS}</style>{INHERIT}'
            html, places = code_cells(f'<html lang="en"><head>{head}</head><body>{"".join(sections)}</body></html>')
            pdf = _set(html, work / f"{source}-{start}", "weasyprint" if start // BATCH % 4 == 3 else "chromium")
            yield from read_coded(pdf, places, source)


def read_grids(data: Path, source: str, rng: Random) -> list[Grid]:
    """Return the tables of a source of public data; none if it is drawn."""
    if source == "saus":
        return list(read_saus(data / "saus.jl.gz", rng))
    if source == "accounts":
        reports = [grid for name in ("dev", "test") for grid in read_tatqa(data / f"tatqa_dataset_{name}.json", rng)]
        return [*reports, *read_aitqa(data / "aitqa_tables.jsonl", rng)]
    return list(read_statcan(data / "statcan", rng)) if source == "statcan" else []


def _choose(source: str, grids: Sequence[Grid], pen: Pen) -> Grid:
    if source == "reference":
        return draw_reference(pen)
    return pen.one(grids) if grids else draw_table(pen)


def _set(html: str, at: Path, typesetter: str) -> Path:
    """Return a PDF of HTML, set unless it lies there."""
    page, pdf = at.with_suffix(".html"), at.with_suffix(".pdf")
    if not pdf.exists():
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(html, encoding="utf-8")
        if typesetter == "chromium":
            with tempfile.TemporaryDirectory() as profile:
                command = ["chromium", *chromium.OPTIONS, f"--user-data-dir={profile}", f"--print-to-pdf={pdf}"]
                subprocess.run([*command, page.resolve().as_uri()], check=True, capture_output=True, env=surroundings())
        else:
            command = [python(), "-P", str(weasy.SCRIPT)]
            work = json.dumps([(str(page), str(pdf))])
            subprocess.run(command, input=work, check=True, capture_output=True, text=True, env=surroundings())
    return pdf


def roundtrip_tables(work: Path) -> Iterator[Labelled]:
    """Give the tables of the drawn sources of the round trip's training split, in its styles of Chromium and WeasyPrint."""
    engines = {"weasy": weasy.typeset, "chromium": chromium.typeset}
    sources = [source for source in drawn_sources("train") if "<table" in source.body]
    for style in (style for style in STYLES if style.typesetter in engines):
        places, coded = {}, []
        for source in sources:
            if style in styles_of(source, "train"):
                body, places[source.name] = code_cells(INHERIT + source.body)
                coded.append(source._replace(body=body))
        folder = work / "roundtrip" / style.name
        if coded and not folder.exists():
            folder.mkdir(parents=True)
            engines[style.typesetter](coded, style, folder)
        for name, cells in places.items():
            yield from read_coded(folder / f"{name}.pdf", cells, "roundtrip")


if __name__ == "__main__":
    main()
