"""Embed: turn the chunks of documents into vectors, many documents in one stream of batches."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeAlias, TypeVar

import numpy as np
import pyarrow as pa

from schemas.conform import conform_to_schema
from schemas.errors import InputError, ServiceError
from schemas.options.sections import EmbedOptions
from schemas.staged import REASONS, make_embedded_schema
from tasks.embed.vectors import Encoder, Tokens, Vectors
from tasks.workers.threads import prefetch_items

GROUP, GPU_GROUP = 4096, 16_384
"""Texts that are embedded together. The token ids of two groups are in memory at the same time: one is computed, one waits. A GPU
takes larger batches, which only in larger groups hold texts of like lengths."""

DOWN_AFTER = 2
"""Contents in turn for which a service fails: one may be to blame itself."""

logger = logging.getLogger(__name__)

Key = TypeVar("Key")
Texts: TypeAlias = Sequence[str] | pa.StringArray
"""The texts of one content. Texts in a staged file stay there until they are encoded."""


def load_embedder(options: EmbedOptions) -> None:
    """Load the embedder's model, which takes seconds, before it is needed.

    Raises:
        InputError: the model, its weights or the device are missing, or an endpoint refuses the call.
        ServiceError: an endpoint does not answer.
    """
    from tasks.embed.io.providers import open_provider

    open_provider(options).encode(["."])


def choose_group_size(options: EmbedOptions) -> int:
    """Return how many texts are embedded together. Only the engine `torch` uses a GPU; the others do not load torch to ask."""
    from tasks.embed.io.device import choose_device

    return GPU_GROUP if options.engine == "torch" and choose_device(options.device) == "cuda" else GROUP


def embed_contents(chunked: Iterable[tuple[Key, Texts]], embedder: Encoder, group: int = GROUP) -> Iterator[tuple[Key, Vectors]]:
    """Yield the vectors of each content's texts, in the order of `chunked`, as soon as the last of them is computed.

    Texts of several documents are encoded together, so that many small documents cost no more than a large one. Contents are
    read one after the other, and while a group is encoded the next one is read and tokenised in a thread: only the texts of
    two groups are in memory as strings. `group` is the most texts of one.

    Raises:
        DocumentError: a text cannot be embedded; chunks of at most `max_tokens` always can.
    """
    vectors: Vectors = np.empty((0, embedder.dimension), dtype=np.float32)
    for part in prefetch_items(_make_groups(chunked, embedder, group)):
        if part.start == 0:
            vectors = np.empty((sum(n for _, n in part.contents), embedder.dimension), dtype=np.float32)
        end = part.start + len(part.texts)
        vectors[part.start : end] = embedder.encode(part.texts, part.tokens)
        if end == len(vectors):
            yield from _split_vectors(part.contents, vectors)


def embed_each(
    keys: Sequence[Key],
    read: Callable[[Key], Texts],
    make_encoder: Callable[[int], Encoder],
    batch_tokens: int,
    group: int = GROUP,
) -> Iterator[tuple[Key, Vectors | Exception]]:
    """Yield what `embed_contents` yields for the texts that `read` returns, or its error instead.

    An error affects only its own content. `make_encoder(batch_tokens)` makes the encoder, and `group` is the most texts that it
    gets at once. After an error each remaining content is embedded alone, in batches with an eighth of the tokens, which may fit
    into the memory of the device. Once a service fails for DOWN_AFTER of them in turn, it is taken to be down for the others too.

    Raises:
        InputError: the model or the device cannot be used at all.
    """
    left = dict.fromkeys(keys)
    try:
        for key, vectors in embed_contents(((key, read(key)) for key in keys), make_encoder(batch_tokens), group):
            del left[key]
            yield key, vectors
    except (InputError, OSError):
        raise
    except Exception as error:
        logger.warning("documents could not be embedded together, so they are embedded one by one: %s", error)
        yield from _embed_one_by_one(left, read, make_encoder(max(1, batch_tokens // 8)))


def _embed_one_by_one(
    keys: Iterable[Key], read: Callable[[Key], Texts], encoder: Encoder
) -> Iterator[tuple[Key, Vectors | Exception]]:
    failed: list[ServiceError] = []
    for key in keys:
        if len(failed) < DOWN_AFTER:
            outcome = _embed_alone(key, read, encoder)
            failed = [*failed, outcome] if isinstance(outcome, ServiceError) else []
            yield key, outcome
        else:
            yield key, failed[-1]


def _embed_alone(key: Key, read: Callable[[Key], Texts], embedder: Encoder) -> Vectors | Exception:
    try:
        [(_, vectors)] = embed_contents([(key, read(key))], embedder)
    except (InputError, OSError):
        raise
    except Exception as error:
        return error
    return vectors


class Group(NamedTuple, Generic[Key]):
    """Texts that are encoded together: those of several contents, or the part of a single one's that begins at `start`."""

    contents: list[tuple[Key, int]]
    start: int
    texts: list[str]
    tokens: Tokens


def _make_groups(chunked: Iterable[tuple[Key, Texts]], embedder: Encoder, most: int) -> Iterator[Group[Key]]:
    """Yield the texts of all contents in groups, with their tokens."""
    for together in _group_contents(chunked, most):
        contents = [(key, len(texts)) for key, texts in together]
        for start, texts in _split_texts(together, most):
            yield Group(contents, start, texts, embedder.tokenise(texts))


def _group_contents(chunked: Iterable[tuple[Key, Texts]], most: int) -> Iterator[list[tuple[Key, Texts]]]:
    """Yield contents that have no more than `most` texts together, or a single one."""
    waiting: list[tuple[Key, Texts]] = []
    n = 0
    for key, texts in chunked:
        if n + len(texts) > most and waiting:
            yield waiting
            waiting, n = [], 0
        waiting.append((key, texts))
        n += len(texts)
    if waiting:
        yield waiting


def _split_texts(together: Sequence[tuple[Key, Texts]], most: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the texts of several contents at once, or those of a single content in parts of `most` with their starts."""
    if len(together) > 1:
        yield 0, [text for _, texts in together for text in _as_strings(texts)]
        return
    [(_, texts)] = together
    for at in range(0, max(1, len(texts)), most):
        yield at, _as_strings(texts[at : at + most])


def _split_vectors(contents: Sequence[tuple[Key, int]], vectors: Vectors) -> Iterator[tuple[Key, Vectors]]:
    start = 0
    for key, n in contents:
        yield key, vectors[start : start + n]
        start += n


def _as_strings(texts: Texts) -> list[str]:
    return texts.to_pylist() if isinstance(texts, pa.Array) else list(texts)


def make_embedded_row(vectors: Vectors, dimension: int) -> pa.Table:
    """Return one row of `make_embedded_schema(dimension)` with `vectors`, of shape (chunks, dimension)."""
    flat = pa.array(np.ascontiguousarray(vectors, dtype=np.float32).reshape(-1))
    listed = pa.FixedSizeListArray.from_arrays(flat, dimension)
    row = pa.ListArray.from_arrays(pa.array([0, len(vectors)], pa.int32()), listed)
    return conform_to_schema(pa.table({"vectors": row, "rejects": pa.array([[]], REASONS)}), make_embedded_schema(dimension))
