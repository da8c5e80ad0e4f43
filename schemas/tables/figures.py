"""Figures: one row per figure of a document. A figure is a raster image or a drawing.

The element of a picture that shows a table is that table, with cells; the figure's box is then the table's.
"""

import pyarrow as pa

from schemas.types import BOX, primary_key_column, required_column

FINDINGS = [
    required_column("kind", pa.string()),
    pa.field("confidence", pa.float32()),
    pa.field("embedding", pa.list_(pa.float32())),
    required_column("ocr_text", pa.string()),
    required_column("description", pa.string()),
    pa.field("caption", pa.string()),
    required_column("thumbnail", pa.binary()),
]
"""What describe finds: the type (`figure` if it is not sure) with its confidence in [0, 1]; the picture's vector (its length is
1, its dimension that of the CLIP model); text that OCR found in addition to the page's own words; the text for the figure in
the document; and a PNG of at most 256 px. Confidence and vector are null for a picture that cannot be read."""

FIGURES = pa.schema(
    [
        primary_key_column("element_id", pa.string()),
        required_column("document_id", pa.string()),
        required_column("page_number", pa.int32()),
        pa.field("bbox", BOX),
        *FINDINGS,
    ],
    metadata={"key": "element_id"},
)
