"""Staged results: one row per content, one file per (step, recipe, media type, sha256).

They hold no document id, name, path or metadata from outside the file. The draft adds these, so a copied or moved file needs
no computation.
"""

import pyarrow as pa

from schemas.tables import findings
from schemas.tables.chunks import SPANS
from schemas.tables.elements import LAYOUT, PLACED
from schemas.tables.figures import FINDINGS
from schemas.tables.rejects import REASON
from schemas.types import required_column

STEPS = ("parse", "describe", "chunk", "embed")
BOUNDARY_STEPS = ("sentences", "proposals")
"""Steps that some chunking strategies need before they run."""

PROPERTIES = pa.struct(
    [
        pa.field("title", pa.string()),
        pa.field("author", pa.string()),
        pa.field("created", pa.string()),
        pa.field("modified", pa.string()),
        pa.field("language", pa.string()),
        required_column("extra", pa.string()),
    ]
)
"""Metadata from the file itself. For a PDF without it, from the first page. Dates are ISO 8601. `extra` is a JSON object: all
other fields of a Markdown file's front matter, or of the field list of reStructuredText."""

PAGE = pa.struct(
    [
        required_column("page_number", pa.int32()),
        required_column("width", pa.float32()),
        required_column("height", pa.float32()),
        required_column("ocr", pa.bool_()),
    ]
)

FIGURE_WORD = pa.struct(
    [
        required_column("text", pa.string()),
        *(required_column(name, pa.float32()) for name in ("x0", "y0", "x1", "y1", "size")),
        required_column("turn", pa.int16()),
        required_column("line", pa.int32()),
    ]
)
"""A word in a figure, from the page's own text or from OCR of a scanned page. Its box and its type size are in pixels of the
figure's picture, from the top left. It also has its rotation to the left in degrees (90: it runs upwards), and a number that
all words of its line share. An exponent follows ^. A word at the edge may be partly outside the picture."""

PARSED_FIGURE = pa.struct(
    [
        required_column("position", pa.int32()),
        required_column("image", pa.binary()),
        required_column("words", pa.list_(FIGURE_WORD)),
        required_column("raster", pa.float32()),
    ]
)
"""The picture of the element at `position`, as PNG, and the words of the element's text. `raster` is the share of the picture
that images cover; the page draws the rest. If the format has no such data, there are no words and `raster` is 0."""

REASONS = pa.list_(pa.struct(REASON))

PARSED = pa.schema(
    [
        pa.field("text", pa.large_string()),
        required_column("properties", PROPERTIES),
        required_column("pages", pa.list_(PAGE)),
        required_column(
            "elements",
            pa.list_(pa.struct([*LAYOUT, pa.field("start_char", pa.int64()), pa.field("end_char", pa.int64())])),
        ),
        required_column("figures", pa.list_(PARSED_FIGURE)),
        required_column("rejects", REASONS),
    ]
)
"""`text` and the elements' offsets are given for formats whose text is the decoded file. For others they are null, and describe
makes them. An element's position is its index in `elements`, in reading order. A reject of page 0 ends the document here."""

DESCRIBED = pa.schema(
    [
        required_column("text", pa.large_string()),
        required_column("elements", pa.list_(pa.struct(PLACED))),
        required_column("figures", pa.list_(pa.struct([required_column("position", pa.int32()), *FINDINGS]))),
        required_column("rejects", REASONS),
    ]
)
"""The elements are those of PARSED, but for pictures of tables: a table takes their place, with what is written around it. A
figure's position is that of its element here."""

PII_FINDINGS = required_column("pii_findings", findings.PII_FINDINGS)
"""A further column of PARSED and DESCRIBED where personal data is looked for: what was found so far."""

CHUNKED = pa.schema([required_column("chunks", pa.list_(pa.struct(SPANS))), required_column("rejects", REASONS)])

PROPOSED = pa.schema(
    [required_column("breaks", pa.list_(pa.int64())), required_column("reason", pa.string()), required_column("rejects", REASONS)]
)
"""The starts of the sentences where a language model begins a chunk; if there are none, the reason."""


def make_embedded_schema(dimension: int) -> pa.Schema:
    """Return the schema of vectors: one normalised vector per row of the staged chunks, in the same order."""
    return pa.schema(
        [required_column("vectors", pa.list_(pa.list_(pa.float32(), dimension))), required_column("rejects", REASONS)]
    )
