"""Parse the two sets of pages with known truth, and print their scorers' figures side by side.

    python -m benchmarks.parsing PARSING_SET TABLES_SET --python PYTHON

Each set is a folder with `pdf/` and its scorer; PYTHON has what the scorers need.
"""

import argparse
import json
import subprocess
import tempfile
import time
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from schemas.errors import DocumentError
from schemas.options import ParseOptions
from tasks.adapters.pdf import parse_pdf
from tasks.transforms.rendering import as_markdown


class _Rows(HTMLParser):
    """The rows of an HTML table; a cell's text stands in its first place, the others are empty."""

    def __init__(self) -> None:
        super().__init__()
        self.places: dict[tuple[int, int], str] = {}
        self.row, self.at = -1, (0, 0)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take the places that a cell covers."""
        if tag == "tr":
            self.row += 1
        elif tag == "td":
            spans = {name: int(value or 1) for name, value in attrs}
            column = next(n for n in range(len(self.places) + 1) if (self.row, n) not in self.places)
            self.at = self.row, column
            for row in range(self.row, self.row + spans.get("rowspan", 1)):
                for n in range(column, column + spans.get("colspan", 1)):
                    self.places[row, n] = ""

    def handle_data(self, data: str) -> None:
        """Add to the text of the cell that is open."""
        self.places[self.at] += data

    def rows(self) -> list[list[str]]:
        """Return the grid."""
        n_columns = 1 + max(column for _, column in self.places)
        return [[self.places.get((row, n), "") for n in range(n_columns)] for row in range(self.row + 1)]


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parsing", type=Path)
    parser.add_argument("tables", type=Path)
    parser.add_argument("--python", default="python")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for path, row in _parsed(args.parsing):
            (Path(folder) / f"{path.stem}.md").write_text(as_markdown(row["elements"], furniture=True), encoding="utf-8")
        subprocess.run([args.python, str(args.parsing / "score_parsing.py"), folder], check=True)
        found = Path(folder) / "tables.json"
        found.write_text(json.dumps({path.name: _tables(row) for path, row in _parsed(args.tables)}), encoding="utf-8")
        subprocess.run([args.python, str(args.tables / "score_tables.py"), str(found)], check=True)


def _parsed(source: Path) -> list[tuple[Path, dict[str, Any]]]:
    """Parse every document in this process; a refused one counts as empty."""
    started, n_pages, found = time.process_time(), 0, []
    for path in sorted(source.glob("pdf/*.pdf")):
        try:
            row = parse_pdf(path.read_bytes(), ParseOptions(), lambda _: None)
        except DocumentError:
            row = {"elements": [], "pages": []}
        n_pages += len(row["pages"])
        found.append((path, row))
    print(f"{source.name}: {(time.process_time() - started) / max(n_pages, 1):.3f} s of CPU a page")
    return found


def _tables(row: dict[str, Any]) -> list[dict[str, Any]]:
    heights = {page["page_number"]: page["height"] for page in row["pages"]}
    return [_table(found, heights[found["page_number"]]) for found in row["elements"] if found["kind"] == "table"]


def _table(found: dict[str, Any], height: float) -> dict[str, Any]:
    box, rows = found["bbox"], _Rows()
    rows.feed(found["html"])
    corners = [box["x0"], height - box["y1"], box["x1"], height - box["y0"]]
    return {"page": found["page_number"], "bbox": corners, "rows": rows.rows()}


if __name__ == "__main__":
    main()
