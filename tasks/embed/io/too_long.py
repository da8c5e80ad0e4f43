"""Encoders of this machine: tokens, and what happens to texts with more of them than the model takes.

Such texts are rejected, cut at the end, or embedded in windows.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from schemas.errors import DocumentError
from schemas.options import sections as options
from tasks.embed.io.tokenizer import Tokenizer
from tasks.embed.vectors import NO_TOKENS, Tokens, Vectors, normalise_vectors

Ids = list[int]


class TooLong(DocumentError):
    """A text has more tokens than the embedder takes. `position` is its index among the texts."""

    def __init__(self, position: int, n_tokens: int, limit: int) -> None:
        super().__init__(f"text {position} has {n_tokens} tokens, but the embedder takes at most {limit}: choose shorter chunks")
        self.position, self.n_tokens, self.limit = position, n_tokens, limit


class FittedRows(NamedTuple):
    """Rows of ids that fit the embedder, how many rows each text has, and how many texts were too long."""

    rows: list[Ids]
    n_windows: list[int]
    n_too_long: int


def fit_rows(ids: Sequence[Ids], special: Ids, limit: int, too_long: options.TooLong) -> FittedRows:
    """Fit the ids of texts to `limit` tokens, special ones included; `special` are those of an empty text.

    Raises:
        TooLong: a text has more tokens, and `too_long` is error.
    """
    rows: list[Ids] = []
    n_windows: list[int] = []
    for position, row in enumerate(ids):
        if len(row) > limit and too_long == "error":
            raise TooLong(position, len(row), limit)
        windows = _cut_into_windows(row, special, limit)[: 1 if too_long == "truncate" else None] if len(row) > limit else [row]
        rows.extend(windows)
        n_windows.append(len(windows))
    return FittedRows(rows, n_windows, sum(len(row) > limit for row in ids))


def _cut_into_windows(row: Ids, special: Ids, limit: int) -> list[Ids]:
    """Cut a row into windows, each with the special tokens before and after it."""
    n_before = next((i for i, (left, right) in enumerate(zip(special, row, strict=False)) if left != right), len(special))
    before, after = row[:n_before], row[len(row) - (len(special) - n_before) :] if n_before < len(special) else []
    content = row[n_before : len(row) - len(after)]
    room = limit - len(special)
    return [[*before, *content[at : at + room], *after] for at in range(0, len(content), room)]


class LocalEncoder:
    """Turns texts into vectors. `special` are the token ids around each text; a subclass embeds rows of ids."""

    def __init__(self, tokenizer: Tokenizer, special: Ids, max_tokens: int, dimension: int, too_long: options.TooLong) -> None:
        self._tokenizer, self._special, self._too_long = tokenizer, special, too_long
        self.max_tokens, self.dimension = max_tokens, dimension
        self.n_too_long = 0

    def tokenise(self, texts: Sequence[str]) -> Tokens:
        """Return the token ids of texts, by text."""
        return dict(zip(texts, self._tokenizer.encode(texts), strict=True))

    def encode(self, texts: Sequence[str], tokens: Tokens = NO_TOKENS) -> Vectors:
        """Return the vectors of `texts`, in their order, as an array of shape (texts, dimension). Each has length 1.

        `tokens` are those of `texts`, if they are known already. `n_too_long` counts the texts with more than `max_tokens`
        tokens; the option `too_long` says what happens to them.

        Raises:
            TooLong: a text has more than `max_tokens` tokens, and `too_long` is error.
            DocumentError: a text has no vector, because the model returned only zeros or NaN.
            InputError: the device or the weights are missing.
        """
        known = tokens if all(text in tokens for text in texts) else self.tokenise(texts)
        found = fit_rows([known[text] for text in texts], self._special, self.max_tokens, self._too_long)
        self.n_too_long += found.n_too_long
        if not found.rows:
            return np.empty((0, self.dimension), dtype=np.float32)
        vectors = normalise_vectors(self._embed_rows(found.rows)[:, : self.dimension])
        return vectors if len(found.rows) == len(texts) else normalise_vectors(average_windows(vectors, found))

    def _embed_rows(self, ids: Sequence[Ids]) -> Vectors:
        """Return one vector for each row of token ids, not yet normalised; numbers beyond `dimension` are left out."""
        raise NotImplementedError


def average_windows(vectors: Vectors, found: FittedRows) -> Vectors:
    """Return one vector for each text: the mean of its windows' vectors, which have length 1, weighted by their tokens."""
    if len(found.rows) == len(found.n_windows):
        return vectors
    weights = np.array([len(row) for row in found.rows], dtype=np.float32)[:, None]
    starts = [0, *accumulate(found.n_windows)][:-1]
    sums: Vectors = np.add.reduceat(vectors * weights, starts, axis=0)
    return sums
