"""Hits: one row per result of a question, best first."""

import pyarrow as pa
from pydantic import BaseModel, ConfigDict, Field

from schemas.types import PAGE_BOX, required_column


class Box(BaseModel):
    """A rectangle on a page, in PDF points from the page's top left."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    page_number: int
    bbox: dict[str, float]


class Hit(BaseModel):
    """One result with its citation: a span of a document, its pages, boxes, places and section, and the chunk that was found.

    `also_in` are the paths of other documents that say nearly the same, the newest first, 20 at most.

    Places are those of documents without pages: cells (`Sheet2!B4:F40`), times, lines.

    `embedding_text` is `text` after its context: for part of a long table, the caption and the header rows.

    `score` is the score of the chunk; higher is better. It is the cosine similarity, or BM25; in hybrid mode the sum of
    `tasks.search.ranking`, of which meaning, words, section, neighbours and the document are parts.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    rank: int
    score: float
    chunk_id: str
    document_id: str
    path: str
    title: str
    start_char: int
    end_char: int
    pages: list[int]
    boxes: list[Box]
    places: list[str] = Field(default_factory=list)
    also_in: list[str] = Field(default_factory=list)
    section: list[str]
    kind: str
    text: str
    embedding_text: str
    chunk_start_char: int
    chunk_end_char: int
    chunk_text: str


HITS = pa.schema(
    [
        required_column("rank", pa.int32()),
        required_column("score", pa.float64()),
        required_column("chunk_id", pa.string()),
        required_column("document_id", pa.string()),
        required_column("path", pa.string()),
        required_column("title", pa.string()),
        required_column("start_char", pa.int64()),
        required_column("end_char", pa.int64()),
        required_column("pages", pa.list_(pa.int32())),
        required_column("boxes", pa.list_(PAGE_BOX)),
        required_column("places", pa.list_(pa.string())),
        required_column("also_in", pa.list_(pa.string())),
        required_column("section", pa.list_(pa.string())),
        required_column("kind", pa.string()),
        required_column("text", pa.string()),
        required_column("embedding_text", pa.string()),
        required_column("chunk_start_char", pa.int64()),
        required_column("chunk_end_char", pa.int64()),
        required_column("chunk_text", pa.string()),
    ],
    metadata={"key": "rank"},
)
"""Hits as a table; rank counts from 1."""
