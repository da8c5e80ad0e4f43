"""The embedder: makes normalised vectors from texts, by the engine that suits their number, the model and the machine."""

import sys
from collections.abc import Sequence

import numpy as np

from schemas.options.sections import EmbedOptions
from tasks.embed.io import several_gpus, torch_engine
from tasks.embed.io.cpu.int8_models import embed_in_int8
from tasks.embed.io.cpu.numpy_engine import embed_few
from tasks.embed.io.model_files import dimension, pooling, shorten_dimension
from tasks.embed.io.tokenizer import load_tokenizer, max_tokens, model_dir
from tasks.embed.io.too_long import average_windows, fit_rows
from tasks.embed.vectors import NO_TOKENS, Tokens, Vectors, normalise


class Embedder:
    """Turns texts into vectors. Threads may share one. The first text loads the model, once per process."""

    def __init__(self, model: str, options: EmbedOptions, light: bool = False) -> None:
        """Find `model` and read its settings; `options.model` is ignored, and the engine `auto` is torch.

        With `light`, NumPy computes whatever it can, however many texts there are, so that torch is not imported.

        Raises:
            InputError: there is no such model, or its files show that it cannot be used. Nothing is loaded yet.
        """
        self.folder = model_dir(model)
        self.max_tokens = max_tokens(self.folder, options.max_tokens)
        self.dimension = shorten_dimension(self.folder, dimension(self.folder), options.dimensions)
        self.pooling = pooling(self.folder)
        self._options = options
        self._most_tokens = sys.maxsize if light else None
        self._tokenizer = load_tokenizer(self.folder)
        self.n_too_long = 0

    def tokens(self, texts: Sequence[str]) -> Tokens:
        """Return the token ids of texts, by text."""
        return dict(zip(texts, self._tokenizer.encode(texts), strict=True))

    def encode(self, texts: Sequence[str], tokens: Tokens = NO_TOKENS) -> Vectors:
        """Return the vectors of `texts`, in their order, as an array of shape (texts, dimension). Each has length 1.

        `tokens` are those of `texts`, if they are known already. `n_too_long` counts the texts with more than `max_tokens`
        tokens; `options.too_long` says what happens to them.

        Raises:
            TooLong: a text has more than `max_tokens` tokens, and `options.too_long` is error.
            DocumentError: a text has no vector, because the model returned only zeros or NaN.
            InputError: the device or the weights are missing.
        """
        [special] = self._tokenizer.encode([""])
        known = tokens if all(text in tokens for text in texts) else self.tokens(texts)
        found = fit_rows([known[text] for text in texts], special, self.max_tokens, self._options.too_long)
        self.n_too_long += found.n_too_long
        vectors = self._embed_rows(found.rows)
        return vectors if len(found.rows) == len(texts) else normalise(average_windows(vectors, found))

    def _embed_rows(self, ids: Sequence[Sequence[int]]) -> Vectors:
        if not ids:
            return np.empty((0, self.dimension), dtype=np.float32)
        if self._options.engine == "openvino":
            return normalise(embed_in_int8(self.folder, ids)[:, : self.dimension])
        few = embed_few(self.folder, ids, self.pooling, self._most_tokens) if self._is_fit_for_numpy() else None
        return normalise((self._embed_by_torch(ids) if few is None else few)[:, : self.dimension])

    def _embed_by_torch(self, ids: Sequence[Sequence[int]]) -> Vectors:
        names = several_gpus.list_gpus(self._options.device)
        if several_gpus.are_worth_it(names, ids, self._options):
            on_gpus = self._options.model_copy(update={"device": "cuda"})
            return several_gpus.embed_on_gpus(self.folder, on_gpus, ids, self.pooling, names)
        return torch_engine.embed_by_torch(self.folder, self._options, ids, self.pooling)

    def _is_fit_for_numpy(self) -> bool:
        """Return whether no option asks for what only torch has. A GPU that is not asked for does not pay for a few texts."""
        return self._options.device != "cuda" and self._options.dtype != "bfloat16"
