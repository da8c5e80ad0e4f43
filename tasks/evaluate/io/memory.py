"""A cache of vectors in the corpus: most questions and sentences are the same in the next evaluation."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pyarrow as pa

from schemas.corpus import Corpus
from schemas.errors import SchemaError
from tasks.embed.vectors import KEY_BYTES, VectorCache
from tasks.store import files

MOST = 32_768
"""Vectors that are kept, 50 MB of 384 dimensions."""

EMBEDDER = b"embedder"


@contextmanager
def open_sentence_memory(corpus: Corpus, embedder: str) -> Iterator[VectorCache]:
    """Load the cached vectors of the embedder with this digest, and save those that the block adds. A damaged file is ignored.

    Raises:
        WriteError: it cannot be written.
    """
    memory = VectorCache(MOST)
    _load_cached_vectors(corpus, embedder, memory)
    yield memory
    if not memory.n_added:
        return
    digests, vectors = memory.as_arrays()
    table = pa.table(
        {
            "digest": pa.array(digests, pa.binary(KEY_BYTES)),
            "vector": pa.FixedSizeListArray.from_arrays(vectors.ravel(), vectors.shape[1]),
        }
    )
    files.write_table_atomically(corpus.sentences, table.replace_schema_metadata({EMBEDDER: embedder}))


def _load_cached_vectors(corpus: Corpus, embedder: str, memory: VectorCache) -> None:
    try:
        table = files.read_table(corpus.sentences)
        if (table.schema.metadata or {}).get(EMBEDDER) != embedder.encode():
            return
        flat = table["vector"].combine_chunks().flatten().to_numpy()
        memory.recall(table["digest"].to_pylist(), flat.astype(np.float32).reshape(table.num_rows, -1))
    except (OSError, SchemaError, KeyError, ValueError):  # lost or damaged
        return
