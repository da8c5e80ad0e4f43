"""The device of this process: which one it is, how arrays get there, and how it says that its memory is full."""

from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from schemas.errors import InputError

if TYPE_CHECKING:
    import torch


def device_of(option: str) -> str:
    """Return `cuda` or `cpu` for the option `auto`, `cuda` or `cpu`.

    Raises:
        InputError: the option is `cuda`, and there is no CUDA device.
    """
    import torch

    if option == "cuda" and not torch.cuda.is_available():
        raise InputError("device = cuda, but torch finds no CUDA device: choose auto or cpu")
    return "cuda" if option != "cpu" and torch.cuda.is_available() else "cpu"


def sent(array: NDArray[Any], device: str) -> "torch.Tensor":
    """Return the array on the device. To a GPU it is sent from pinned memory, while this process goes on."""
    import torch

    tensor = torch.from_numpy(array)
    return tensor if device == "cpu" else tensor.pin_memory().to(device, non_blocking=True)


def is_full(error: Exception) -> bool:
    """Tell whether an error says that the device's memory is full. What torch holds of it unused is given back then."""
    import torch

    full = isinstance(error, torch.OutOfMemoryError)
    if full:
        torch.cuda.empty_cache()
    return full
