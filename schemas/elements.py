"""Elements: one row per layout element of a document, in reading order.

Offsets are half-open code points into `documents.text`; null for furniture, which the text leaves out.
"""

import pyarrow as pa

from schemas.types import BOX, primary_key, required

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
    "furniture",
)
"""Running headers, footers and page numbers are `furniture`."""

LAYOUT = [
    required("page_number", pa.int32()),
    required("kind", pa.string()),
    pa.field("level", pa.int32()),
    pa.field("bbox", BOX),
    required("text", pa.string()),
    pa.field("html", pa.string()),
    pa.field("confidence", pa.float32()),
]
"""What parse sees of an element: level is a heading's (1 = highest) or, where the
format tells, how deep a list item is nested (1 = not), html a table's, confidence OCR's in [0, 1].
Pages count from 1; a format without pages is one page. bbox is null where the format has no places."""

PLACED = [
    *LAYOUT,
    required("section", pa.list_(pa.string())),
    pa.field("start_char", pa.int64()),
    pa.field("end_char", pa.int64()),
]
"""What describe adds: the headings above the element, outermost first, and its place in the document's text."""

ELEMENTS = pa.schema(
    [
        primary_key("element_id", pa.string()),
        required("document_id", pa.string()),
        required("position", pa.int32()),
        *PLACED,
    ],
    metadata={"key": "element_id"},
)
