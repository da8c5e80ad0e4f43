"""The engines that are compared: texts in, an Arrow column of float32 vectors out."""

import gc
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from benchmarks.cuda.card import Card
from schemas.options.sections import EmbedOptions
from tasks.embed.io.embed import choose_group_size, embed_each, make_embedded_row
from tasks.embed.io.providers import open_provider
from tasks.embed.provider import Provider
from tasks.embed.vectors import VectorCache

A_DOCUMENT = 100
"""Chunks of a document."""


class Pagemill(NamedTuple):
    """The embedder as a refresh calls it: documents of chunks, vectors that are remembered, a row of Arrow for each document."""

    options: EmbedOptions

    def __call__(self, texts: Sequence[str]) -> pa.Array:
        """Return the vectors of texts."""
        documents = {at: texts[at : at + A_DOCUMENT] for at in range(0, len(texts), A_DOCUMENT)}
        memory = VectorCache()

        def encoder(batch_tokens: int) -> Provider:
            return open_provider(self.options.model_copy(update={"batch_tokens": batch_tokens})).with_memory(memory)

        rows = []
        group = choose_group_size(self.options)
        for _, vectors in embed_each([*documents], documents.__getitem__, encoder, self.options.batch_tokens, group):
            if isinstance(vectors, Exception):
                raise vectors
            rows.append(make_embedded_row(vectors, vectors.shape[1])["vectors"].combine_chunks().flatten())
        return pa.concat_arrays(rows)


def pagemill(model: str | Path, card: Card, **options: Any) -> Pagemill:
    """Return Pagemill's embedder on the device."""
    return Pagemill(
        EmbedOptions.model_validate(
            {"engine": "torch", "model": str(model), "device": card.device, "too_long": "truncate", **options}
        )
    )


class Peer:
    """sentence-transformers with weights of one type and batches of one size."""

    def __init__(self, folder: Path, card: Card, dtype: str) -> None:
        import torch
        from sentence_transformers import SentenceTransformer

        self.dtype, self.batch = dtype, 32
        self._card = card
        self._model: Any = SentenceTransformer(
            str(folder), device=card.peer_device, local_files_only=True, model_kwargs={"dtype": getattr(torch, dtype)}
        )

    def __call__(self, texts: Sequence[str]) -> pa.Array:
        """Return the vectors of texts."""
        made = self._model.encode(
            list(texts), batch_size=self.batch, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
        )
        flat = np.ascontiguousarray(made, dtype=np.float32)
        return pa.FixedSizeListArray.from_arrays(pa.array(flat.reshape(-1)), flat.shape[1])

    def close(self) -> None:
        """Give the model's memory back."""
        import torch

        self._model = None
        gc.collect()
        if self._card.peer_device == "cuda":
            torch.cuda.empty_cache()


def as_vectors(column: pa.Array) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return the vectors of an Arrow column, as an array of shape (texts, dimension)."""
    flat: np.ndarray[Any, np.dtype[np.float32]] = column.flatten().to_numpy(zero_copy_only=False)
    return flat.reshape(len(column), -1)
