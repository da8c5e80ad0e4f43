"""Contact sheet: the figures that a run described, as a picture for the Prefect UI."""

import base64
import io
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from schemas.corpus import Corpus
from schemas.errors import CorpusError
from schemas.shown import plain, shorten
from tasks.publish.escaping import format_markdown_table
from tasks.store import conditions, published

MOST = 60
"""Most figures on the sheet. The counts include all figures."""
COLUMNS, CELL, LABEL = 6, 150, 34
"""Pictures per row; pixels of a picture's square; pixels of the two lines of text below it."""
LONGEST = 24
"""Most characters of a place that fit below a picture."""


def render_figures_report(corpus: Corpus, run_id: str) -> str:
    """Return Markdown with the number of figures of each type in the run's documents, and their pictures; empty if none."""
    live = published.read_newest_generation(corpus)
    if live is None:
        raise CorpusError(f"{corpus} holds no published corpus")
    where = conditions.make_in_condition("run_id", [run_id])
    documents = published.read_columns(corpus, live, "documents", ["document_id", "path"], where)
    figures = _read_figures(corpus, live, documents)
    if not figures.num_rows:
        return ""
    counted = pc.value_counts(figures["kind"]).to_pylist()
    counts = [[row["values"], row["counts"]] for row in sorted(counted, key=lambda row: -row["counts"])]
    rows = figures.slice(0, MOST).to_pylist()
    picture = base64.b64encode(draw_contact_sheet(_read_thumbnails(corpus, live, rows))).decode()
    more = f"The first {MOST} of {figures.num_rows} figures." if figures.num_rows > MOST else f"{len(rows)} figures."
    return "\n\n".join(
        [
            "# Figures",
            format_markdown_table(["type", "figures"], counts),
            more,
            f"![Contact sheet](data:image/png;base64,{picture})",
        ]
    )


def _read_figures(corpus: Corpus, live: published.Generation, documents: pa.Table) -> pa.Table:
    """Return what is known of the figures of `documents` (document_id, path), but no picture, in the order of path and page."""
    columns, ids = ["document_id", "element_id", "page_number", "kind"], documents["document_id"]
    figures = published.read_rows_of(corpus, live, "figures", columns, ids.to_pylist())
    paths = documents["path"].take(pc.index_in(figures["document_id"], value_set=ids))
    return figures.append_column("path", paths).sort_by([("path", "ascending"), ("page_number", "ascending")])


def _read_thumbnails(corpus: Corpus, live: published.Generation, rows: list[dict[str, Any]]) -> list[dict[str, object]]:
    """Return `rows` with confidence and thumbnail, which are read only for these figures."""
    where = conditions.make_in_condition("element_id", [row["element_id"] for row in rows])
    columns = ["element_id", "confidence", "thumbnail"]
    found = published.read_columns(corpus, live, "figures", columns, where).to_pylist()
    pictures = {row["element_id"]: row for row in found}
    return [{**row, **pictures[row["element_id"]]} for row in rows]


def draw_contact_sheet(rows: list[dict[str, Any]]) -> bytes:
    """Return one PNG of the figures' thumbnails. Below each are its type and confidence, and its document and page."""
    from PIL import Image, ImageDraw

    sheet = Image.new("RGB", (COLUMNS * CELL, -(-len(rows) // COLUMNS) * (CELL + LABEL)), "white")
    pen = ImageDraw.Draw(sheet)
    for n, row in enumerate(rows):
        x, y = n % COLUMNS * CELL, n // COLUMNS * (CELL + LABEL)
        if row["thumbnail"]:
            small = Image.open(io.BytesIO(row["thumbnail"]), formats=["PNG"]).convert("RGB")
            small.thumbnail((CELL - 8, CELL - 8))
            sheet.paste(small, (x + (CELL - small.width) // 2, y + (CELL - small.height) // 2))
        sure = f" {row['confidence']:.2f}" if row["confidence"] is not None else ""
        kind = shorten(plain(row["kind"]), LONGEST - len(sure))
        lines = ((kind + sure, "black"), (_label_page(row["path"], row["page_number"]), "dimgray"))
        for at, (text, colour) in enumerate(lines):
            pen.text((x + CELL // 2, y + CELL + LABEL * (2 * at + 1) // 4), text, fill=colour, anchor="mm")
    sink = io.BytesIO()
    sheet.save(sink, "PNG")
    return sink.getvalue()


def _label_page(path: str, page: int) -> str:
    """Return the name of a document and a page, with at most LONGEST characters. A long name loses its middle.

    >>> _label_page("2024/minutes.pdf", 3), _label_page("minutes-of-the-third-general-meeting.pdf", 12)
    ('minutes.pdf, p. 3', 'minutes-…ting.pdf, p. 12')
    """
    behind = f", p. {page}"
    return shorten(plain(path.rsplit("/", 1)[-1]), LONGEST - len(behind)) + behind
