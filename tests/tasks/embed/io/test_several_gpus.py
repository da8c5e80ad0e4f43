"""Several devices, with CPUs in place of GPUs: the processes, the parts and what happens when one fails are the same."""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schemas.options.sections import EmbedOptions, LimitOptions
from tasks.embed.io import several_gpus, torch_engine
from tasks.embed.io.cpu import numpy_engine
from tasks.embed.io.embedder import Embedder
from tasks.embed.io.tokenizer import load_tokenizer
from tasks.workers.pool import WorkerPool
from tests.tasks.embed.io.vectors import FLOAT32, texts_of
from tests.tasks.workers.worker_functions import environment

CPUS = ("", "")
"""Two devices by the names that make CUDA show none."""


@pytest.fixture(autouse=True)
def _own_pools() -> Iterator[None]:
    """Pools live as long as the process; those of tests end with the test."""
    yield
    several_gpus._open_pool(CPUS).close()
    several_gpus._open_pool.cache_clear()


def test_two_processes_make_the_vectors_that_one_makes(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = load_tokenizer(tiny).encode(texts_of(40, 20))
    alone = torch_engine.embed_by_torch(tiny, FLOAT32, ids, "mean")
    monkeypatch.setattr(torch_engine, "embed_by_torch", not_here)
    found = several_gpus.embed_on_gpus(tiny, FLOAT32, ids, "mean", CPUS)
    assert np.allclose(found, alone, atol=1e-5)


def not_here(*_: Any) -> Any:
    raise AssertionError("computed in this process")


def test_what_a_process_fails_to_compute_is_computed_here(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(several_gpus, "LIMITS", LimitOptions(page_seconds=0.01))
    ids = load_tokenizer(tiny).encode(texts_of(8, 20))
    with caplog.at_level(logging.WARNING):
        found = several_gpus.embed_on_gpus(tiny, FLOAT32, ids, "mean", CPUS)
    assert np.allclose(found, torch_engine.embed_by_torch(tiny, FLOAT32, ids, "mean"), atol=1e-5)
    assert "the process of a GPU failed" in caplog.text


def test_each_worker_sees_its_own_device() -> None:
    with WorkerPool(LimitOptions(), [{several_gpus.VISIBLE: name} for name in ("3", "GPU-5")]) as pool:
        seen = {outcome for _, outcome in pool.map(environment, [(several_gpus.VISIBLE,)] * 8)}
    assert seen == {"3", "GPU-5"}


def test_the_gpus_are_those_that_the_user_leaves_visible(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.delenv(several_gpus.VISIBLE, raising=False)
    assert several_gpus.list_gpus("auto") == ("0", "1")
    monkeypatch.setenv(several_gpus.VISIBLE, "5,GPU-8f,-1,7")
    assert several_gpus.list_gpus("cuda") == ("5", "GPU-8f")
    assert several_gpus.list_gpus("cpu") == ()
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert several_gpus.list_gpus("auto") == ()


def test_few_texts_stay_in_this_process(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, str]] = []

    def vectors_of_many(folder: Path, options: EmbedOptions, ids: Any, *_: Any) -> Any:
        asked.append((len(ids), options.device))
        return np.ones((len(ids), 32), np.float32)

    monkeypatch.setattr(several_gpus, "list_gpus", lambda device: ("0", "1"))
    monkeypatch.setattr(several_gpus, "embed_on_gpus", vectors_of_many)
    monkeypatch.setattr(numpy_engine, "FEW_TOKENS", 0)
    embedder = Embedder(str(tiny), EmbedOptions(dtype="float32", batch_tokens=256))
    embedder.encode(["a mill"] * 20)
    assert asked == []
    embedder.encode(["a mill"] * 200)
    assert asked == [(200, "cuda")]
