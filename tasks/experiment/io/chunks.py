"""Chunks of an experiment: cut once for all embedders that count and compare alike, and searched for words once."""

import json
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from schemas.staged import CHUNKED
from schemas.types import required
from tasks.embed.io.providers import tokenizer_of
from tasks.experiment.grid import Cell
from tasks.experiment.io.index import Lexical, cut_texts
from tasks.experiment.io.lexical import Terms, full_text
from tasks.experiment.io.library import Library
from tasks.experiment.io.plan import Plan
from tasks.experiment.io.vectors import Encode
from tasks.store import files

PLACE = [
    required("chunk_id", pa.string()),
    required("document_id", pa.string()),
    required("path", pa.string()),
    required("title", pa.string()),
    required("position", pa.int32()),
    required("language", pa.string()),
    required("search_terms", pa.string()),
]
ROWS = pa.schema([*CHUNKED.field("chunks").type.value_type, *PLACE])
SECONDS = b"seconds"


class Chunks(NamedTuple):
    """The chunks of all documents, and how long cutting them took, without the vectors of sentences."""

    rows: list[dict[str, Any]]
    seconds: float


def chunks_of(plan: Plan, cell: Cell, library: Library, encode: Encode) -> Chunks:
    """Return the chunks of a cell; they are cut if they are not kept. `encode` makes vectors of sentences."""
    path = plan.out.staged("chunk", cell.chunks) / "chunks.arrow"
    if path.exists():
        kept = files.read_table(path)
        return Chunks(kept.to_pylist(), float(kept.schema.metadata[SECONDS]))
    spent = Stopwatch(encode)
    began = time.monotonic()
    count = tokenizer_of(cell.embed).count
    rows = list(cut_texts(list(library.texts.values()), cell.chunk, count, spent.encode))
    seconds = time.monotonic() - began - spent.seconds
    table = pa.Table.from_pylist(rows, schema=ROWS.with_metadata({SECONDS: f"{seconds:.3f}"}))
    files.put_table(path, table)
    return Chunks(table.to_pylist(), seconds)


class Stopwatch:
    """Measures the time that an encoder takes."""

    def __init__(self, encode: Encode) -> None:
        self._encode, self.seconds = encode, 0.0

    def encode(self, texts: Sequence[str]) -> Any:
        """Return the vectors of `texts`."""
        began = time.monotonic()
        vectors = self._encode(texts)
        self.seconds += time.monotonic() - began
        return vectors


def lexical_of(plan: Plan, cell: Cell) -> Any:
    """Return a full-text search of the cell's chunks that keeps what it finds for the plan's questions."""
    return partial(_searched, plan.out.staged("chunk", cell.chunks) / f"lexical-{plan.data}.json")


def _searched(path: Path, terms: Terms, questions: Sequence[str], depth: int) -> Lexical:
    if path.exists():
        return [{int(number): score for number, score in found} for found in json.loads(path.read_bytes())]
    found = full_text(terms, questions, depth)
    files.put(path, json.dumps([list(one.items()) for one in found]).encode())
    return found
