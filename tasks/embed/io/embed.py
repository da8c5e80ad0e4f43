"""Embed: turn the chunks of documents into vectors, many documents in one stream of batches."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias, TypeVar

import numpy as np
import pyarrow as pa

from schemas.conform import conform
from schemas.errors import InputError
from schemas.options.sections import EmbedOptions
from schemas.staged import REASONS, embedded_schema
from tasks.embed.remembered import Encoder, Vectors

EMBEDDER_VERSION = "2"
"""Raise it when the output changes."""

GROUP = 4096
"""Texts that are embedded together. Their token ids are in memory at the same time."""

logger = logging.getLogger(__name__)

Key = TypeVar("Key")
Texts: TypeAlias = Sequence[str] | pa.StringArray
"""The texts of one content. Texts in a staged file stay there until they are encoded."""


def load_embedder(options: EmbedOptions) -> None:
    """Load the embedder's model, which takes seconds, before it is needed.

    Raises:
        InputError: the model, its weights or the device are missing.
    """
    from tasks.embed.io.embedder import Embedder

    Embedder(options.model, options).encode(["."])


def embed_contents(chunked: Iterable[tuple[Key, Texts]], embedder: Encoder) -> Iterator[tuple[Key, Vectors]]:
    """Yield the vectors of each content's texts, in the order of `chunked`, as soon as the last of them is computed.

    Texts of several documents are encoded together, so that many small documents cost no more than a large one. Contents are
    read one after the other, and only the texts of one group are in memory as strings.

    Raises:
        DocumentError: a text cannot be embedded; chunks of at most `max_tokens` always can.
    """
    waiting: list[tuple[Key, Texts]] = []
    n = 0
    for key, texts in chunked:
        if n + len(texts) > GROUP:
            yield from _embed_together(waiting, embedder)
            waiting, n = [], 0
        waiting.append((key, texts))
        n += len(texts)
    yield from _embed_together(waiting, embedder)


def embed_each(
    keys: Sequence[Key], read: Callable[[Key], Texts], make_encoder: Callable[[int], Encoder], batch_tokens: int
) -> Iterator[tuple[Key, Vectors | Exception]]:
    """Yield what `embed_contents` yields for the texts that `read` returns, or its error instead.

    An error affects only its own content. `make_encoder(batch_tokens)` makes the encoder. After an error each remaining content
    is embedded alone, in batches with an eighth of the tokens, which may fit into the memory of the device.

    Raises:
        InputError: the model or the device cannot be used at all.
    """
    left = dict.fromkeys(keys)
    try:
        for key, vectors in embed_contents(((key, read(key)) for key in keys), make_encoder(batch_tokens)):
            del left[key]
            yield key, vectors
    except (InputError, OSError):
        raise
    except Exception as error:
        logger.warning("documents could not be embedded together, so they are embedded one by one: %s", error)
        smaller = make_encoder(max(1, batch_tokens // 8))
        for key in left:
            yield key, _alone(key, read, smaller)


def _alone(key: Key, read: Callable[[Key], Texts], embedder: Encoder) -> Vectors | Exception:
    try:
        [(_, vectors)] = embed_contents([(key, read(key))], embedder)
    except (InputError, OSError):
        raise
    except Exception as error:
        return error
    return vectors


def _embed_together(chunked: Sequence[tuple[Key, Texts]], embedder: Encoder) -> Iterator[tuple[Key, Vectors]]:
    """Encode the texts of these contents in groups. The last group may be small."""
    vectors = np.empty((sum(len(texts) for _, texts in chunked), embedder.dimension), dtype=np.float32)
    start = 0
    for group in _groups(chunked):
        vectors[start : start + len(group)] = embedder.encode(group)
        start += len(group)
    start = 0
    for key, texts in chunked:
        yield key, vectors[start : start + len(texts)]
        start += len(texts)


def _groups(chunked: Sequence[tuple[Key, Texts]]) -> Iterator[list[str]]:
    """Yield the texts of several contents as one group, or those of a single content in groups of GROUP."""
    if len(chunked) > 1:
        yield [text for _, texts in chunked for text in _strings(texts)]
        return
    for _, texts in chunked:
        for at in range(0, len(texts), GROUP):
            yield _strings(texts[at : at + GROUP])


def _strings(texts: Texts) -> list[str]:
    return texts.to_pylist() if isinstance(texts, pa.Array) else list(texts)


def as_row(vectors: Vectors, dimension: int) -> pa.Table:
    """Return one row of `embedded_schema(dimension)` with `vectors`, of shape (chunks, dimension)."""
    flat = pa.array(np.ascontiguousarray(vectors, dtype=np.float32).reshape(-1))
    listed = pa.FixedSizeListArray.from_arrays(flat, dimension)
    row = pa.ListArray.from_arrays(pa.array([0, len(vectors)], pa.int32()), listed)
    return conform(pa.table({"vectors": row, "rejects": pa.array([[]], REASONS)}), embedded_schema(dimension))
