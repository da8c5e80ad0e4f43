"""The device that is measured: a GPU, or the CPU in its place, where everything runs and nothing is fast."""

import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, Literal, Protocol

GIB = 1 << 30
SIDE, PRODUCTS, ROUNDS = 8192, 10, 5
"""Matrix products that show the card's rate: large enough for all of it."""


class Card(Protocol):
    """A device. `device` is the option of Pagemill, `peer_device` what torch calls it."""

    device: Literal["cuda", "cpu"]
    peer_device: str
    name: str

    def wait(self) -> None:
        """Wait until all that was asked of the device is done."""

    def matrix_rate(self) -> float | None:
        """Return the operations a second of products of large matrices in 16 bits; None if it would say nothing."""

    def take(self, leave: int) -> None:
        """Take all memory of the device but `leave` bytes."""

    def give_back(self) -> None:
        """Give back what was taken."""

    def traced(self, call: Callable[[], Any], to: Path) -> bool:
        """Run `call` under the profiler, and write the trace of the device to a file; return whether there is one."""


class Cpu:
    """The CPU. It has no memory of its own that one could take."""

    device: Literal["cuda", "cpu"] = "cpu"
    peer_device = "cpu"
    name = "CPU"

    def wait(self) -> None:
        """Nothing is under way."""

    def matrix_rate(self) -> float | None:
        """Return None."""
        return None

    def take(self, leave: int) -> None:
        """Take nothing."""

    def give_back(self) -> None:
        """Give back nothing."""

    def traced(self, call: Callable[[], Any], to: Path) -> bool:
        """Return False."""
        return False


class Cuda:
    """The first CUDA device."""

    device: Literal["cuda", "cpu"] = "cuda"
    peer_device = "cuda"

    def __init__(self) -> None:
        import torch

        self.name = torch.cuda.get_device_name()
        self._taken: list[Any] = []

    def wait(self) -> None:
        """Wait for all kernels and copies."""
        import torch

        torch.cuda.synchronize()

    def matrix_rate(self) -> float | None:
        """Return the median rate of some products of drawn square matrices of SIDE rows in float16."""
        import torch

        left, right = (torch.randn(SIDE, SIDE, device="cuda", dtype=torch.float16) for _ in range(2))
        seconds = []
        for _ in range(ROUNDS + 1):
            self.wait()
            began = time.perf_counter()
            for _ in range(PRODUCTS):
                left @ right
            self.wait()
            seconds.append((time.perf_counter() - began) / PRODUCTS)
        del left, right
        torch.cuda.empty_cache()
        return 2 * SIDE**3 / median(seconds[1:])

    def take(self, leave: int) -> None:
        """Take all memory but `leave` bytes by a plain allocation. What torch holds unused is given back before."""
        import torch

        torch.cuda.empty_cache()
        free = torch.cuda.mem_get_info()[0]
        if free > leave:
            self._taken.append(torch.empty(free - leave, dtype=torch.uint8, device="cuda"))

    def give_back(self) -> None:
        """Give back what was taken."""
        import torch

        self._taken.clear()
        torch.cuda.empty_cache()

    def traced(self, call: Callable[[], Any], to: Path) -> bool:
        """Run `call` under torch's profiler, and write its trace of kernels and copies."""
        from torch.profiler import ProfilerActivity, profile

        with profile(activities=[ProfilerActivity.CUDA]) as profiler:
            call()
            self.wait()
        profiler.export_chrome_trace(str(to))
        return True
