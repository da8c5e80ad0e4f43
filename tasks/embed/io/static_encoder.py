"""Vectors of texts from static vectors of tokens, by NumPy."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from schemas.errors import InputError
from schemas.options.sections import EmbedOptions
from tasks.embed.io.model_files import read_dimension, shorten_dimension
from tasks.embed.io.static_files import MODEL2VEC, StaticFiles, find_static_files
from tasks.embed.io.tokenizer import load_tokenizer, read_max_tokens
from tasks.embed.io.too_long import LocalEncoder
from tasks.embed.vectors import Vectors


class Table(NamedTuple):
    """Vectors by row; the row and the factor of each of `n_tokens` tokens, if they have any; the token that is left out.

    Tokens beyond have no vector: some tokenizers got special ones after the vectors were made.
    """

    vectors: NDArray[Any]
    n_tokens: int
    rows: NDArray[np.int64] | None
    factors: NDArray[np.float32] | None
    unknown: int | None
    middle: NDArray[np.float32]


class StaticEncoder(LocalEncoder):
    """Turns texts into the mean of the vectors of their tokens, without special ones. Threads may share one.

    A text without a known token gets the mean of all vectors, which is near to no text in particular.
    """

    def __init__(self, folder: Path, options: EmbedOptions) -> None:
        """Read the files of `folder`, which holds static vectors.

        Raises:
            InputError: the files are damaged, or `options` ask for longer vectors than there are.
        """
        size = shorten_dimension(folder, read_dimension(folder), options.dimensions)
        super().__init__(load_tokenizer(folder), [], read_max_tokens(folder, options.max_tokens), size, options.too_long)
        self._table = load_table(folder)

    def _embed_rows(self, ids: Sequence[list[int]]) -> Vectors:
        return np.stack([self._mean(row) for row in ids])

    def _mean(self, ids: Sequence[int]) -> Vectors:
        table = self._table
        seen = np.array([one for one in ids if one != table.unknown and one < table.n_tokens], dtype=np.int64)
        if not len(seen):
            return table.middle[: self.dimension]
        rows = seen if table.rows is None else table.rows[seen]
        vectors = table.vectors[rows, : self.dimension].astype(np.float32)
        weighed = vectors if table.factors is None else vectors * table.factors[seen][:, None]
        mean: Vectors = weighed.mean(axis=0)
        return mean


@lru_cache(maxsize=2)
def load_table(folder: Path) -> Table:
    """Return the vectors in `folder`, loaded once per process.

    Raises:
        InputError: the file is damaged, or its parts do not fit its tokenizer.
    """
    files = find_static_files(folder)
    if files is None:
        raise InputError(f"{folder} holds no static vectors: download the model again")
    parts = _read_parts(files)
    vectors, rows, factors = parts[files.table], parts.get("mapping"), parts.get("weights")
    tokenizer = load_tokenizer(folder)
    n_tokens = min(len(part) for part in (vectors if rows is None else rows, factors) if part is not None)
    if n_tokens < tokenizer.n_words or (rows is not None and not 0 <= rows.min() <= rows.max() < len(vectors)):
        raise InputError(
            f"{files.weights} has vectors for {n_tokens} tokens, and its tokenizer {tokenizer.n_words}: download the model again"
        )
    return Table(
        vectors=vectors,
        n_tokens=n_tokens,
        rows=None if rows is None else rows.astype(np.int64),
        factors=None if factors is None else factors.astype(np.float32),
        unknown=tokenizer.unknown_token_id if files.table == MODEL2VEC else None,
        middle=vectors.mean(axis=0, dtype=np.float32),
    )


def _read_parts(files: StaticFiles) -> dict[str, NDArray[np.generic]]:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(files.weights, framework="numpy") as parts:
            return {name: parts.get_tensor(name) for name in parts.keys()}
    except (SafetensorError, OSError, TypeError, ValueError) as error:
        raise InputError(f"{files.weights} cannot be read ({error}): download the model again or choose another") from error
