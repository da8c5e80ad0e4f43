"""What ranking reads: the chunks of a corpus, or of an experiment, and the documents that they are from."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NotRequired, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from typing_extensions import TypedDict  # Pydantic wants it before Python 3.12

from schemas.options.search import Mode
from schemas.records import PageBox

RankingMode = Mode | Literal["rrf"]
"""dense: cosines. fts: BM25. hybrid: see `tasks.search.ranking`. rrf: reciprocal rank fusion of cosines and BM25."""

Vector = NDArray[np.float32]

POSITION = ["document_id", "position"]
SCANNED = ["_rowid", *POSITION, "section", "text", "vector"]
"""What ranking needs of the chunks of a document that a question means."""
LOCATED = ["pages", "embedding_text"]
"""What shows at which places a chunk is located, beside its section."""


class ChunkRow(TypedDict):
    """What results need of a chunk. Corpora of older versions do not have all."""

    chunk_id: str
    document_id: str
    path: str
    title: str
    position: int
    start_char: int
    end_char: int
    pages: list[int]
    boxes: list[PageBox]
    section: list[str]
    kind: str
    text: str
    embedding_text: str
    parent_start_char: int | None
    parent_end_char: int | None
    element_positions: list[int]
    sentence_ends: NotRequired[list[int] | None]
    places: NotRequired[list[str] | None]


class RankedRow(ChunkRow):
    """A chunk with its score. `at_place`: whether it is located at all places that the question names."""

    score: float
    at_place: NotRequired[bool]


class SpanCitation(TypedDict, total=False):
    """The citation of a span; it has nothing if the span touches no element."""

    section: list[str]
    pages: list[int]
    boxes: list[PageBox]
    places: list[str]


class ChunkSource(Protocol):
    """Chunks with vectors and terms. A row is named by its number as text; a condition is SQL that the source understands."""

    @property
    def n(self) -> int:
        """How many chunks there are."""
        ...

    @property
    def columns(self) -> frozenset[str]:
        """The columns that the chunks have."""
        ...

    def find_words(self, question: str, depth: int, where: str | None) -> list[tuple[str, float]]:
        """Return the `depth` rows of the highest BM25, each with its BM25."""
        ...

    def find_nearest(self, vector: Vector, depth: int, where: str | None) -> list[str]:
        """Return the rows of the `depth` nearest chunks, nearly in order."""
        ...

    def read(self, rows: Sequence[str], columns: Sequence[str]) -> pa.Table:
        """Return columns of rows, in the order of `rows`."""
        ...

    def read_documents(self, documents: Sequence[str], where: str | None, more: Sequence[str] = ()) -> Iterator[pa.Table]:
        """Yield SCANNED and `more` columns of the chunks of each document that meet the condition, in their order."""
        ...

    def list_documents(self) -> pa.Table:
        """Return document_id, path, title and n_chunks of all documents."""
        ...

    def read_beginnings(self, positions: int, documents: Sequence[str] | None) -> pa.Table:
        """Return document_id, position and text of the first chunks of each document, of all documents (None) or some."""
        ...

    def read_positions(self, documents: Sequence[str]) -> pa.Table:
        """Return _rowid, document_id and position of the chunks of documents."""
        ...

    def read_furniture(self, documents: Sequence[str]) -> Iterable[tuple[str, int, str]]:
        """Yield document, page number and text of the running headers and footers of documents."""
        ...


def compute_cosines(rows: pa.Table, vector: Vector) -> Vector:
    """Return the cosine of each row's vector to a vector. All vectors have length 1."""
    vectors = rows["vector"].combine_chunks()
    matrix = vectors.flatten().to_numpy(zero_copy_only=False).reshape(len(vectors), len(vector))
    found: Vector = matrix @ np.asarray(vector, dtype=np.float32)
    return found


def convert_to_lists(column: pa.ChunkedArray) -> list[list[str]]:
    """Return a column of lists as Python lists. This takes a third of the time of Arrow's `to_pylist`."""
    array = column.combine_chunks()
    ends = np.cumsum(array.value_lengths().to_numpy(zero_copy_only=False)).tolist()
    values = array.flatten().to_pylist()
    return [values[start:end] for start, end in zip([0, *ends], ends, strict=False)]
