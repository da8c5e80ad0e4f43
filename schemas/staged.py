"""Staged results: one row per content, one file per (step, recipe, media type, sha256).

They hold no document id, name, path or metadata from beside the file: those are put on when the draft is made, so that copies
and moves compute nothing.
"""

import pyarrow as pa

from schemas.tables.chunks import SPANS
from schemas.tables.elements import LAYOUT, PLACED
from schemas.tables.figures import FINDINGS
from schemas.tables.rejects import REASON
from schemas.types import required

STEPS = ("parse", "describe", "chunk", "embed")
BOUNDARY_STEPS = ("sentences", "proposals")
"""What some strategies of chunking need, staged before they run."""

PROPERTIES = pa.struct(
    [
        pa.field("title", pa.string()),
        pa.field("author", pa.string()),
        pa.field("created", pa.string()),
        pa.field("modified", pa.string()),
        pa.field("language", pa.string()),
        required("extra", pa.string()),
    ]
)
"""What the file says of itself, or a PDF's first page shows where its file does not say. Dates are ISO 8601. `extra` is a JSON
object: what else a Markdown file's front matter, or the field list of reStructuredText, says."""

PAGE = pa.struct(
    [
        required("page_number", pa.int32()),
        required("width", pa.float32()),
        required("height", pa.float32()),
        required("ocr", pa.bool_()),
    ]
)

FIGURE_WORD = pa.struct(
    [
        required("text", pa.string()),
        *(required(name, pa.float32()) for name in ("x0", "y0", "x1", "y1", "size")),
        required("turn", pa.int16()),
        required("line", pa.int32()),
    ]
)
"""A word that the page's own text, or OCR of a scanned page, has in a figure: its box and its size of type in pixels of the
figure's picture, from the top left, by how many degrees it is turned to the left (90: it runs upwards), and a number that it
shares with the words of its line. An exponent stands behind ^. A word at the edge may lie beyond the picture."""

PARSED_FIGURE = pa.struct(
    [
        required("position", pa.int32()),
        required("image", pa.binary()),
        required("words", pa.list_(FIGURE_WORD)),
        required("raster", pa.float32()),
    ]
)
"""The picture of the element at `position`, as PNG, and the words of which the element's text is made. `raster` is the share
of the picture that images cover, the rest is drawn by the page. Without words and 0 where the format does not tell."""

REASONS = pa.list_(pa.struct(REASON))

PARSED = pa.schema(
    [
        pa.field("text", pa.large_string()),
        required("properties", PROPERTIES),
        required("pages", pa.list_(PAGE)),
        required(
            "elements",
            pa.list_(pa.struct([*LAYOUT, pa.field("start_char", pa.int64()), pa.field("end_char", pa.int64())])),
        ),
        required("figures", pa.list_(PARSED_FIGURE)),
        required("rejects", REASONS),
    ]
)
"""`text` and the elements' offsets are given for formats whose text is the decoded file, else null: describe makes them.
An element's position is its index in `elements`, which stand in reading order. Rejects of page 0 end the document here."""

DESCRIBED = pa.schema(
    [
        required("text", pa.large_string()),
        required("elements", pa.list_(pa.struct(PLACED))),
        required("figures", pa.list_(pa.struct([required("position", pa.int32()), *FINDINGS]))),
        required("rejects", REASONS),
    ]
)

CHUNKED = pa.schema([required("chunks", pa.list_(pa.struct(SPANS))), required("rejects", REASONS)])

PROPOSED = pa.schema([required("breaks", pa.list_(pa.int64())), required("reason", pa.string()), required("rejects", REASONS)])
"""The starts of the sentences that a language model would begin a chunk with; if there are none, the reason."""


def embedded_schema(dimension: int) -> pa.Schema:
    """One normalised vector for each row of the staged chunks, in their order."""
    return pa.schema([required("vectors", pa.list_(pa.list_(pa.float32(), dimension))), required("rejects", REASONS)])
