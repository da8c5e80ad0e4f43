"""The device of this process: which one it is, how arrays get there and back, and how it says that it cannot."""

import logging
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from schemas.errors import InputError

if TYPE_CHECKING:
    import torch

NVIDIA = (Path("/proc/driver/nvidia"), Path("/dev/nvidiactl"), Path("/dev/dxg"))
"""One of them is there if there is a GPU; torch, which knows for sure, takes seconds to import."""
FULL = ("out of memory", "ALLOC_FAILED")
"""What CUDA and its libraries say when memory is full, where torch raises no error of its own for it."""

logger = logging.getLogger(__name__)
Made = TypeVar("Made")


def has_gpu_driver() -> bool:
    """Return whether the machine shows a GPU's driver. Whether torch can use it is another question."""
    return any(path.exists() for path in NVIDIA)


def choose_device(option: str) -> str:
    """Return `cuda` or `cpu` for the option `auto`, `cuda` or `cpu`.

    Raises:
        InputError: the option is `cuda`, and there is no CUDA device.
    """
    import torch

    if option == "cpu":
        return "cpu"
    if torch.cuda.is_available():
        return "cuda"
    if option == "cuda":
        raise InputError(f"device = cuda, but torch finds no CUDA device ({_explain_missing_device()}): choose auto or cpu")
    if has_gpu_driver():
        _warn(f"torch cannot use the GPU of this machine ({_explain_missing_device()}), so the CPU computes")
    return "cpu"


def load_on_device(option: str, what: str, load: Callable[[str], Made]) -> Made:
    """Return what `load` makes on the device that `option` means. With `auto` the CPU takes what CUDA cannot.

    CUDA fails if others fill the device, or if `what` is larger than it, or if it has no kernels for this device.

    Raises:
        InputError: the option is `cuda`, and there is no CUDA device, or it fails.
    """
    device = choose_device(option)
    if device == "cpu":
        return load(device)
    try:
        return load(device)
    except RuntimeError as error:  # torch has no narrower one for what CUDA cannot
        is_memory_error(error)
        if option == "cuda":
            raise InputError(
                f"the CUDA device cannot take {what} ({quote_first_line(error)}): free it, or choose auto or cpu"
            ) from error
        _warn(f"the CUDA device cannot take {what} ({quote_first_line(error)}), so the CPU computes")
    return load("cpu")


def send_to_device(array: NDArray[np.generic], device: str) -> "torch.Tensor":
    """Return the array on the device. To a GPU it is sent from pinned memory, while this process goes on."""
    import torch

    tensor = torch.from_numpy(array)
    return tensor if device == "cpu" else tensor.pin_memory().to(device, non_blocking=True)


def wait_for_copies() -> None:
    """Wait until what was copied from the device with `non_blocking` has arrived."""
    import torch

    if torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
        torch.cuda.synchronize()


def is_memory_error(error: Exception) -> bool:
    """Return whether an error says that the device's memory is full. What torch holds of it unused is given back then."""
    import torch

    full = isinstance(error, torch.OutOfMemoryError) or (
        isinstance(error, RuntimeError) and any(word in str(error) for word in FULL)
    )
    if full:
        torch.cuda.empty_cache()
    return full


def quote_first_line(error: Exception) -> str:
    """Return the first line of what an error says."""
    return str(error).partition("\n")[0].rstrip(". ") or type(error).__name__


def _explain_missing_device() -> str:
    """Return why CUDA cannot begin: there is no driver, it is too old, or no device is visible."""
    import torch

    try:
        torch.cuda.init()  # type: ignore[no-untyped-call]
    except (RuntimeError, AssertionError) as error:  # the second one of builds without CUDA
        return quote_first_line(error).partition(". ")[0]
    return "none is visible"


@cache
def _warn(message: str) -> None:
    """Log a warning, once per process."""
    logger.warning("%s", message)
