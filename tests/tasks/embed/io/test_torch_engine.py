"""What torch computes in, and what it does when a device has too little memory or too few digits."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schemas.errors import InputError
from schemas.options.sections import EmbedOptions
from tasks.embed.io import torch_engine
from tasks.embed.io.cpu import numpy_engine
from tasks.embed.io.embedder import Embedder
from tasks.embed.io.tokenizer import PACKAGED, model_dir
from tests.tasks.embed.io.vectors import cosines, reference, texts_of


def test_the_device_is_an_error_if_it_is_not_there(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(InputError, match="no CUDA device"):
        Embedder(str(tiny), EmbedOptions(device="cuda")).encode(["a"])


def test_the_type_of_products_is_the_fastest_unless_an_option_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    for fastest in ("float32", "bfloat16", "float16"):
        monkeypatch.setattr(torch_engine, "fastest_dtype", lambda fastest=fastest: fastest)
        assert torch_engine._dtype("auto", "cpu") is getattr(torch, fastest)
        assert torch_engine._dtype("bfloat16", "cpu") is torch.bfloat16
        assert torch_engine._dtype("float32", "cuda") is torch.float32


def test_a_device_without_memory_gets_smaller_batches_and_keeps_to_them(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    sizes: list[int] = []

    def run(backbone: Any, ids: Sequence[Sequence[int]], pooling: Any) -> Any:
        if len(ids) * max(map(len, ids)) > 300:
            raise torch.OutOfMemoryError("CUDA out of memory")
        sizes.append(len(ids))
        return torch.tensor([[len(row), 1.0] for row in ids])

    device = torch_engine.Backbone(None, "cuda", torch.float16, 0, threading.Lock(), {})
    monkeypatch.setattr(torch_engine, "_load", lambda *_: device)
    monkeypatch.setattr(torch_engine, "_run", run)
    ids = [[1] * 10] * 100
    found = torch_engine.vectors(tiny, EmbedOptions(batch_tokens=100), ids, "mean")
    assert found[:, 0].tolist() == [10] * 100
    assert sizes == [10, 20, 20, 20, 20, 10]
    assert device.budgets[100].tokens == 200


def test_what_overflows_in_16_bits_is_computed_again_in_32(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    asked: list[tuple[Any, int]] = []

    def run(backbone: Any, ids: Sequence[Sequence[int]], pooling: Any) -> Any:
        asked.append((backbone.dtype, len(ids)))
        half = backbone.dtype != torch.float32
        return torch.tensor([[float("inf") if half and row[0] == 7 else 1.0] for row in ids])

    monkeypatch.setattr(
        torch_engine, "_load", lambda *_: torch_engine.Backbone(None, "cpu", torch.float16, 0, threading.Lock(), {})
    )
    monkeypatch.setattr(torch_engine, "_run", run)
    found = torch_engine.vectors(tiny, EmbedOptions(), [[1, 2], [7], [3]], "mean")
    assert np.isfinite(found).all()
    assert asked == [(torch.float16, 3), (torch.float32, 1)]


def test_float16_gives_the_same_vectors_to_four_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch_engine, "fastest_dtype", lambda: "float16")
    monkeypatch.setattr(numpy_engine, "FEW_TOKENS", 0)
    torch_engine._load.cache_clear()
    half = Embedder(PACKAGED, EmbedOptions(device="cpu")).encode(texts_of(12))
    torch_engine._load.cache_clear()
    assert cosines(half, reference(model_dir(PACKAGED), texts_of(12))).min() > 0.9999
