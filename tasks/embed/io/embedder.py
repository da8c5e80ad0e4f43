"""The embedder: makes normalised vectors from texts, by a transformer with safetensors weights on CUDA or CPU."""

import os
import threading
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from schemas.errors import DocumentError, InputError
from schemas.options.sections import EmbedOptions
from tasks.embed.io.model_weights import device_of, load_model
from tasks.embed.io.tokenizer import load_tokenizer, max_tokens, model_dir, read_json
from tasks.embed.io.too_long import averaged, fitted
from tasks.store.fingerprints import weights_digest
from tasks.workers import memory

if TYPE_CHECKING:
    import torch

Vectors = NDArray[np.float32]
Pooling = Literal["mean", "cls", "max"]

APPLIED = ("Transformer", "Pooling", "Normalize")
"""The sentence-transformers modules that are supported. Vectors are always normalised."""
POOLINGS: dict[str, Pooling] = {"mean": "mean", "mean_sqrt_len_tokens": "mean", "cls": "cls", "max": "max"}
"""Supported ways to pool tokens. mean_sqrt_len_tokens is the mean, because normalisation removes its factor."""
OLD_FLAGS = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
RELEASE_EVERY = 2
"""Batches after which freed memory is given back: shapes differ, so freed memory rarely fits the next batch."""
_LOADING = threading.Lock()


class Backbone(NamedTuple):
    """A loaded model and how it is run. Its weights are float32; `dtype` is the type of its matrix products."""

    model: Any
    device: str
    dtype: "torch.dtype"
    padding: int
    lock: threading.Lock


class Embedder:
    """Turns texts into vectors. Threads may share one. The first text loads the model, once per process."""

    def __init__(self, model: str, options: EmbedOptions) -> None:
        """Find `model` and read its settings; `options.model` is ignored.

        Raises:
            InputError: there is no such model, or its files show that it cannot be used. Nothing is loaded yet.
        """
        self.folder = model_dir(model)
        self.max_tokens = max_tokens(self.folder, options.max_tokens)
        self.dimension = dimension(self.folder)
        self.pooling = pooling(self.folder)
        self._options = options
        self._tokenizer = load_tokenizer(self.folder)
        self.n_too_long = 0

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of `texts`, in their order, as an array of shape (texts, dimension). Each has length 1.

        `n_too_long` counts the texts with more than `max_tokens` tokens; `options.too_long` says what happens to them.

        Raises:
            TooLong: a text has more than `max_tokens` tokens, and `options.too_long` is error.
            DocumentError: a text has no vector, because the model returned only zeros or NaN.
            InputError: the device or the weights are missing.
        """
        [special] = self._tokenizer.encode([""])
        found = fitted(self._tokenizer.encode(texts), special, self.max_tokens, self._options.too_long)
        self.n_too_long += found.n_too_long
        vectors = self._run_all(found.rows)
        return vectors if len(found.rows) == len(texts) else _normalised(averaged(vectors, found))

    def _run_all(self, ids: Sequence[Sequence[int]]) -> Vectors:
        vectors = np.empty((len(ids), self.dimension), dtype=np.float32)
        if ids:
            with _LOADING:
                backbone = _load(self.folder, self._options.device, self._options.dtype)
            with backbone.lock:
                for n, rows in enumerate(batches([len(row) for row in ids], self._options.batch_tokens), start=1):
                    vectors[rows] = _run(backbone, [ids[row] for row in rows], self.pooling)
                    if n % RELEASE_EVERY == 0:
                        memory.release()
        return _normalised(vectors)


def dimension(folder: Path) -> int:
    """Return the length of the vectors that the model in `folder` makes.

    Raises:
        InputError: its configuration does not state it.
    """
    config = read_json(folder / "config.json")
    size = config.get("hidden_size") or config.get("d_model") or config.get("dim")
    if not isinstance(size, int):
        raise InputError(f"{folder / 'config.json'} has no hidden_size: give the folder of a text embedder")
    return size


def pooling(folder: Path) -> Pooling:
    """Return the pooling that the model's sentence-transformers files state; mean if it has no such files.

    Raises:
        InputError: the files need a module or a pooling that Pagemill does not have.
    """
    listed = read_json(folder / "modules.json") if (folder / "modules.json").is_file() else []
    modules = {str(module["type"]).rpartition(".")[2]: str(module["path"]) for module in listed}
    if unknown := sorted(set(modules) - set(APPLIED)):
        raise InputError(
            f"{folder.name} needs modules that Pagemill does not have ({', '.join(unknown)}): choose another embedder"
        )
    path = folder / modules.get("Pooling", "1_Pooling") / "config.json"
    config = read_json(path) if path.is_file() else {"pooling_mode": "mean"}
    mode = config.get("pooling_mode") or "+".join(name for flag, name in OLD_FLAGS.items() if config.get(flag))
    if mode not in POOLINGS:
        raise InputError(
            f"{folder.name} uses the pooling {mode!r}, Pagemill has only {', '.join(POOLINGS)}: choose another embedder"
        )
    return POOLINGS[mode]


def embedder_facts(model: str) -> dict[str, Any]:
    """Return what identifies the vectors that `model` makes, for the recipe: its name and a digest of its files."""
    return {
        "model": model if not Path(model).is_dir() else Path(model).resolve().name,
        "weights": weights_digest(model_dir(model)),
    }


def batches(lengths: Sequence[int], batch_tokens: int) -> Iterator[list[int]]:
    """Yield indices of `lengths`, longest first, in batches of at most `batch_tokens` with padding, or of a single text."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if batch and (len(batch) + 1) * lengths[batch[0]] > batch_tokens:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


@lru_cache(maxsize=2)
def _load(folder: Path, device: str, dtype: str) -> Backbone:
    place = device_of(device)
    model = load_model(folder, "model", spare=("pooler.",)).eval().to(place)
    return Backbone(model, place, _dtype(dtype, place), model.config.pad_token_id or 0, threading.Lock())


def _dtype(option: str, device: str) -> "torch.dtype":
    """Return the type of matrix products; bfloat16 is slow on a CPU that only emulates it."""
    import torch

    if option != "auto":
        return torch.float32 if option == "float32" else torch.bfloat16
    if device == "cuda":
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
    return torch.bfloat16 if _has_bfloat16() else torch.float32


def _has_bfloat16() -> bool:
    import torch

    return bool(torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported())


def _run(backbone: Backbone, ids: Sequence[Sequence[int]], pooling: Pooling) -> Vectors:
    """Return one vector for each row of token ids, not yet normalised.

    Autocast keeps the sums between layers in float32: as fast as bfloat16 weights, and three times as exact. A batch that
    overflows in 16 bits is computed again in 32.
    """
    import torch

    length = max(map(len, ids))
    rows = np.full((len(ids), length), backbone.padding, dtype=np.int64)
    mask = np.zeros((len(ids), length), dtype=np.int64)
    for i, row in enumerate(ids):
        rows[i, : len(row)] = row
        mask[i, : len(row)] = 1
    _obey_thread_limit()
    attended = torch.from_numpy(mask).to(backbone.device)
    inputs = {"input_ids": torch.from_numpy(rows).to(backbone.device), "attention_mask": attended}
    half = backbone.dtype != torch.float32
    with torch.inference_mode(), torch.autocast(backbone.device, dtype=backbone.dtype if half else None, enabled=half):
        states = backbone.model(**inputs).last_hidden_state
    if half and not torch.isfinite(states).all():
        return _run(backbone._replace(dtype=torch.float32), ids, pooling)
    vectors: Vectors = _pooled(states.float(), attended, pooling).cpu().numpy()
    return vectors


def _obey_thread_limit() -> None:
    """Limit the threads of torch to OMP_THREAD_LIMIT.

    Matrix products in bfloat16 divide the work among the threads that torch expects. If OpenMP provides fewer, the work of the
    missing ones is not done, and no error is raised.
    """
    import torch

    limit = os.environ.get("OMP_THREAD_LIMIT", "")
    if limit.isdecimal() and 0 < int(limit) < torch.get_num_threads():
        torch.set_num_threads(int(limit))


def _pooled(states: "torch.Tensor", attended: "torch.Tensor", pooling: Pooling) -> "torch.Tensor":
    if pooling == "cls":
        return states[:, 0]
    weights = attended.unsqueeze(-1).to(states.dtype)
    if pooling == "max":
        return states.masked_fill(weights == 0, float("-inf")).amax(dim=1)
    return (states * weights).sum(dim=1) / weights.sum(dim=1)


def _normalised(vectors: Vectors) -> Vectors:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    bad = np.flatnonzero(~(np.isfinite(norms) & (norms > 1e-12)))
    if bad.size:
        raise DocumentError(f"text {bad[0]} has no vector, because the model returned only zeros or NaN: check its weights")
    normalised: Vectors = vectors / norms
    return normalised
