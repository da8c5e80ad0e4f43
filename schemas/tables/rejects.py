"""Rejects: one row per document or page that a step could not handle; page 0 stands for the whole document."""

import pyarrow as pa
from pydantic import BaseModel, ConfigDict

from schemas.types import primary_key, required

REASON = [
    required("step", pa.string()),
    required("page_number", pa.int32()),
    required("error", pa.string()),
    required("message", pa.string()),
    required("remedy", pa.string()),
    required("final", pa.bool_()),
]

REJECTS = pa.schema(
    [
        primary_key("document_id", pa.string()),
        primary_key("step", pa.string()),
        primary_key("page_number", pa.int32()),
        required("source_name", pa.string()),
        required("path", pa.string()),
        required("sha256", pa.string()),
        required("recipe", pa.string()),
        required("error", pa.string()),
        required("message", pa.string()),
        required("remedy", pa.string()),
        required("final", pa.bool_()),
        required("attempts", pa.int32()),
        required("limits", pa.string()),
        required("run_id", pa.string()),
    ],
    metadata={"key": "document_id,step,page_number"},
)


class Reject(BaseModel):
    """Why a step could not handle a document (page 0) or one of its pages."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    step: str
    page_number: int = 0
    error: str
    message: str
    remedy: str
    final: bool
