"""Figures: one row per figure of a document, a raster image or a drawing."""

import pyarrow as pa

from schemas.types import BOX, primary_key, required

FINDINGS = [
    required("kind", pa.string()),
    pa.field("confidence", pa.float32()),
    pa.field("embedding", pa.list_(pa.float32())),
    required("ocr_text", pa.string()),
    required("description", pa.string()),
    pa.field("caption", pa.string()),
    required("thumbnail", pa.binary()),
]
"""What describe finds: the type (`figure` where it is not sure) with its confidence in [0, 1], the picture's vector (of length 1;
its dimension is the CLIP model's), text that OCR read beside the words that the page itself has there, the text that stands for
the figure in the document, and a PNG of at most 256 px. Confidence and vector are null for a picture that cannot be read."""

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
