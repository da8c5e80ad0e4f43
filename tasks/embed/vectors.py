"""Vectors of texts: what makes them, their length, and a cache: a text that was embedded in this run is not embedded again."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from types import MappingProxyType
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from schemas.errors import DocumentError

MOST = 16_384
"""Vectors that are remembered, 25 MB of 384 dimensions."""

KEY_BYTES = 16

ALL = 1 << 30
"""More texts than there are at once."""

Vectors: TypeAlias = NDArray[np.float32]
Tokens: TypeAlias = Mapping[str, list[int]]
"""The token ids of texts, by text."""

NO_TOKENS: Tokens = MappingProxyType({})


class Encoder(Protocol):
    """Makes vectors from texts."""

    dimension: int

    def tokenise(self, texts: Sequence[str]) -> Tokens:
        """Return the token ids that `encode` will need of `texts`. Another thread may ask for them while `encode` runs."""
        ...

    def encode(self, texts: Sequence[str], tokens: Tokens = NO_TOKENS) -> Vectors:
        """Return an array of shape (texts, dimension), in the order of `texts`. Each row has length 1.

        Texts of which `tokens` has the ids are not tokenised again.
        """
        ...


class VectorCache:
    """Vectors of one model by text. Threads may share it: each call reads or writes one entry at a time."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._vectors: dict[bytes, Vectors] = {}
        self.n_added = 0

    def add(self, texts: Sequence[str], vectors: Vectors) -> None:
        """Remember the vectors of texts, one row each; forget the oldest ones."""
        self.n_added += len(texts)
        for text, vector in zip(texts, vectors, strict=True):
            self._vectors[_hash_text(text)] = vector.copy()
            if len(self._vectors) > self._most:
                self._vectors.pop(next(iter(self._vectors)), None)

    def as_arrays(self) -> tuple[list[bytes], Vectors]:
        """Return the digests of the texts, KEY_BYTES each, and their vectors, the oldest first; there must be some."""
        return list(self._vectors), np.stack(list(self._vectors.values()))

    def recall(self, digests: Sequence[bytes], vectors: Vectors) -> None:
        """Remember vectors that `as_arrays` returned."""
        self._vectors |= zip(digests, vectors, strict=True)

    def find(self, texts: Sequence[str]) -> list[Vectors | None]:
        """Return the vector of each text, or None."""
        return [self._vectors.get(_hash_text(text)) for text in texts]


def _hash_text(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES).digest()


class CachingEncoder:
    """An encoder that encodes only what is not remembered, and equal texts once: forms and reports repeat theirs."""

    def __init__(self, encoder: Encoder, memory: VectorCache, at_once: int = ALL) -> None:
        """`at_once`: texts that are encoded together. What was made of those before stays remembered if the next ones fail."""
        self._encoder, self._memory, self._at_once = encoder, memory, at_once
        self.dimension = encoder.dimension

    def tokenise(self, texts: Sequence[str]) -> Tokens:
        """Return the token ids of what is not remembered yet."""
        distinct = list(dict.fromkeys(texts))
        found = zip(distinct, self._memory.find(distinct), strict=True)
        return self._encoder.tokenise([text for text, vector in found if vector is None])

    def encode(self, texts: Sequence[str], tokens: Tokens = NO_TOKENS) -> Vectors:
        """Return an array of shape (texts, dimension), in the order of `texts`."""
        distinct = list(dict.fromkeys(texts))
        found = zip(distinct, self._memory.find(distinct), strict=True)
        known = {text: vector for text, vector in found if vector is not None}
        unknown = [text for text in distinct if text not in known]
        for at in range(0, len(unknown), self._at_once):
            part = unknown[at : at + self._at_once]
            computed = self._encoder.encode(part, tokens)
            known |= zip(part, computed, strict=True)
            self._memory.add(part, computed)
        vectors = np.empty((len(texts), self.dimension), np.float32)
        for at, text in enumerate(texts):
            vectors[at] = known[text]
        return vectors


def normalise_vectors(vectors: Vectors) -> Vectors:
    """Return vectors of shape (texts, dimension) with length 1.

    Raises:
        DocumentError: one of them has no direction; names its row.
    """
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    bad = np.flatnonzero(~(np.isfinite(norms) & (norms > 1e-12)))
    if bad.size:
        raise DocumentError(f"text {bad[0]} has no vector, because the model returned only zeros or NaN: check its weights")
    unit: Vectors = vectors / norms
    return unit
