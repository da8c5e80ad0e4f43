"""Tables with known cells: how many are found, and how well their rows and columns."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from benchmarks.parsing.peers import Peers, convert_all
from benchmarks.parsing.scorers import means_of
from benchmarks.report import say, say_bar, say_table
from schemas.errors import DocumentError, PagemillError
from schemas.options.sections import LimitOptions, ParseOptions
from tasks.file_tools.io.inputs import hash_content
from tasks.parse.io.parse import Tick, parse_content
from tasks.parse.tables.html_cells import grid_of
from tasks.workers.pool import WorkerPool

COLUMNS = ("f1", "teds", "row", "col", "adjacency", "region")
BARS = {"f1": 0.93, "teds": 0.85, "row": 0.85, "col": 0.88}


def say_tables(kit: Path, work: Path, peers: Peers) -> None:
    """Print the scores against the truth as it is, and without the empty rows and columns it begins some tables with."""
    say("\ntables: found (f1), texts (teds: a proxy), right number of rows and columns, neighbours, regions")
    folder = kit / "tables"
    documents = sorted((folder / "pdf").glob("*.pdf"))
    found = {"pagemill, here": own_tables(documents)}
    for name, run in convert_all(["camelot"], peers, documents, work / "tables").items():
        found[f"{name} lattice, here"] = {f"{path.stem}.pdf": json.loads(path.read_text()) for path in run.out.glob("*.json")}
    trimmed = trim_truth(folder / "truth", work / "trimmed")
    published = json.loads((folder / "peers.json").read_text())["means"]
    for title, data in (("truth as it is", None), ("truth without empty first rows and columns", trimmed)):
        means = {}
        for name, tables in found.items():
            predictions = work / "tables.json"
            predictions.write_text(json.dumps(tables))
            means[name] = means_of(peers.python, folder / "score_tables.py", predictions, data)
        rows = means if data else means | {f"{name}, published": row for name, row in published.items()}
        say(f"  {title}")
        say_table(COLUMNS, {name: [row[column] for column in COLUMNS] for name, row in rows.items()})
        for column, bar in BARS.items():
            say_bar(column, means["pagemill, here"][column] or 0.0, bar)


def own_tables(documents: list[Path]) -> dict[str, list[dict[str, Any]]]:
    """Return what Pagemill finds in each document; nothing in one that it cannot read."""
    found: dict[str, list[dict[str, Any]]] = {}
    with WorkerPool(LimitOptions()) as pool:
        for index, tables in pool.map(tables_of, [(str(path),) for path in documents]):
            if isinstance(tables, PagemillError) and not isinstance(tables, DocumentError):
                raise tables
            found[documents[index].name] = [] if isinstance(tables, PagemillError) else tables
    return found


def tables_of(path: str, tick: Tick) -> list[dict[str, Any]]:
    """Return the tables of one document, in a worker: page, box from the bottom left, rows of texts."""
    row = parse_content(hash_content(Path(path)), ParseOptions(), tick).to_pylist()[0]
    heights = {page["page_number"]: page["height"] for page in row["pages"]}
    return [_table(found, heights[found["page_number"]]) for found in row["elements"] if found["kind"] == "table"]


def _table(found: dict[str, Any], height: float) -> dict[str, Any]:
    box = found["bbox"]
    corners = [box["x0"], height - box["y1"], box["x1"], height - box["y0"]]
    return {"page": found["page_number"], "bbox": corners, "rows": grid_of(found["html"])}


def trim_truth(truth: Path, to: Path) -> Path:
    """Copy the truth to `to`, each table moved so that a cell stands in its first row and one in its first column.

    In some tables the truth counts rows or columns from a place where nothing stands; nobody could see them on the page.
    """
    (to / "truth").mkdir(parents=True)
    for path in truth.glob("*.xml"):
        tree = ElementTree.parse(path)
        for region in tree.getroot().iter("region"):
            cells = region.findall("cell")
            for axis in ("row", "col"):
                first = min((int(cell.get(f"start-{axis}", "0")) for cell in cells), default=0)
                for cell in cells:
                    for name in (f"start-{axis}", f"end-{axis}"):
                        if name in cell.attrib:
                            cell.set(name, str(int(cell.get(name, "0")) - first))
        tree.write(to / "truth" / path.name)
    return to
