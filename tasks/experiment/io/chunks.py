"""Chunks of an experiment: cut once for all embedders that count and compare alike, and searched for words once."""

import json
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from schemas.ids import json_digest
from schemas.options.sections import ChunkOptions
from schemas.records import ChunkSpan
from schemas.staged import CHUNKED
from schemas.types import required_column
from tasks.chunk.chunk import BoundaryInputs, chunk_content, split_document_into_sentences
from tasks.chunk.pieces import Count
from tasks.embed.io.providers import load_counting_tokenizer
from tasks.experiment.grid import Cell
from tasks.experiment.io.documents import Library, Text
from tasks.experiment.io.plan import Plan
from tasks.experiment.io.vectors import Encode, Vectors
from tasks.language.terms import extract_question_terms, extract_terms
from tasks.store import files
from tasks.store.indexes import FULL_TEXT
from tasks.store.loading import import_lancedb

PLACE = [
    required_column("chunk_id", pa.string()),
    required_column("document_id", pa.string()),
    required_column("path", pa.string()),
    required_column("title", pa.string()),
    required_column("position", pa.int32()),
    required_column("language", pa.string()),
    required_column("search_terms", pa.string()),
]
ROWS = pa.schema([*CHUNKED.field("chunks").type.value_type, *PLACE])
"""The chunks of CHUNKED with what a corpus adds to them; the id of a chunk is its number, and `language` is its document's."""
SECONDS = b"seconds"

WordMatches = list[list[tuple[int, float]]]
"""For each question the chunks of the highest BM25, by their numbers, with that; best first."""


class CutChunk(ChunkSpan):
    """A row of ROWS."""

    chunk_id: str
    document_id: str
    path: str
    title: str
    position: int
    language: str
    search_terms: str


class Terms(NamedTuple):
    """The terms of texts, and the languages that they are in, the most frequent first."""

    texts: Sequence[str]
    languages: Sequence[str]


FindWords = Callable[[Terms, Sequence[str], int], WordMatches]
"""Full-text search: the terms of the chunks, the questions, and how many chunks to find for each."""


class Chunks(NamedTuple):
    """The chunks of all documents, and how long cutting them took, without the vectors of sentences."""

    rows: list[CutChunk]
    seconds: float


def read_or_cut_chunks(plan: Plan, cell: Cell, library: Library, encode: Encode) -> Chunks:
    """Return the chunks of a cell; they are cut if they are not kept. `encode` makes vectors of sentences."""
    path = plan.out.step_folder("chunk", cell.chunks) / "chunks.arrow"
    if path.exists():
        kept = files.read_table(path)
        return Chunks(kept.to_pylist(), float(kept.schema.metadata[SECONDS]))
    encoding = Stopwatch(encode)
    began = time.monotonic()
    count = load_counting_tokenizer(cell.embed).count
    rows = list(cut_texts_into_chunks(list(library.texts.values()), cell.chunk, count, encoding.encode))
    seconds = time.monotonic() - began - encoding.seconds
    table = pa.Table.from_pylist(rows, schema=ROWS.with_metadata({SECONDS: f"{seconds:.3f}"}))
    files.write_table_atomically(path, table)
    return Chunks(table.to_pylist(), seconds)


class Stopwatch:
    """Measures the time that an encoder takes."""

    def __init__(self, encode: Encode) -> None:
        self._encode, self.seconds = encode, 0.0

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of `texts`."""
        began = time.monotonic()
        vectors = self._encode(texts)
        self.seconds += time.monotonic() - began
        return vectors


def cut_texts_into_chunks(texts: Sequence[Text], options: ChunkOptions, count: Count, encode: Encode) -> Iterator[CutChunk]:
    """Yield the chunks of all documents as ROWS; `encode` makes vectors of sentences."""
    number = 0
    for text in texts:
        boundaries, title, language = _make_boundary_inputs(text, options, encode), text.title, text.language
        spans: list[ChunkSpan] = chunk_content(text.row, options, count, boundaries)["chunks"][0].as_py()
        for position, row in enumerate(spans):
            yield {
                **row,
                "chunk_id": str(number),
                "document_id": text.document_id,
                "path": text.path,
                "title": title,
                "position": position,
                "language": language,
                "search_terms": extract_terms(row["text"], language),
            }
            number += 1


def _make_boundary_inputs(text: Text, options: ChunkOptions, encode: Encode) -> BoundaryInputs:
    if options.sentence_vectors:
        return BoundaryInputs(vectors=encode(split_document_into_sentences(text.row).texts))
    if options.strategy == "llm":
        from tasks.chunk.io.boundary_inputs import propose_boundaries, read_boundary_proposal

        return read_boundary_proposal(propose_boundaries(text.row, options))
    return BoundaryInputs()


def make_kept_word_search(plan: Plan, cell: Cell) -> FindWords:
    """Return a full-text search of the cell's chunks that keeps what it finds."""
    return partial(_read_or_find_words, plan.out.step_folder("chunk", cell.chunks))


def _read_or_find_words(folder: Path, terms: Terms, questions: Sequence[str], depth: int) -> WordMatches:
    path = folder / f"words-{json_digest([list(questions), depth])}.json"
    if path.exists():
        return [[(number, score) for number, score in found] for found in json.loads(path.read_bytes())]
    found = find_texts_by_words(terms, questions, depth)
    files.write_atomically(path, json.dumps(found).encode())
    return found


def find_texts_by_words(terms: Terms, questions: Sequence[str], depth: int) -> WordMatches:
    """Return for each question the `depth` texts of the highest BM25, found by LanceDB as in a corpus."""
    from lancedb.index import FTS
    from lancedb.query import MatchQuery

    with tempfile.TemporaryDirectory(prefix="pagemill-words-") as folder:
        rows = pa.table({"chunk": range(len(terms.texts)), "search_terms": pa.array(terms.texts, pa.string())})
        table = import_lancedb().connect(folder).create_table("chunks", rows)
        table.create_index("search_terms", config=FTS(**FULL_TEXT))
        queries = [MatchQuery(extract_question_terms(question, terms.languages), "search_terms") for question in questions]  # type: ignore[call-arg]
        found = [table.search(query, query_type="fts").limit(depth).to_arrow() for query in queries]
    return [list(zip(one["chunk"].to_pylist(), one["_score"].to_pylist(), strict=True)) for one in found]
