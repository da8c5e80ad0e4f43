"""Figures: one row per figure of a document, a raster image or a drawing."""

import pyarrow as pa

from schemas.types import BOX, primary_key, required

FINDINGS = [
    required("ocr_text", pa.string()),
    required("description", pa.string()),
    pa.field("caption", pa.string()),
    required("thumbnail", pa.binary()),
]
"""What describe finds: text read by OCR, the text that stands for the figure in the document, and a PNG of at most 256 px."""

FIGURES = pa.schema(
    [
        primary_key("element_id", pa.string()),
        required("document_id", pa.string()),
        required("page_number", pa.int32()),
        pa.field("bbox", BOX),
        *FINDINGS,
    ],
    metadata={"key": "element_id"},
)
