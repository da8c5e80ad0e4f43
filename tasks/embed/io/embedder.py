"""The embedder: makes normalised vectors from texts, by the engine that suits their number, the model and the machine."""

import sys
from collections.abc import Sequence

from schemas.options.sections import EmbedOptions
from tasks.embed.io import several_gpus, torch_engine
from tasks.embed.io.cpu.int8_models import embed_in_int8
from tasks.embed.io.cpu.numpy_engine import embed_few
from tasks.embed.io.model_files import read_dimension, read_pooling, shorten_dimension
from tasks.embed.io.tokenizer import find_model_folder, load_tokenizer, read_max_tokens
from tasks.embed.io.too_long import LocalEncoder
from tasks.embed.vectors import Vectors


class Embedder(LocalEncoder):
    """Turns texts into vectors. Threads may share one. The first text loads the model, once per process."""

    def __init__(self, model: str, options: EmbedOptions, light: bool = False) -> None:
        """Find `model` and read its settings; `options.model` is ignored, and the engine `auto` is torch.

        With `light`, NumPy computes whatever it can, however many texts there are, so that torch is not imported.

        Raises:
            InputError: there is no such model, or its files show that it cannot be used. Nothing is loaded yet.
        """
        self.folder, self._options = find_model_folder(model), options
        self.pooling = read_pooling(self.folder)
        self._most_tokens = sys.maxsize if light else None
        tokenizer, longest = load_tokenizer(self.folder), read_max_tokens(self.folder, options.max_tokens)
        size = shorten_dimension(self.folder, read_dimension(self.folder), options.dimensions)
        super().__init__(tokenizer, tokenizer.encode([""])[0], longest, size, options.too_long)

    def _embed_rows(self, ids: Sequence[list[int]]) -> Vectors:
        if self._options.engine == "openvino":
            return embed_in_int8(self.folder, ids)
        few = embed_few(self.folder, ids, self.pooling, self._most_tokens) if self._is_fit_for_numpy() else None
        return self._embed_by_torch(ids) if few is None else few

    def _embed_by_torch(self, ids: Sequence[Sequence[int]]) -> Vectors:
        names = several_gpus.list_gpus(self._options.device)
        if several_gpus.are_gpus_worth_it(names, ids, self._options):
            on_gpus = self._options.model_copy(update={"device": "cuda"})
            return several_gpus.embed_on_gpus(self.folder, on_gpus, ids, self.pooling, names)
        return torch_engine.embed_by_torch(self.folder, self._options, ids, self.pooling)

    def _is_fit_for_numpy(self) -> bool:
        """Return whether no option asks for what only torch has. A GPU that is not asked for does not pay for a few texts."""
        return self._options.device != "cuda" and self._options.dtype != "bfloat16"
