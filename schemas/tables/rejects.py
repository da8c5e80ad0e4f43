"""Rejects: one row per document or page that a step could not handle; page 0 stands for the whole document."""

import pyarrow as pa
from pydantic import BaseModel, ConfigDict

from schemas.types import primary_key_column, required_column

REASON = [
    required_column("step", pa.string()),
    required_column("page_number", pa.int32()),
    required_column("error", pa.string()),
    required_column("message", pa.string()),
    required_column("remedy", pa.string()),
    required_column("final", pa.bool_()),
]

REJECTS = pa.schema(
    [
        primary_key_column("document_id", pa.string()),
        primary_key_column("step", pa.string()),
        primary_key_column("page_number", pa.int32()),
        required_column("source_name", pa.string()),
        required_column("path", pa.string()),
        required_column("sha256", pa.string()),
        required_column("recipe", pa.string()),
        required_column("error", pa.string()),
        required_column("message", pa.string()),
        required_column("remedy", pa.string()),
        required_column("final", pa.bool_()),
        required_column("attempts", pa.int32()),
        required_column("limits", pa.string()),
        required_column("run_id", pa.string()),
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
