"""What a device that is not to be had says, and what the CPU does then."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from schemas.errors import InputError
from tasks.embed.io import device
from tasks.embed.io.device import choose_device, is_memory_error, load_on_device

TOO_OLD = (
    "The NVIDIA driver on your system is too old (found version 11040). Please update your GPU driver.\nSee the documentation"
)


@pytest.fixture(autouse=True)
def none(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """CUDA finds a driver that is too old."""
    import torch

    def init() -> None:
        raise RuntimeError(TOO_OLD)

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.cuda, "init", init)
    device._warn.cache_clear()
    yield


def test_a_device_that_is_asked_for_and_not_there_is_an_error_that_says_why() -> None:
    with pytest.raises(InputError) as caught:
        choose_device("cuda")
    assert str(caught.value) == (
        "device = cuda, but torch finds no CUDA device (The NVIDIA driver on your system is too old (found version 11040)): "
        "choose auto or cpu"
    )
    assert choose_device("cpu") == "cpu"


def test_a_gpu_that_torch_cannot_use_is_told_once(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(device, "NVIDIA", ())
    assert choose_device("auto") == "cpu"
    assert caplog.text == ""
    monkeypatch.setattr(device, "NVIDIA", (Path("/"),))
    with caplog.at_level(logging.WARNING):
        assert [choose_device("auto"), choose_device("auto")] == ["cpu", "cpu"]
    assert [record.message for record in caplog.records] == [
        "torch cannot use the GPU of this machine (The NVIDIA driver on your system is too old (found version 11040)), "
        "so the CPU computes"
    ]


def test_only_what_cuda_cannot_take_goes_to_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "choose_device", lambda option: "cuda")

    def load(place: str) -> str:
        if place == "cuda":
            raise InputError("the weights are damaged")
        return place

    with pytest.raises(InputError, match="damaged"):
        load_on_device("auto", "the model", load)


@pytest.mark.parametrize(
    ("message", "full"),
    [
        ("CUDA out of memory. Tried to allocate 20 MiB", True),
        ("CUDA error: out of memory", True),
        ("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`", True),
        ("CUDA error: an illegal memory access was encountered", False),
    ],
)
def test_want_of_memory_is_known_by_what_cuda_and_its_libraries_say(message: str, full: bool) -> None:
    assert is_memory_error(RuntimeError(message)) is full
    assert not is_memory_error(ValueError(message))
