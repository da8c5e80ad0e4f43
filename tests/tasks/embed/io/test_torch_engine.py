"""What torch computes in, and what it does when a device has too little memory or too few digits."""

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import InputError
from schemas.options.sections import EmbedOptions
from tasks.embed.io import torch_engine
from tasks.embed.io.cpu import numpy_engine
from tasks.embed.io.embedder import Embedder
from tasks.embed.io.tokenizer import PACKAGED, find_model_folder
from tasks.embed.io.torch_engine import pad_rows
from tests.tasks.embed.io.fake_devices import FakeCuda
from tests.tasks.embed.io.vectors import cosines, reference, texts_of

AUTO = EmbedOptions(engine="torch", batch_tokens=128)
CUDA = AUTO.model_copy(update={"device": "cuda"})


@pytest.fixture(autouse=True)
def _loaded_anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Few texts go to torch too, and no test sees a model of another one."""
    monkeypatch.setattr(numpy_engine, "FEW_TOKENS", 0)
    load = torch_engine._load
    yield
    load.cache_clear()


def test_the_type_of_products_is_the_fastest_unless_an_option_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    for fastest in ("float32", "bfloat16", "float16"):
        monkeypatch.setattr(torch_engine, "find_fastest_dtype", lambda fastest=fastest: fastest)
        assert torch_engine._choose_cpu_dtype("auto") is getattr(torch, fastest)
        assert torch_engine._choose_cpu_dtype("bfloat16") is torch.bfloat16
        assert torch_engine._choose_cpu_dtype("float32") is torch.float32


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
    monkeypatch.setattr(torch_engine, "_run_batch", run)
    ids = [[1] * 10] * 100
    found = torch_engine.embed_by_torch(tiny, EmbedOptions(batch_tokens=100), ids, "mean")
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
    monkeypatch.setattr(torch_engine, "_run_batch", run)
    found = torch_engine.embed_by_torch(tiny, EmbedOptions(), [[1, 2], [7], [3]], "mean")
    assert np.isfinite(found).all()
    assert asked == [(torch.float16, 3), (torch.float32, 1)]


def test_float16_gives_the_same_vectors_to_four_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch_engine, "find_fastest_dtype", lambda: "float16")
    monkeypatch.setattr(numpy_engine, "FEW_TOKENS", 0)
    torch_engine._load.cache_clear()
    half = Embedder(PACKAGED, EmbedOptions(device="cpu")).encode(texts_of(12))
    torch_engine._load.cache_clear()
    assert cosines(half, reference(find_model_folder(PACKAGED), texts_of(12))).min() > 0.9999


@pytest.mark.parametrize(("broken", "used"), [((), "float16"), (("float16",), "bfloat16"), (("float16", "bfloat16"), "float32")])
def test_a_gpu_computes_in_the_first_type_that_it_can(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, broken: tuple[str, ...], used: str
) -> None:
    gpu = FakeCuda(broken=broken).install(monkeypatch)
    found = Embedder(str(tiny), AUTO).encode(texts_of(20, 20))
    assert gpu.computed[-1] == ("cuda", used)
    assert cosines(found, reference(tiny, texts_of(20, 20))).min() > 0.9995
    assert [record.message.splitlines() for record in caplog.records if "no kernel" in record.message] == [
        [f"the model in {tiny} fails on the CUDA device in {name}: no kernel image for {name}"] for name in broken
    ]


def test_a_type_that_makes_other_vectors_is_not_used(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    gpu = FakeCuda().install(monkeypatch)
    monkeypatch.setattr(torch_engine, "ALIKE", 1.1)
    found = Embedder(str(tiny), AUTO).encode(texts_of(20, 20))
    assert gpu.computed[-1] == ("cuda", "float32")
    assert cosines(found, reference(tiny, texts_of(20, 20))).min() > 0.999999
    assert "makes other vectors in float16" in caplog.text


def test_what_overflows_on_a_gpu_is_computed_in_32_bits_by_the_cpu(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gpu = FakeCuda().install(monkeypatch)
    texts = texts_of(20, 20)
    torch_engine._load(tiny, "auto", "auto")
    run = gpu.run

    def overflowing(backbone: Any, ids: Sequence[Sequence[int]], pooling: Any) -> Any:
        return run(backbone, ids, pooling) * (float("inf") if backbone.device == "cuda" else 1)

    monkeypatch.setattr(torch_engine, "_run_batch", overflowing)
    found = Embedder(str(tiny), AUTO).encode(texts)
    assert cosines(found, reference(tiny, texts)).min() > 0.999999
    assert gpu.computed[-1] == ("cpu", "float32")


def test_a_model_that_the_gpu_cannot_hold_is_left_to_the_cpu_unless_cuda_is_asked_for(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    FakeCuda(holds_models=False).install(monkeypatch)
    with pytest.raises(InputError, match=r"the CUDA device cannot take .*Tried to allocate 2\.00 GiB\): free it, or choose"):
        Embedder(str(tiny), CUDA).encode(["a"])
    found = [Embedder(str(tiny), AUTO).encode(texts_of(20, 20)) for _ in range(2)]
    assert cosines(found[0], reference(tiny, texts_of(20, 20))).min() > 0.9995
    assert np.array_equal(found[0], found[1])
    assert [record.message for record in caplog.records] == [
        f"the CUDA device cannot take the model in {tiny} (CUDA out of memory. Tried to allocate 2.00 GiB), so the CPU computes"
    ]


def test_a_text_that_does_not_fit_the_gpu_alone_is_left_to_the_cpu(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gpu = FakeCuda().install(monkeypatch)
    texts = texts_of(60, 20)
    lengths = sorted(len(ids) for ids in Embedder(str(tiny), AUTO).tokenise(texts).values())
    torch_engine._load(tiny, "auto", "auto")
    gpu.room = lengths[-5] - 1
    gpu.computed.clear()
    found = Embedder(str(tiny), AUTO).encode(texts)
    assert cosines(found, reference(tiny, texts)).min() > 0.9995
    assert {place for place, _ in gpu.computed} == {"cuda", "cpu"}


def test_a_text_that_does_not_fit_alone_is_an_error_if_cuda_is_asked_for(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gpu = FakeCuda().install(monkeypatch)
    torch_engine._load(tiny, "cuda", "auto")
    gpu.room = 10
    with pytest.raises(RuntimeError, match="out of memory"):
        Embedder(str(tiny), CUDA).encode(texts_of(20, 20))


def test_memory_that_others_take_for_a_while_costs_smaller_batches_only(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gpu = FakeCuda().install(monkeypatch)
    embedder, texts = Embedder(str(tiny), CUDA), [f"{text} {n}" for n in range(4) for text in texts_of(60, 8)]
    first = embedder.encode(texts)
    largest = []
    for room in (1 << 30, 200, 1 << 30):
        gpu.room = room
        gpu.batches.clear()
        assert np.allclose(embedder.encode(texts), first, atol=2e-3)
        largest.append(max(gpu.batches))
    assert largest[1] <= 200 < largest[2]


@given(st.lists(st.lists(st.integers(1, 9), min_size=1, max_size=6), min_size=1, max_size=6))
def test_rows_are_padded_at_their_ends(ids: list[list[int]]) -> None:
    rows, mask = pad_rows(ids, 0)
    assert [row[:n].tolist() for row, n in zip(rows, mask.sum(axis=1), strict=True)] == ids
    assert not rows[mask == 0].any()
    assert rows.shape == mask.shape == (len(ids), max(map(len, ids)))
