"""Figure report: a contact sheet of the figures that a run described, for the Prefect UI."""

import base64
import io
from collections import Counter
from typing import Any

from schemas.errors import CorpusError
from tasks.adapters import published
from tasks.report import table

MOST = 60
"""Figures on the sheet; the counts are of all."""
COLUMNS, CELL, LABEL = 6, 150, 22
"""Pictures in a row, and pixels of a picture's square and of the line below it."""


def figure_sheet(corpus: str, run_id: str) -> str:
    """Return markdown: how many figures of each type the run's documents have, and their pictures; empty if there are none."""
    live = published.newest(corpus)
    if live is None:
        raise CorpusError(f"{corpus} holds no published corpus")
    named = published.read_columns(corpus, live, "documents", ["document_id", "run_id"]).to_pylist()
    documents = {row["document_id"] for row in named if row["run_id"] == run_id}
    columns = ["document_id", "page_number", "kind", "confidence", "thumbnail"]
    rows = [
        row for row in published.read_columns(corpus, live, "figures", columns).to_pylist() if row["document_id"] in documents
    ]
    if not rows:
        return ""
    counts = [[kind, n] for kind, n in Counter(row["kind"] for row in rows).most_common()]
    picture = base64.b64encode(contact_sheet(rows[:MOST])).decode()
    more = f"The first {MOST} of {len(rows)} figures." if len(rows) > MOST else f"{len(rows)} figures."
    return "\n\n".join(
        ["# Figures", table(["type", "figures"], counts), more, f"![Contact sheet](data:image/png;base64,{picture})"]
    )


def contact_sheet(rows: list[dict[str, Any]]) -> bytes:
    """Return one PNG of the figures' thumbnails, each above its type and confidence."""
    from PIL import Image, ImageDraw

    sheet = Image.new("RGB", (COLUMNS * CELL, -(-len(rows) // COLUMNS) * (CELL + LABEL)), "white")
    pen = ImageDraw.Draw(sheet)
    for n, row in enumerate(rows):
        x, y = n % COLUMNS * CELL, n // COLUMNS * (CELL + LABEL)
        if row["thumbnail"]:
            small = Image.open(io.BytesIO(row["thumbnail"])).convert("RGB")
            small.thumbnail((CELL - 8, CELL - 8))
            sheet.paste(small, (x + (CELL - small.width) // 2, y + (CELL - small.height) // 2))
        sure = f" {row['confidence']:.2f}" if row["confidence"] is not None else ""
        pen.text((x + CELL // 2, y + CELL + LABEL // 2), row["kind"] + sure, fill="black", anchor="mm")
    sink = io.BytesIO()
    sheet.save(sink, "PNG")
    return sink.getvalue()
