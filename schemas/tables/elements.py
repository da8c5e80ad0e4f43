"""Elements: one row per layout element of a document, in reading order.

Offsets are half-open code points in `documents.text`; null for furniture and hidden text, because the text does not include them.
"""

import pyarrow as pa

from schemas.types import BOX, primary_key_column, required_column

LINK = pa.struct([required_column("text", pa.string()), required_column("uri", pa.string())])
"""Words of an element's text, and the address that they link to."""

KINDS = (
    "title",
    "heading",
    "paragraph",
    "list_item",
    "table",
    "figure",
    "caption",
    "code",
    "equation",
    "footnote",
    "note",
    "furniture",
    "hidden",
)
"""A `note` is a comment that was attached to the page. Running headers, footers and page numbers are `furniture`. Text that
nobody can see on the page is `hidden`, whatever it is otherwise: white on white, tiny, without ink, covered, or outside the
page."""

HEADINGS = ("title", "heading")
OUT_OF_TEXT = ("furniture", "hidden")
"""Kinds that the document's text leaves out, hidden text unless `describe.hidden_text` asks for it."""

LAYOUT = [
    required_column("page_number", pa.int32()),
    required_column("kind", pa.string()),
    pa.field("level", pa.int32()),
    pa.field("bbox", BOX),
    required_column("text", pa.string()),
    pa.field("html", pa.string()),
    pa.field("confidence", pa.float32()),
    pa.field("joined_by", pa.string()),
    pa.field("links", pa.list_(LINK)),
    pa.field("place", pa.string()),
]
"""What parse finds of an element. `level` is the level of a heading (1 = highest), or how deep a list item is nested
(1 = not nested), if the format says so. `html` is given for a table. `confidence`, in [0, 1], says how sure OCR is of a text,
and on other pages of a PDF how likely a heading is one. Pages count from 1; a format without pages is one page. `bbox` is null if
the format has no positions.

A table or paragraph that continues on the next page or column has one element for each part, in order. In the text, the parts
follow each other without a gap. `joined_by` is the text between a part and the part before it; it is null for the first part
and for all other elements. A part of a table has only its new rows as text; its html is the table as that page shows it, with
a repeated header.

`place` says where an element stands in a document without pages: `Sheet2!B4:F40`, `00:01:02.000-00:01:05.500`, `line 7`; see
`tasks.parse.elements.places`. It is null where the format has no such places, and in rows of older versions."""

ADDED_LATER = ("place",)
"""Columns that older corpora do not have."""

PLACED = [
    *LAYOUT,
    required_column("section", pa.list_(pa.string())),
    pa.field("start_char", pa.int64()),
    pa.field("end_char", pa.int64()),
]
"""What describe adds: the headings above the element, outermost first, and its span in the document's text."""

ELEMENTS = pa.schema(
    [
        primary_key_column("element_id", pa.string()),
        required_column("document_id", pa.string()),
        required_column("position", pa.int32()),
        *PLACED,
    ],
    metadata={"key": "element_id"},
)
