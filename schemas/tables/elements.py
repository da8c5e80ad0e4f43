"""Elements: one row per layout element of a document, in reading order.

Offsets are half-open code points into `documents.text`; null for furniture, which the text leaves out.
"""

import pyarrow as pa

from schemas.types import BOX, primary_key, required

LINK = pa.struct([required("text", pa.string()), required("uri", pa.string())])
"""Words of an element's text, and the address that they lead to."""

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
    pa.field("joined_by", pa.string()),
    pa.field("links", pa.list_(LINK)),
]
"""What parse sees of an element: level is a heading's (1 = highest) or, where the
format tells, how deep a list item is nested (1 = not), html a table's, confidence OCR's in [0, 1].
Pages count from 1; a format without pages is one page. bbox is null where the format has no places.

A table or paragraph that goes on over the end of a page or column is one element a part, in order and, in the text, without a
gap: `joined_by` is what stands there between a part and the one before it, null for an element that begins anew. A part of a
table has only its new rows as text; its html is the table as it stands on that page, with a header that repeats."""

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
