"""Embed: turn the chunks of documents into vectors, many documents in one stream of batches."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from schemas.conform import conform
from schemas.options import EmbedOptions
from schemas.staged import REASONS, embedded_schema

EMBEDDER_VERSION = "2"
"""Raise it when the output changes."""

GROUP = 4096
"""Texts that are embedded together; their token ids are in memory at once."""

Vectors = NDArray[np.float32]
Key = TypeVar("Key")


class Encoder(Protocol):
    """What makes vectors of texts."""

    dimension: int

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return an array of shape (texts, dimension), in the order of `texts`; each row has length 1."""
        ...


def load_embedder(options: EmbedOptions) -> None:
    """Load the embedder's model, which takes seconds, before it is needed.

    Raises:
        InputError: the model, its weights or the device are not there.
    """
    from tasks.adapters.embedder import Embedder

    Embedder(options.model, options).encode(["."])


def embed_contents(chunked: Mapping[Key, Sequence[str]], embedder: Encoder) -> Iterator[tuple[Key, Vectors]]:
    """Yield the vectors of each content's texts, in the order of `chunked`, as soon as the last of them is there.

    Texts of several documents are encoded together, so that many small documents cost no more than a large one.

    Raises:
        DocumentError: a text cannot be embedded; chunks of at most `max_tokens` always can.
    """
    waiting: dict[Key, Sequence[str]] = {}
    n = 0
    for key, texts in chunked.items():
        if n + len(texts) > GROUP:
            yield from _embed_together(waiting, embedder)
            waiting, n = {}, 0
        waiting[key] = texts
        n += len(texts)
    yield from _embed_together(waiting, embedder)


def _embed_together(chunked: Mapping[Key, Sequence[str]], embedder: Encoder) -> Iterator[tuple[Key, Vectors]]:
    """Encode the texts of these contents in groups, the last of which may be small."""
    texts = [text for of_content in chunked.values() for text in of_content]
    groups = [embedder.encode(texts[at : at + GROUP]) for at in range(0, len(texts), GROUP)]
    vectors = np.concatenate(groups) if groups else np.empty((0, embedder.dimension), dtype=np.float32)
    start = 0
    for key, of_content in chunked.items():
        yield key, vectors[start : start + len(of_content)]
        start += len(of_content)


def as_row(vectors: Vectors, dimension: int) -> pa.Table:
    """Return one row of `embedded_schema(dimension)` that holds `vectors`, of shape (chunks, dimension)."""
    flat = pa.array(np.ascontiguousarray(vectors, dtype=np.float32).reshape(-1))
    listed = pa.FixedSizeListArray.from_arrays(flat, dimension)
    row = pa.ListArray.from_arrays(pa.array([0, len(vectors)], pa.int32()), listed)
    return conform(pa.table({"vectors": row, "rejects": pa.array([[]], REASONS)}), embedded_schema(dimension))
