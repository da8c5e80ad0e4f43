"""Vectors of texts, each computed once and kept in a file with the time that it took."""

import hashlib
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from schemas.ids import json_digest
from schemas.options.sections import EmbedOptions
from schemas.versions import EMBEDDER_VERSION
from tasks.embed.provider import add_prompt

Vectors = NDArray[np.float32]
Encode = Callable[[Sequence[str]], Vectors]
"""Makes vectors of texts."""

AT_ONCE = 1024
"""Texts that are embedded together. What is killed computes that many again."""
KEYS_AT_ONCE = 500

TABLE = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL, seconds REAL NOT NULL)"


class VectorFile:
    """The vectors of one model, made by one engine; those of another one lie in another file of the folder.

    The length that a text may have is the model's own, or `options.max_tokens`. With `too_long` error, a longer text is cut like
    with truncate: whoever must not have longer texts checks their length before.
    """

    def __init__(self, folder: Path, options: EmbedOptions) -> None:
        """Open the file in `folder` for `options`; its engine must not be auto.

        Raises:
            InputError: there is no such model.
        """
        from tasks.embed.io.providers import identify_vectors, open_provider

        too_long = "mean" if options.too_long == "mean" else "truncate"
        self._provider = open_provider(options.model_copy(update={"too_long": too_long}))
        self.dimension = self._provider.dimension
        identity = [
            EMBEDDER_VERSION,
            identify_vectors(options, self.dimension),
            options.engine,
            options.dtype,
            options.max_tokens,
            too_long,
        ]
        folder.mkdir(parents=True, exist_ok=True)
        self._store = sqlite3.connect(folder / f"{json_digest(identity)}.sqlite")
        self._store.execute(TABLE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._store.close()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts of documents, of shape (texts, dimension), in their order."""
        return self._find_or_compute(self._add_prompts(texts))

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of questions, of shape (texts, dimension), in their order."""
        return self._find_or_compute(add_prompt(self._provider.prompts.query, texts))

    def _add_prompts(self, texts: Sequence[str]) -> list[str]:
        return add_prompt(self._provider.prompts.document, texts)

    def _find_or_compute(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts with their prompts, computed now if they never were."""
        keys = [_hash_text(text) for text in texts]
        known = dict(self._read_column("vector", keys))
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        for at in range(0, len(missing), AT_ONCE):
            known |= self._compute_and_keep(dict(list(missing.items())[at : at + AT_ONCE]))
        found = np.empty((len(texts), self.dimension), np.float32)
        for row, key in enumerate(keys):
            found[row] = np.frombuffer(known[key], dtype=np.float32)
        return found

    def seconds(self, texts: Sequence[str]) -> float:
        """Return how long the vectors of `texts` took when they were computed, equal texts once."""
        return float(
            sum(seconds for _, seconds in self._read_column("seconds", [_hash_text(text) for text in self._add_prompts(texts)]))
        )

    def _compute_and_keep(self, texts: dict[bytes, str]) -> dict[bytes, bytes]:
        """Compute and keep vectors. A text's time is its share, by its length, of that of the texts computed with it."""
        began = time.monotonic()
        vectors = self._provider.encode_as_is(list(texts.values()))
        each = (time.monotonic() - began) / max(1, sum(map(len, texts.values())))
        kept = {key: vector.tobytes() for key, vector in zip(texts, vectors, strict=True)}
        rows = [(key, kept[key], each * len(text)) for key, text in texts.items()]
        with self._store:
            self._store.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?, ?)", rows)
        return kept

    def _read_column(self, column: Literal["vector", "seconds"], keys: Sequence[bytes]) -> Iterator[tuple[bytes, Any]]:
        distinct = list(dict.fromkeys(keys))
        for at in range(0, len(distinct), KEYS_AT_ONCE):
            part = distinct[at : at + KEYS_AT_ONCE]
            marks = ",".join("?" * len(part))
            yield from self._store.execute(f"SELECT key, {column} FROM vectors WHERE key IN ({marks})", part)


def _hash_text(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
